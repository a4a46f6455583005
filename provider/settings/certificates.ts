/** Certificates and their keys: PEM text, or the path of a PEM file. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { attempt } from "../attempt";
import { isSet, type SettingValues } from "./inputs";

export interface Certificates {
  readonly caCert: string | undefined;
  readonly clientCert: string | undefined;
  readonly clientKey: string | undefined;
}

export function readCertificates(values: SettingValues, directory: string, faults: string[]): Certificates {
  if (isSet(values.clientCert) !== isSet(values.clientKey)) faults.push(missingCounterpart(values));
  const read = (name: keyof Certificates, isRight: (pem: string) => unknown) => {
    const value = values[name];
    if (typeof value !== "string" || !isSet(value)) return undefined;
    const given = pemIn(value);
    const path = resolve(directory, value.trim());
    const text = given ?? attempt(() => readFileSync(path, "utf8"));
    const pem = text === undefined ? undefined : (pemIn(text) ?? text);
    if (pem !== undefined && attempt(() => isRight(pem))) return pem;
    const what = name === "clientKey" ? "private key" : "certificate";
    const isPath = given === undefined && name !== "clientKey" && mayBePath(value.trim());
    const location = isPath ? ` (${path})` : "";
    faults.push(
      pem === undefined
        ? `${name} is neither PEM text nor the path of a readable file${location}.`
        : `${name} does not contain a ${what} in PEM form${location}.`,
    );
    return undefined;
  };
  const certificates = {
    caCert: read("caCert", everyCertificate),
    clientCert: read("clientCert", everyCertificate),
    clientKey: read("clientKey", createPrivateKey),
  };
  if (!isPair(certificates)) {
    faults.push(
      "clientKey does not belong to clientCert. If clientCert contains several certificates, put the client's own first.",
    );
  }
  return certificates;
}

/**
 * The PEM in a text, as CI systems and `.env` files pass it on: also in quotes, indented, in Base64, or with `\\n` as two
 * characters. OpenSSL skips a certificate that does not begin its line, without an error.
 */
function pemIn(text: string): string | undefined {
  const plain = text.includes("-----BEGIN") ? text : Buffer.from(text, "base64").toString();
  if (!plain.includes("-----BEGIN")) return undefined;
  return plain
    .replace(/(?:\\r)?\\n/g, "\n")
    .replace(/^[ \t"']+|[ \t"']+$/gm, "")
    .trim();
}

/** Whether a value is printed as a path: it may be a certificate or a key that lost its first line. */
function mayBePath(value: string): boolean {
  return value.length <= 255 && !/[\r\n]|\\n|^[\w+/=-]{40,}$/.test(value);
}

const CERTIFICATE =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[\s\S]*?-----END [A-Z0-9 ]*CERTIFICATE-----/g;

/**
 * Checks each certificate. Node reads only the first of several, and TLS skips those that it
 * cannot read, so a damaged second one would cause no error.
 */
function everyCertificate(pem: string): boolean {
  return certificatesIn(pem).length > 0;
}

/** @throws Node's error for a certificate that cannot be read */
export function certificatesIn(pem: string): X509Certificate[] {
  return (pem.match(CERTIFICATE) ?? []).map((block) => new X509Certificate(block));
}

function isPair({ clientCert, clientKey }: Certificates): boolean {
  if (clientCert === undefined || clientKey === undefined) return true;
  return new X509Certificate(clientCert).checkPrivateKey(createPrivateKey(clientKey));
}

function missingCounterpart({ clientKey }: SettingValues): string {
  return isSet(clientKey)
    ? "clientCert is missing: clientKey requires it. Run: pulumi config set opsmanager:clientCert <file>."
    : "clientKey is missing: clientCert requires it. Run: pulumi config set --secret opsmanager:clientKey <file>.";
}
