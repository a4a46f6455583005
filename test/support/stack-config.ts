import { createCipheriv, pbkdf2, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { residents } from "./resident";

/** A value of the stack's configuration; `secret("...")` is stored encrypted, as `pulumi config set --secret` does. */
export type ConfigValue =
  | string
  | number
  | boolean
  | Secret
  | readonly unknown[]
  | { readonly [key: string]: unknown };

export class Secret {
  constructor(readonly plaintext: string) {}
}

export function secret(plaintext: string): Secret {
  return new Secret(plaintext);
}

/** Every stack of the tests has this passphrase; the salt belongs to it and was made by `pulumi stack init`. */
export const passphrase = "not a secret";
const salt = "uULA0a0SkWU=";
const encryptionSalt = `v1:${salt}:v1:47bZ9XzAI/FWx3D4:VEUfDNjTybdJzykfQ2mIXfvjc3j3eQ==`;

/**
 * The text of `Pulumi.<stack>.yaml`. Written here and not by `pulumi config set`, which takes half a second per value.
 */
export async function stackConfigFile(config: ReadonlyMap<string, ConfigValue>): Promise<string> {
  const entries = [...config].map(async ([key, value]) => [
    key,
    value instanceof Secret ? { secure: await encrypt(value.plaintext) } : value,
  ]);
  return JSON.stringify(
    { encryptionsalt: encryptionSalt, config: Object.fromEntries(await Promise.all(entries)) },
    null,
    2,
  );
}

/** The key is slow to derive on purpose (a million rounds). */
const deriveKey = () => promisify(pbkdf2)(passphrase, Buffer.from(salt, "base64"), 1_000_000, 32, "sha256");

/** `v1:<nonce>:<AES-256-GCM ciphertext and tag>`, as Pulumi's passphrase provider writes it. */
async function encrypt(plaintext: string): Promise<string> {
  const key = await residents().once("key of the passphrase", deriveKey);
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const sealed = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `v1:${nonce.toString("base64")}:${sealed.toString("base64")}`;
}
