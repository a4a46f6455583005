/**
 * X.509 certificates for TLS on the loopback address, made at start: ECDSA P-256, written from RFC 5280.
 *
 * Node reads certificates but makes none, and the packages that do bring a dozen others into what users install.
 */
import { createHash, createPublicKey, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";

/** A certificate with its private key, both in PEM. */
export interface Certificate {
  /** Common name. */
  readonly subject: string;
  readonly certificate: string;
  readonly privateKey: string;
}

export interface CertificateWish {
  /** Common name. */
  readonly subject: string;
  /** Host names and IP addresses; default: none. */
  readonly names?: readonly string[];
  /** It may sign others; default: it may not. */
  readonly isAuthority?: boolean;
  /** Who signs it; default: itself. */
  readonly issuer?: Certificate;
  /** Default: an hour ago, for clocks that differ. */
  readonly validFrom?: Date;
  /** Default: a year from now. */
  readonly validTo?: Date;
}

const HOUR = 3_600_000;
const YEAR = 365 * 24 * HOUR;

const tags = {
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  utcTime: 0x17,
  time: 0x18,
  sequence: 0x30,
  set: 0x31,
};
const oids = {
  ecdsaWithSha256: "2a8648ce3d040302",
  commonName: "550403",
  subjectKeyIdentifier: "551d0e",
  keyUsage: "551d0f",
  subjectAltName: "551d11",
  basicConstraints: "551d13",
  authorityKeyIdentifier: "551d23",
} as const;
const TRUE = Buffer.from([0x01, 0x01, 0xff]);

export function makeCertificate(wish: CertificateWish): Certificate {
  const { subject, issuer, isAuthority = false, names = [] } = wish;
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const own = { subject, privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
  const publicInfo = publicKey.export({ type: "spki", format: "der" });
  const signer = issuer ?? own;
  const algorithm = der(tags.sequence, oid(oids.ecdsaWithSha256));
  const body = der(
    tags.sequence,
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    nameOf(signer.subject),
    der(
      tags.sequence,
      time(wish.validFrom ?? new Date(Date.now() - HOUR)),
      time(wish.validTo ?? new Date(Date.now() + YEAR)),
    ),
    nameOf(subject),
    publicInfo,
    der(0xa3, der(tags.sequence, ...extensions(publicInfo, isAuthority, names, issuer))),
  );
  const signature = sign("sha256", body, signer.privateKey);
  return { ...own, certificate: pem(der(tags.sequence, body, algorithm, bits(signature, 0))) };
}

function extensions(
  publicInfo: Buffer,
  isAuthority: boolean,
  names: readonly string[],
  issuer: Certificate | undefined,
): Buffer[] {
  const keyId = keyIdOf(publicInfo);
  return [
    extension(oids.basicConstraints, der(tags.sequence, ...(isAuthority ? [TRUE] : [])), TRUE),
    // keyCertSign and cRLSign, or digitalSignature.
    extension(oids.keyUsage, isAuthority ? bits(Buffer.from([0x06]), 1) : bits(Buffer.from([0x80]), 7), TRUE),
    extension(oids.subjectKeyIdentifier, der(tags.octets, keyId)),
    ...(issuer
      ? [extension(oids.authorityKeyIdentifier, der(tags.sequence, der(0x80, keyIdOf(publicInfoOf(issuer)))))]
      : []),
    ...(names.length > 0 ? [extension(oids.subjectAltName, der(tags.sequence, ...names.map(altName)))] : []),
  ];
}

function extension(id: string, value: Buffer, critical: Buffer = Buffer.alloc(0)): Buffer {
  return der(tags.sequence, oid(id), critical, der(tags.octets, value));
}

/** RFC 5280 section 4.2.1.2: SHA-1 of the key itself, which is the end of an uncompressed P-256 key's information. */
function keyIdOf(publicInfo: Buffer): Buffer {
  return createHash("sha1").update(publicInfo.subarray(-65)).digest();
}

function publicInfoOf({ privateKey }: Certificate): Buffer {
  return createPublicKey(privateKey).export({ type: "spki", format: "der" });
}

/** A dNSName or an iPAddress. */
function altName(name: string): Buffer {
  const family = isIP(name);
  if (family === 0) return der(0x82, Buffer.from(name, "ascii"));
  return der(0x87, family === 4 ? Buffer.from(name.split(".").map(Number)) : ipv6Bytes(name));
}

/** Without the mixed notation, such as `::ffff:192.0.2.1`. */
function ipv6Bytes(address: string): Buffer {
  const [head = [], tail = []] = address.split("::").map((half) => half.split(":").filter(Boolean));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  return Buffer.from([...head, ...zeros, ...tail].map((group) => group.padStart(4, "0")).join(""), "hex");
}

function nameOf(commonName: string): Buffer {
  const text = der(tags.utf8, Buffer.from(commonName, "utf8"));
  return der(tags.sequence, der(tags.set, der(tags.sequence, oid(oids.commonName), text)));
}

/** RFC 5280 section 4.1.2.5: two digits for the year until 2049. */
function time(date: Date): Buffer {
  const digits = `${date.toISOString().replace(/\D/g, "").slice(0, 14)}Z`;
  return date.getUTCFullYear() < 2050
    ? der(tags.utcTime, Buffer.from(digits.slice(2), "ascii"))
    : der(tags.time, Buffer.from(digits, "ascii"));
}

function integer(bytes: Buffer): Buffer {
  return der(tags.integer, bytes);
}

function oid(hex: string): Buffer {
  return der(tags.oid, Buffer.from(hex, "hex"));
}

function bits(bytes: Buffer, unused: number): Buffer {
  return der(tags.bits, Buffer.from([unused]), bytes);
}

/** Tag, length, contents. */
function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const body = Buffer.concat(contents);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const length = Buffer.from(body.length.toString(16).padStart(body.length > 0xff ? 4 : 2, "0"), "hex");
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body]);
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}
