/**
 * X.509 certificates (RFC 5280), as far as `--lan` needs them: Node reads certificates and signs, but does not create
 * certificates.
 */
import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto';

/** The content of a certificate. All keys are RSA. */
export interface CertificateContent {
  subject: Name;
  publicKey: KeyObject;
  issuer: Name;
  /** The private key of the issuer. */
  issuerKey: KeyObject;
  notBefore: Date;
  notAfter: Date;
  extensions: Extension[];
}
export interface Name {
  organization: string;
  commonName: string;
}
/** An extension in DER. */
export type Extension = Buffer;

/** The universal tags of DER (X.690). */
const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  none: 0x05,
  oid: 0x06,
  utf8: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
};
/** A field that is identified by its number in its structure: a value in place of its own tag, or a whole element. */
const field = (number: number, value: Buffer): Buffer => der(0x80 | number, value);
const element = (number: number, inner: Buffer): Buffer => der(0xa0 | number, inner);

/** The object identifiers, with the dotted form of the standards. */
const OID = {
  commonName: '550403', // 2.5.4.3
  organization: '55040a', // 2.5.4.10
  subjectKeyIdentifier: '551d0e', // 2.5.29.14
  keyUsage: '551d0f', // 2.5.29.15
  subjectAltName: '551d11', // 2.5.29.17
  basicConstraints: '551d13', // 2.5.29.19
  authorityKeyIdentifier: '551d23', // 2.5.29.35
  extendedKeyUsage: '551d25', // 2.5.29.37
  serverAuthentication: '2b06010505070301', // 1.3.6.1.5.5.7.3.1
  sha256WithRsa: '2a864886f70d01010b', // 1.2.840.113549.1.1.11
};

/** Returns an element in DER: tag, length and value. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  // A length from 128 on is written in as many bytes as it needs, after their number.
  const digits = value.length.toString(16);
  const size = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.from(value.length < 0x80 ? [tag, value.length] : [tag, 0x80 | size.length, ...size]), value]);
}

const sequence = (...parts: Buffer[]): Buffer => der(TAG.sequence, ...parts);
const oid = (hex: string): Buffer => der(TAG.oid, Buffer.from(hex, 'hex'));
const bits = (value: Buffer, unusedBits = 0): Buffer => der(TAG.bits, Buffer.from([unusedBits]), value);
const integer = (...bytes: number[]): Buffer => der(TAG.integer, Buffer.from(bytes));
const TRUE = der(TAG.boolean, Buffer.from([0xff]));

function name({ organization, commonName }: Name): Buffer {
  const part = (type: string, text: string): Buffer => der(TAG.set, sequence(oid(type), der(TAG.utf8, Buffer.from(text))));
  return sequence(part(OID.organization, organization), part(OID.commonName, commonName));
}

/** Returns a time, with a year of two digits before 2050, and of four from then on, as RFC 5280 demands. */
function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/\.\d+|\D/g, '');
  return date.getUTCFullYear() < 2050
    ? der(TAG.utcTime, Buffer.from(`${digits.slice(2)}Z`))
    : der(TAG.generalizedTime, Buffer.from(`${digits}Z`));
}

const extension = (type: string, value: Buffer, isCritical = false): Extension =>
  sequence(oid(type), ...(isCritical ? [TRUE] : []), der(TAG.octets, value));

/** Returns the 20 bytes that identify a key (RFC 7093, method 1). */
const keyIdentifier = (key: KeyObject): Buffer =>
  createHash('sha256')
    .update(key.export({ type: 'pkcs1', format: 'der' }))
    .digest()
    .subarray(0, 20);

/** Returns the extensions of an authority that may sign certificates, but no further authorities. */
export const authorityExtensions = (key: KeyObject): Extension[] => [
  extension(OID.basicConstraints, sequence(TRUE, integer(0)), true),
  // Bit 5: signs certificates.
  extension(OID.keyUsage, bits(Buffer.from([0b0000_0100]), 2), true),
  extension(OID.subjectKeyIdentifier, der(TAG.octets, keyIdentifier(key))),
];

/** Returns the extensions of a server at an IPv4 address. */
export const serverExtensions = (key: KeyObject, authorityKey: KeyObject, ipv4: string): Extension[] => [
  extension(OID.basicConstraints, sequence(), true),
  // Bits 0 and 2: signs handshakes, and encrypts keys.
  extension(OID.keyUsage, bits(Buffer.from([0b1010_0000]), 5), true),
  extension(OID.extendedKeyUsage, sequence(oid(OID.serverAuthentication))),
  extension(OID.subjectAltName, sequence(field(7, Buffer.from(ipv4.split('.').map(Number))))),
  extension(OID.subjectKeyIdentifier, der(TAG.octets, keyIdentifier(key))),
  extension(OID.authorityKeyIdentifier, sequence(field(0, keyIdentifier(authorityKey)))),
];

/** Returns a certificate as PEM, signed with SHA-256 and RSA. */
export function certificatePem(content: CertificateContent): string {
  const { subject, publicKey, issuer, issuerKey, notBefore, notAfter, extensions } = content;
  const algorithm = sequence(oid(OID.sha256WithRsa), der(TAG.none));
  const unsigned = sequence(
    element(0, integer(2)), // Version 3.
    // A number that begins with 01 is positive, as serial numbers of certificates must be.
    integer(1, ...randomBytes(15)),
    algorithm,
    name(issuer),
    sequence(time(notBefore), time(notAfter)),
    name(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    element(3, sequence(...extensions)),
  );
  const signed = sequence(unsigned, algorithm, bits(sign('sha256', unsigned, issuerKey)));
  const lines = signed.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}
