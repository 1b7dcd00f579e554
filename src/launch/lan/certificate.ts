import { createPrivateKey, generateKeyPair, randomBytes, X509Certificate } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { pki } from 'node-forge';

/** The certificate with which this machine proves to a phone that it is the intended one. */
export interface LanCertificate {
  /** A secret. */
  keyPem: string;
  certificatePem: string;
  /**
   * The certificate of the issuer, for phones that ask for it. Trust in it covers only this machine's certificate: the issuer's
   * key was thrown away when it had signed that one.
   */
  issuerPem: string;
  /** SHA-256 of the certificate, as browsers show it. */
  fingerprint: string;
}

/** Browsers take at most 398 days. */
const LIVES_DAYS = 397;
const RENEWED_BEFORE_DAYS = 30;
/** A phone's clock may be behind. */
const STARTS_EARLIER_DAYS = 1;
const DAY_MS = 86_400_000;
const RSA_BITS = 2_048;

/** Returns the file's name in the data folder; an address that returns finds the certificate that phones know. */
const fileName = (address: string): string => `lan-${address}.pem`;

/**
 * Returns the certificate for an address of this machine, kept in the data folder. A new one is made when there is none, when it
 * is about to expire, and when the kept one is damaged.
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
  // Loaded only where a certificate is made.
  const { default: forge } = await import('node-forge');
  const [issuerKeys, keys] = await Promise.all([makeKeys(), makeKeys()]);
  const issuerKey = forge.pki.privateKeyFromPem(issuerKeys.privateKey);
  const organisation = { name: 'organizationName', value: 'SimpleSim' };
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const issuerName = [organisation, { name: 'commonName', value: `SimpleSim at ${address}, made ${today}` }];

  const unsigned = (publicKeyPem: string, subject: pki.CertificateField[]): pki.Certificate => {
    const certificate = forge.pki.createCertificate();
    certificate.publicKey = forge.pki.publicKeyFromPem(publicKeyPem);
    // A number that begins with 01 is positive, as numbers of certificates must be.
    certificate.serialNumber = `01${randomBytes(15).toString('hex')}`;
    certificate.validity.notBefore = new Date(nowMs - STARTS_EARLIER_DAYS * DAY_MS);
    certificate.validity.notAfter = new Date(nowMs + (LIVES_DAYS - STARTS_EARLIER_DAYS) * DAY_MS);
    certificate.setSubject(subject);
    certificate.setIssuer(issuerName);
    return certificate;
  };
  const issuer = unsigned(issuerKeys.publicKey, issuerName);
  const keyIdentifier = issuer.generateSubjectKeyIdentifier().getBytes();
  issuer.setExtensions([
    { name: 'basicConstraints', critical: true, cA: true, pathLenConstraint: 0 },
    { name: 'keyUsage', critical: true, keyCertSign: true },
    { name: 'subjectKeyIdentifier' },
  ]);
  issuer.sign(issuerKey, forge.md.sha256.create());
  const certificate = unsigned(keys.publicKey, [organisation, { name: 'commonName', value: address }]);
  certificate.setExtensions([
    { name: 'basicConstraints', critical: true, cA: false },
    { name: 'keyUsage', critical: true, digitalSignature: true, keyEncipherment: true },
    { name: 'extKeyUsage', serverAuth: true },
    { name: 'subjectAltName', altNames: [{ type: 7, ip: address }] },
    { name: 'subjectKeyIdentifier' },
    { name: 'authorityKeyIdentifier', keyIdentifier },
  ]);
  certificate.sign(issuerKey, forge.md.sha256.create());
  const certificatePem = pemOf(forge.pki.certificateToPem(certificate));
  return {
    keyPem: keys.privateKey,
    certificatePem,
    issuerPem: pemOf(forge.pki.certificateToPem(issuer)),
    fingerprint: new X509Certificate(certificatePem).fingerprint256,
  };
}

const makeKeys = () =>
  promisify(generateKeyPair)('rsa', {
    modulusLength: RSA_BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

const pemOf = (text: string): string => text.replaceAll('\r\n', '\n');
