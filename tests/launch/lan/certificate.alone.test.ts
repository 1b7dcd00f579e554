/** The certificate for an address in the network: kept, private, renewed in time. */
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { takeDataFolder } from '../../../src/launch/data-folder.ts';
import { type LanCertificate, lanCertificate } from '../../../src/launch/lan/certificate.ts';
import { authorityExtensions, certificatePem } from '../../../src/launch/lan/x509.ts';

const ADDRESS = '192.168.1.7';
const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2030, 0, 15);
const dataDir = mkdtempSync(join(tmpdir(), 'simplesim-lan-'));
let made: LanCertificate;

beforeAll(async () => {
  made = await lanCertificate(dataDir, ADDRESS, NOW_MS);
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

it('the certificate is for this address alone, for a server, for just over a year, and its issuer can sign no other', () => {
  const certificate = new X509Certificate(made.certificatePem);
  expect(certificate.subjectAltName).toBe(`IP Address:${ADDRESS}`);
  expect([certificate.checkIP(ADDRESS), certificate.checkIP('192.168.1.8')]).toEqual([ADDRESS, undefined]);
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  expect(certificate.ca).toBe(false);
  expect(Date.parse(certificate.validFrom)).toBe(NOW_MS - DAY_MS);
  expect(Date.parse(certificate.validTo)).toBe(NOW_MS + 396 * DAY_MS);
  const issuer = new X509Certificate(made.issuerPem);
  expect([issuer.ca, certificate.checkIssued(issuer), certificate.verify(issuer.publicKey)]).toEqual([true, true, true]);
  expect(made.fingerprint).toBe(certificate.fingerprint256);
  // Of the keys, only that of the certificate is kept.
  const kept = readFileSync(join(dataDir, `lan-${ADDRESS}.pem`), 'utf8');
  expect(kept.match(/PRIVATE KEY-----\n(?=-----BEGIN|[^-])/g)).toHaveLength(2);
  expect(kept).toContain(made.keyPem);
});

it('the certificate lets the server sign handshakes and encipher keys, and its issuer sign certificates', () => {
  const bytesOf = (pem: string): string => new X509Certificate(pem).raw.toString('hex');
  // Critical, then the bits in an octet string.
  expect(bytesOf(made.certificatePem)).toContain('0603551d0f0101ff0404030205a0');
  expect(bytesOf(made.issuerPem)).toContain('0603551d0f0101ff040403020204');
});

it('the certificate has times that cross into 2050, from which on a year has four digits', () => {
  const [from, to] = [Date.UTC(2049, 11, 31, 23, 59, 59), Date.UTC(2050, 0, 1)];
  const keys = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const who = { organization: 'SimpleSim', commonName: 'a test' };
  const times = { notBefore: new Date(from), notAfter: new Date(to) };
  const pem = certificatePem({
    ...times,
    subject: who,
    publicKey: keys.publicKey,
    issuer: who,
    issuerKey: keys.privateKey,
    extensions: authorityExtensions(keys.publicKey),
  });
  const { validFrom, validTo, raw } = new X509Certificate(pem);
  expect([Date.parse(validFrom), Date.parse(validTo)]).toEqual([from, to]);
  expect(raw.toString('latin1')).toContain('\x17\x0d491231235959Z\x18\x0f20500101000000Z');
});

it('the certificate is kept in a file that its owner alone reads, and is found again', async () => {
  expect(readdirSync(dataDir)).toEqual([`lan-${ADDRESS}.pem`]);
  expect(statSync(join(dataDir, `lan-${ADDRESS}.pem`)).mode & 0o777).toBe(0o600);
  expect(await lanCertificate(dataDir, ADDRESS, NOW_MS + 365 * DAY_MS)).toEqual(made);
});

it('the certificate does not make a data folder look like one that contains other things', () => {
  chmodSync(dataDir, 0o755);
  takeDataFolder(dataDir);
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
});

it('each address has one certificate, so that a phone at home recognises it again', async () => {
  const office = await lanCertificate(dataDir, '10.0.0.5', NOW_MS);
  expect(office.fingerprint).not.toBe(made.fingerprint);
  expect((await lanCertificate(dataDir, ADDRESS, NOW_MS)).fingerprint).toBe(made.fingerprint);
});

it.each([
  ['it is about to expire', NOW_MS + 367 * DAY_MS, (text: string) => text],
  ['the clock was ahead when it was made', NOW_MS - 2 * DAY_MS, (text: string) => text],
  ['its file was cut off', NOW_MS, (text: string) => text.slice(0, -200)],
  ['its file is for another address', NOW_MS, () => readFileSync(join(dataDir, 'lan-10.0.0.5.pem'), 'utf8')],
  [
    'its key is not its own',
    NOW_MS,
    (text: string) => readFileSync(join(dataDir, 'lan-10.0.0.5.pem'), 'utf8').slice(0, 1704) + text.slice(1704),
  ],
  ['its file is empty', NOW_MS, () => ''],
])('the certificate is made again when %s', async (_, nowMs, change) => {
  const path = join(dataDir, `lan-${ADDRESS}.pem`);
  const before = readFileSync(path, 'utf8');
  writeFileSync(path, change(before));
  const next = await lanCertificate(dataDir, ADDRESS, nowMs);
  expect(next.fingerprint).not.toBe(made.fingerprint);
  expect(new X509Certificate(next.certificatePem).checkIP(ADDRESS)).toBe(ADDRESS);
  writeFileSync(path, before);
});
