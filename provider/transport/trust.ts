/** The authorities that a connection trusts, and the client certificate that it sends. */
import {
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type SecureContextOptions,
} from "node:tls";
import { messageOf } from "../text/errors";
import { WireFault } from "./wire";

export interface TrustSettings {
  /** One or more certificates in PEM. */
  readonly caCert?: string | undefined;
  readonly clientCert?: string | undefined;
  readonly clientKey?: string | undefined;
  readonly skipTlsVerification: boolean;
}

/** Options of `tls.connect`. */
interface Trust {
  /**
   * Created once: with some hundred authorities it takes 25 ms. undici would create one for each
   * connection.
   */
  readonly secureContext: SecureContext;
  readonly rejectUnauthorized: boolean;
}

/** The options for connections to the service. */
export function trustInService(settings: TrustSettings): Trust {
  const { clientCert, clientKey } = settings;
  return trust(settings, clientCert && clientKey ? { cert: clientCert, key: clientKey } : {});
}

/**
 * The options for connections to a proxy, which does not get the client certificate for the
 * service.
 */
export function trustInProxy(settings: TrustSettings): Trust {
  return trust(settings, {});
}

function trust(settings: TrustSettings, identity: { readonly cert?: string; readonly key?: string }): Trust {
  const { caCert, skipTlsVerification } = settings;
  const ca = skipTlsVerification ? [] : [...publicAuthorities(), ...(caCert === undefined ? [] : [caCert])];
  return {
    secureContext: contextOf({ minVersion: "TLSv1.2", ca, ...identity }),
    rejectUnauthorized: !skipTlsVerification,
  };
}

/**
 * Creates the TLS context. OpenSSL has rules of its own for certificates and keys, such as a
 * minimum size.
 */
function contextOf(options: SecureContextOptions): SecureContext {
  try {
    return createSecureContext(options);
  } catch (error) {
    throw new WireFault("untrusted", false, messageOf(error), {
      cause: error,
      advice: "One of caCert, clientCert and clientKey cannot be used.",
    });
  }
}

let known: readonly string[] | undefined;

/**
 * Node's own authorities, NODE_EXTRA_CA_CERTS, and those of the operating system, where
 * administrators put their company's authority. Node omits the latter unless it is started with
 * `--use-system-ca`. The authority in `caCert` is added, not a replacement: a proxy's certificate
 * may come from any of them.
 */
function publicAuthorities(): readonly string[] {
  known ??= [...new Set([...getCACertificates("default"), ...getCACertificates("system")])];
  return known;
}
