import { createPrivateKey, generateKeyPair, X509Certificate } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { authorityExtensions, certificatePem, serverExtensions } from './x509.ts';

/** The certificate with which this machine proves its identity to a phone. */
export interface LanCertificate {
  /** A secret. */
  keyPem: string;
  certificatePem: string;
  /**
   * The certificate of the issuer, for phones that ask for it. Trust in it covers only this machine's certificate, because the
   * issuer's key was discarded after it had signed that one.
   */
  issuerPem: string;
  /** SHA-256 of the certificate, as browsers show it. */
  fingerprint: string;
}

/** Browsers accept at most 398 days. */
const LIVES_DAYS = 397;
const RENEWED_BEFORE_DAYS = 30;
/** A phone's clock may be slow. */
const STARTS_EARLIER_DAYS = 1;
const DAY_MS = 86_400_000;
const RSA_BITS = 2_048;

/** Returns the file's name in the data folder. An address that is used again finds the certificate that phones already trust. */
const fileName = (address: string): string => `lan-${address}.pem`;

/**
 * Returns the certificate for an address of this machine, which is stored in the data folder. A new one is created if it is
 * missing, about to expire, or damaged.
 */
export async function lanCertificate(dataDir: string, address: string, nowMs: number): Promise<LanCertificate> {
  const path = join(dataDir, fileName(address));
  const kept = readKept(path, address, nowMs);
  if (kept) return kept;
  const made = await makeCertificate(address, nowMs);
  const unfinished = `${path}.${process.pid}`;
  try {
    writeFileSync(unfinished, [made.keyPem, made.certificatePem, made.issuerPem].join(''), { mode: 0o600 });
    renameSync(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
  return made;
}

function readKept(path: string, address: string, nowMs: number): LanCertificate | null {
  try {
    const [keyPem = '', certificatePem = '', issuerPem = ''] =
      readFileSync(path, 'utf8').match(/-----BEGIN ([A-Z ]+)-----[^-]+-----END \1-----\n/g) ?? [];
    const certificate = new X509Certificate(certificatePem);
    const issuer = new X509Certificate(issuerPem);
    const isGood =
      certificate.checkIP(address) !== undefined &&
      certificate.checkPrivateKey(createPrivateKey(keyPem)) &&
      certificate.verify(issuer.publicKey) &&
      Date.parse(certificate.validFrom) <= nowMs &&
      Date.parse(certificate.validTo) > nowMs + RENEWED_BEFORE_DAYS * DAY_MS;
    return isGood ? { keyPem, certificatePem, issuerPem, fingerprint: certificate.fingerprint256 } : null;
  } catch {
    return null;
  }
}

async function makeCertificate(address: string, nowMs: number): Promise<LanCertificate> {
  const [issuerKeys, keys] = await Promise.all([makeKeys(), makeKeys()]);
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const issuer = { organization: 'SimpleSim', commonName: `SimpleSim at ${address}, made ${today}` };
  const signed = {
    issuer,
    issuerKey: issuerKeys.privateKey,
    notBefore: new Date(nowMs - STARTS_EARLIER_DAYS * DAY_MS),
    notAfter: new Date(nowMs + (LIVES_DAYS - STARTS_EARLIER_DAYS) * DAY_MS),
  };
  const certificate = certificatePem({
    ...signed,
    subject: { organization: 'SimpleSim', commonName: address },
    publicKey: keys.publicKey,
    extensions: serverExtensions(keys.publicKey, issuerKeys.publicKey, address),
  });
  return {
    keyPem: String(keys.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    certificatePem: certificate,
    issuerPem: certificatePem({
      ...signed,
      subject: issuer,
      publicKey: issuerKeys.publicKey,
      extensions: authorityExtensions(issuerKeys.publicKey),
    }),
    fingerprint: new X509Certificate(certificate).fingerprint256,
  };
}

const makeKeys = () => promisify(generateKeyPair)('rsa', { modulusLength: RSA_BITS });
