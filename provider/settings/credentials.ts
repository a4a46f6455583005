/** How the provider authenticates: with an API key, or as a service account of Cloud Manager. */

/** The two parts of an API key, for HTTP Digest. */
export interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** A service account of Cloud Manager. It authenticates with access tokens (RFC 6749 section 4.4). */
export interface ServiceAccount {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Address of the token endpoint, with its path. */
  readonly tokenUrl: string;
  /** Proxy for requests to `tokenUrl`; `undefined` for a direct connection. */
  readonly tokenProxyUrl: string | undefined;
}

/** Either an API key or a service account. */
export type Credentials =
  | (Readonly<KeyPair> & { readonly serviceAccount?: undefined })
  | {
      readonly publicKey?: undefined;
      readonly privateKey?: undefined;
      readonly serviceAccount: ServiceAccount;
    };

/** By what lists of the service show these credentials: the public key of an API key, the client ID of a service account. */
export function identityOf(credentials: Credentials): string {
  return credentials.serviceAccount === undefined
    ? credentials.publicKey
    : credentials.serviceAccount.clientId;
}

/** What authenticates, for messages: `API key abcdefgh`, `service account mdb_sa_id_...`. */
export function callerOf(credentials: Credentials): string {
  return `${credentials.serviceAccount ? "service account" : "API key"} ${identityOf(credentials)}`;
}
