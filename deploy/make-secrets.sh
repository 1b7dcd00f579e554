#!/bin/sh
# Makes the secrets of a deployment in deploy/secrets, for its owner alone. What is there already stays as it is.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
cd secrets

random() { head -c "$1" /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }

# Each file appears whole or not at all, whatever ends this script.
store() { cat > ".$1.unfinished" && mv ".$1.unfinished" "$1"; }

if [ ! -e redis.env ]; then
  echo "REDIS_PASSWORD=$(random 24)" | store redis.env
  echo "Made deploy/secrets/redis.env."
fi
if [ -e control-service.env ]; then
  echo "The other files of deploy/secrets are there already; remove the folder to make new secrets."
  exit 0
fi
database=$(random 24)
key="API$(random 8)"
secret=$(random 32)
printf '%s' "$database" | store postgres_password
printf '%s: %s\n' "$key" "$secret" | store livekit_keys
store control-service.env <<EOF
DATABASE_URL=postgresql://platform:$database@postgres:5432/platform
LIVEKIT_API_KEY=$key
LIVEKIT_API_SECRET=$secret
SIMPLESIM_METRICS_TOKEN=$(random 24)
EOF
echo "Made deploy/secrets: postgres_password, livekit_keys, control-service.env. Keep them as you keep passwords."
