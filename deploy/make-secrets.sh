#!/bin/sh
# Makes the secrets of a deployment in deploy/secrets, for its owner alone. What is there already stays as it is.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
cd secrets

random() { head -c "$1" /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }

if [ -e control-service.env ]; then
  echo "deploy/secrets is there already; remove it to make new secrets."
  exit 0
fi
database=$(random 24)
key="API$(random 8)"
secret=$(random 32)
printf '%s' "$database" > postgres_password
printf '%s: %s\n' "$key" "$secret" > livekit_keys
cat > control-service.env <<EOF
DATABASE_URL=postgresql://platform:$database@postgres:5432/platform
LIVEKIT_API_KEY=$key
LIVEKIT_API_SECRET=$secret
SIMPLESIM_METRICS_TOKEN=$(random 24)
EOF
echo "Made deploy/secrets: postgres_password, livekit_keys, control-service.env. Keep them as you keep passwords."
