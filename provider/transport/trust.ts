/** Whom a connection believes, and what it shows of itself. */
import {
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type SecureContextOptions,
} from "node:tls";
import { messageOf } from "../errors";
import { WireFault } from "./wire";

export interface TrustSettings {
  /** One certificate or more in PEM. */
  readonly caCert?: string | undefined;
  readonly clientCert?: string | undefined;
  readonly clientKey?: string | undefined;
  readonly skipTlsVerification: boolean;
}

/** Options of `tls.connect`. */
export interface Trust {
  /** Made once: with some hundred authorities it takes 25 ms, and undici would have one made for each connection. */
  readonly secureContext: SecureContext;
  readonly rejectUnauthorized: boolean;
}

/** For connections to the service. */
export function trustInService(settings: TrustSettings): Trust {
  const { clientCert, clientKey } = settings;
  return trust(settings, clientCert && clientKey ? { cert: clientCert, key: clientKey } : {});
}

/** For connections to a proxy, which is not shown who we are to the service. */
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

/** OpenSSL has rules of its own for certificates and keys, such as a least size. */
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
 * Node's own authorities and NODE_EXTRA_CA_CERTS, and those of the operating system, which Node leaves out unless it is
 * started with `--use-system-ca`: administrators put their company's authority there. A private one from `caCert` comes
 * beside them, not instead: a proxy on the way may have a certificate of any of them.
 */
function publicAuthorities(): readonly string[] {
  known ??= [...new Set([...getCACertificates("default"), ...getCACertificates("system")])];
  return known;
}
