import { createHash, randomBytes as random } from "node:crypto";

/** Makes the identifiers and keys of this process repeat from here on, so that two runs can be compared. */
export function repeatIds(): void {
  let count = 0;
  randomBytes = (size) => {
    count += 1;
    return createHash("sha512").update(String(count)).digest().subarray(0, size);
  };
}

let randomBytes = random as (size: number) => Buffer;

/** A new identifier as the service makes them: 24 hexadecimal digits. */
export const newId = (): string => randomBytes(12).toString("hex");

export const isId = (text: string): boolean => /^[0-9a-f]{24}$/i.test(text);

/** A new agentApiKey: 48 hexadecimal digits, so that it can never be taken for an identifier. */
export const newAgentApiKey = (): string => randomBytes(24).toString("hex");

/** A new ID and secret of a service account, in the form of Cloud Manager. */
export const newClientCredentials = (): { clientId: string; clientSecret: string } => ({
  clientId: `mdb_sa_id_${newId()}`,
  clientSecret: `mdb_sa_sk_${randomBytes(30).toString("base64url")}`,
});

/** A new key pair in the usual form: eight letters, and a UUID-like text. */
export function newKeyPair(): { publicKey: string; privateKey: string } {
  const letters = Array.from(randomBytes(8), (byte) => String.fromCharCode(97 + (byte % 26))).join("");
  const hex = randomBytes(16).toString("hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)];
  return { publicKey: letters, privateKey: parts.join("-") };
}
