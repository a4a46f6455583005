import type { TlsOptions } from "node:tls";
import { makeCertificate } from "./certificate";

/** How the API is served: `true` over TLS; `"mutual"`: and only to clients with a certificate of the same authority. */
export type TlsMode = boolean | "mutual";

/** What a client needs to know; all of it in PEM, made at start and good for a year. */
export interface TlsFacts {
  /** The authority that signed the certificates; undefined without TLS. */
  readonly caCert?: string;
  /** A client certificate and its key; undefined without mutual TLS. */
  readonly clientCert?: string;
  readonly clientKey?: string;
}

interface TlsParts {
  readonly facts: TlsFacts;
  /** `undefined`: plain HTTP. */
  readonly server?: TlsOptions;
}

/** An authority of its own for each sandbox, and what it signs: a server for the loopback address, a client. */
export function tlsParts(mode: TlsMode): TlsParts {
  if (mode === false) return { facts: {} };
  const issuer = makeCertificate({ subject: "Sandbox authority", isAuthority: true });
  const names = ["localhost", "127.0.0.1", "::1"];
  const own = makeCertificate({ subject: "Sandbox", names, issuer });
  const caCert = issuer.certificate;
  const server = { cert: own.certificate, key: own.privateKey };
  if (mode === true) return { facts: { caCert }, server };
  const client = makeCertificate({ subject: "Sandbox client", issuer });
  return {
    facts: { caCert, clientCert: client.certificate, clientKey: client.privateKey },
    server: { ...server, ca: caCert, requestCert: true, rejectUnauthorized: true },
  };
}
