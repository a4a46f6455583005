/**
 * The provider's settings: what can be set, where each value comes from, and what is wrong with them.
 *
 * The zod object is the one source of validation, of the package schema's provider block and of the README's table.
 */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { resolve } from "node:path";
import { z } from "zod";
import { ConfigurationError } from "./errors";

declare module "zod" {
  interface GlobalMeta {
    /** The value opens a door: encrypted in state, masked in output. */
    secret?: boolean;
    /** What holds when the property is left out, for documents; handlers apply it. */
    defaultText?: string;
    /** Name of an object type in the SDKs. */
    typeName?: string;
  }
}

/** The engine hands every setting of a default provider over as text, and others as JSON text (Node SDK, gen.go). */
function fromText<T extends z.ZodType>(type: T) {
  return z.preprocess((value) => {
    if (typeof value !== "string") return value;
    if (value.trim() === "") return undefined;
    try {
      const parsed: unknown = JSON.parse(value);
      return typeof parsed === "object" ? value : parsed;
    } catch {
      return value;
    }
  }, type);
}
const text = z.string("must be text").trim();
const flag = fromText(z.boolean("must be true or false"));
const wholeNumber = (least: number) =>
  fromText(z.int("must be a whole number").min(least, `must be ${least} or more`));
/** Timers count in 32 bits of milliseconds and fire at once beyond that. */
const MOST_SECONDS = 86_400;
const seconds = (least: number) =>
  fromText(
    z
      .int("must be a whole number")
      .min(least, `must be ${least} or more`)
      .max(MOST_SECONDS, `must be ${MOST_SECONDS} or less`),
  );

export const settingsInputs = z.strictObject({
  baseUrl: text.optional().meta({
    description:
      "Address of Ops Manager or Cloud Manager: `https://host:port`, with or without `/api/public/v1.0`. `http://` is accepted for loopback addresses only, unless `allowInsecureHttp` is set.",
  }),
  publicKey: text
    .regex(/^[!-~]*$/, "must not hold spaces or characters beyond ASCII")
    .optional()
    .meta({
      description: "Public part of the API key pair. Both parts come from the same source.",
    }),
  privateKey: text.optional().meta({ secret: true, description: "Private part of the API key pair." }),
  caCert: text.optional().meta({
    description:
      "Certificate of the authority that signed the service's certificate: PEM text, or the path of a PEM file, relative to the Pulumi program. Trusted besides the public authorities.",
  }),
  clientCert: text.optional().meta({
    description: "Client certificate for mutual TLS: PEM text, or the path of a PEM file.",
  }),
  clientKey: text.optional().meta({
    secret: true,
    description: "Private key of `clientCert`: PEM text, or the path of a PEM file.",
  }),
  proxyUrl: text.optional().meta({
    secret: true,
    description:
      "HTTP proxy to go through, with credentials where it asks for them: `http://user:password@host:port`.",
  }),
  skipTlsVerification: flag.optional().meta({
    defaultText: "false",
    description: "Accept any certificate. For trials only: whoever is between can read everything.",
  }),
  allowInsecureHttp: flag.optional().meta({
    defaultText: "false",
    description: "Allow `http://` to hosts other than loopback.",
  }),
  requestTimeoutSeconds: seconds(1).optional().meta({
    defaultText: "60",
    description: "Seconds until a request without a complete answer is given up.",
  }),
  maxRetries: wholeNumber(0).optional().meta({
    defaultText: "4",
    description: "Attempts after the first one, where a second attempt is safe. `0` means none.",
  }),
  maxConcurrentRequests: wholeNumber(1).optional().meta({
    defaultText: "16",
    description: "Requests under way at once.",
  }),
  requestsPerSecond: fromText(z.number("must be a number").positive("must be more than 0")).optional().meta({
    defaultText: "no limit",
    description: "Requests begun per second.",
  }),
  refreshBeforeUpdate: flag.optional().meta({
    defaultText: "true",
    description:
      "Look at every object before each `preview` and `up`, so that drift shows and heals without `--refresh`. Costs one request per object and run.",
  }),
  readCacheSeconds: seconds(0).optional().meta({
    defaultText: "30",
    description: "Seconds for which one list of people serves all reads of a refresh. `0` means always anew.",
  }),
});

export type SettingName = keyof z.output<typeof settingsInputs>;

/** Settings that are complete and checked. */
export interface Settings {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path before `/api/public/v1.0`; empty for most. */
  readonly pathPrefix: string;
  readonly publicKey: string;
  readonly privateKey: string;
  /** Where the keys came from, for messages. */
  readonly keySource: string;
  readonly caCert?: string | undefined;
  readonly clientCert?: string | undefined;
  readonly clientKey?: string | undefined;
  readonly proxyUrl?: string | undefined;
  readonly skipTlsVerification: boolean;
  readonly requestTimeoutSeconds: number;
  readonly maxRetries: number;
  readonly maxConcurrentRequests: number;
  readonly requestsPerSecond?: number | undefined;
  readonly refreshBeforeUpdate: boolean;
  readonly readCacheSeconds: number;
}

export interface SettingsSources {
  /** The provider resource's arguments; for a default provider the engine filled them from the stack's config. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Today's `opsmanager:` stack config, names without the prefix; `undefined` where the host does not give it. */
  readonly stackConfig?: Readonly<Record<string, unknown>> | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The engine made the provider itself: its arguments may be those of an earlier run, taken from state. */
  readonly isDefaultProvider: boolean;
  /** Folder that relative paths start from. */
  readonly directory: string;
}

const API_PATH = "/api/public/v1.0";

/** Reserved input keys of every provider resource (engine, providers/registry.go). */
const RESERVED = new Set(["version", "pluginDownloadURL", "__internal", "__defaults"]);
/** Settings that today's stack config replaces for a default provider: those that change when a key is rotated. */
const ROTATING: readonly SettingName[] = [
  "publicKey",
  "privateKey",
  "caCert",
  "clientCert",
  "clientKey",
  "proxyUrl",
  "skipTlsVerification",
];

/** Environment variables of this provider and of MongoDB's command-line tools. */
const ENVIRONMENTS = [
  {
    label: "the environment (OPSMANAGER_...)",
    baseUrl: "OPSMANAGER_BASE_URL",
    publicKey: "OPSMANAGER_PUBLIC_KEY",
    privateKey: "OPSMANAGER_PRIVATE_KEY",
    caCert: "OPSMANAGER_CA_CERT",
  },
  {
    label: "the environment (MCLI_...)",
    baseUrl: "MCLI_OPS_MANAGER_URL",
    publicKey: "MCLI_PUBLIC_API_KEY",
    privateKey: "MCLI_PRIVATE_API_KEY",
    caCert: "MCLI_OPS_MANAGER_CA_CERTIFICATE",
  },
] as const;

const ARGUMENTS = "the provider's arguments";

const HOW_TO_SET = {
  baseUrl: "pulumi config set opsmanager:baseUrl https://ops-manager.example.com:8443",
  publicKey: "pulumi config set opsmanager:publicKey <public key>",
  privateKey: "pulumi config set --secret opsmanager:privateKey <private key>",
} as const;

type Values = Partial<Record<SettingName, unknown>>;

interface Source {
  readonly label: string;
  readonly values: Values;
  /** An address from the environment goes only with keys of the same family: no key reaches a stray host. */
  readonly family?: number;
}

/** A fault of one setting. */
export interface SettingFault {
  readonly property: string;
  readonly reason: string;
}

/** Faults of shape alone, for CheckConfig; values the engine does not know yet must be left out before. */
export function settingFaults(values: Readonly<Record<string, unknown>>): SettingFault[] {
  const parsed = settingsInputs.safeParse(withoutReserved(values));
  if (parsed.success) return [];
  return parsed.error.issues.flatMap((issue): SettingFault[] =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({ property: key, reason: `${key} is not a setting of this provider.` }))
      : [{ property: String(issue.path[0] ?? ""), reason: `${issue.path.join(".")} ${issue.message}.` }],
  );
}

/**
 * Brings the settings together: provider argument, then stack config, then `OPSMANAGER_…`, then `MCLI_…`.
 *
 * @throws ConfigurationError that names every missing and every wrong setting at once
 */
export function resolveSettings(sources: SettingsSources): Settings {
  const ordered = orderedSources(sources);
  const faults: string[] = [];
  const keys = chooseKeys(ordered, faults);
  const address = chooseAddress(ordered, keys, faults);
  const values: Values = {};
  for (const name of Object.keys(settingsInputs.shape) as SettingName[]) {
    values[name] = ordered.find((source) => isSet(source.values[name]))?.values[name];
  }
  Object.assign(values, { baseUrl: address, publicKey: keys?.publicKey, privateKey: keys?.privateKey });
  faults.push(...settingFaults(values).map((fault) => fault.reason));
  const parsed = settingsInputs.safeParse(values);
  const location = locate(address, flag.safeParse(values.allowInsecureHttp).data ?? false, faults);
  const certificates = readCertificates(values, sources.directory, faults);
  if (isSet(values.proxyUrl) && !isProxyAddress(String(values.proxyUrl).trim())) {
    faults.push("proxyUrl is not an address such as http://user:password@proxy.example.com:3128.");
  }
  if (faults.length > 0 || !parsed.success || !location || !keys) {
    throw new ConfigurationError(
      `The opsmanager provider is not configured:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`,
    );
  }
  return {
    ...location,
    publicKey: keys.publicKey,
    privateKey: keys.privateKey,
    keySource: keys.label,
    ...certificates,
    proxyUrl: parsed.data.proxyUrl,
    skipTlsVerification: parsed.data.skipTlsVerification ?? false,
    requestTimeoutSeconds: parsed.data.requestTimeoutSeconds ?? 60,
    maxRetries: parsed.data.maxRetries ?? 4,
    maxConcurrentRequests: parsed.data.maxConcurrentRequests ?? 16,
    requestsPerSecond: parsed.data.requestsPerSecond,
    refreshBeforeUpdate: parsed.data.refreshBeforeUpdate ?? true,
    readCacheSeconds: parsed.data.readCacheSeconds ?? 30,
  };
}

/** True when two addresses mean the same service, however they are written. */
export function sameAddress(one: unknown, other: unknown): boolean {
  if (!isSet(one) || !isSet(other)) return isSet(one) === isSet(other);
  const canonical = (value: unknown) => {
    const location = locate(String(value), true, []);
    return location ? location.origin + location.pathPrefix : String(value);
  };
  return canonical(one) === canonical(other);
}

function orderedSources({ args, stackConfig, env, isDefaultProvider }: SettingsSources): Source[] {
  const given = withoutReserved(args);
  const environments = ENVIRONMENTS.map((names, family) => ({
    label: names.label,
    family,
    values: {
      baseUrl: env[names.baseUrl],
      publicKey: env[names.publicKey],
      privateKey: env[names.privateKey],
      caCert: env[names.caCert],
    },
  }));
  if (!stackConfig) return [{ label: ARGUMENTS, values: given }, ...environments];
  if (!isDefaultProvider) {
    return [
      { label: ARGUMENTS, values: given },
      { label: "the stack's config", values: ownKeysOnly(stackConfig, given) },
      ...environments,
    ];
  }
  // On refresh and destroy the engine configures a default provider with the settings in state. A key that was
  // rotated since is refused, so today's config takes its place wherever it is for the same service.
  if (!sameAddress(stackConfig.baseUrl, given.baseUrl)) {
    return [{ label: "the stack's config (as recorded in state)", values: given }, ...environments];
  }
  const current: Values = { ...given };
  for (const name of ROTATING) current[name] = stackConfig[name];
  return [{ label: "the stack's config", values: current }, ...environments];
}

/** Keys in the stack's config belong to the address in the stack's config; another address gets none of them. */
function ownKeysOnly(stackConfig: Values, args: Values): Values {
  if (!isSet(args.baseUrl) || !isSet(stackConfig.baseUrl)) return stackConfig;
  if (sameAddress(args.baseUrl, stackConfig.baseUrl)) return stackConfig;
  const {
    publicKey: _public,
    privateKey: _private,
    clientKey: _key,
    clientCert: _cert,
    ...rest
  } = stackConfig;
  return rest;
}

interface Keys {
  readonly publicKey: string;
  readonly privateKey: string;
  readonly label: string;
  readonly family?: number | undefined;
}

function chooseKeys(sources: readonly Source[], faults: string[]): Keys | undefined {
  const source = sources.find(({ values }) => isSet(values.publicKey) || isSet(values.privateKey));
  if (!source) {
    faults.push(...(["publicKey", "privateKey"] as const).map(missingEverywhere));
    return undefined;
  }
  const { publicKey, privateKey } = source.values;
  if (!isSet(privateKey)) faults.push(missingHalf("privateKey", "publicKey", source));
  if (!isSet(publicKey)) faults.push(missingHalf("publicKey", "privateKey", source));
  if (!isSet(publicKey) || !isSet(privateKey)) return undefined;
  return {
    publicKey: String(publicKey).trim(),
    privateKey: String(privateKey).trim(),
    label: source.label,
    family: source.family,
  };
}

function missingEverywhere(name: keyof typeof HOW_TO_SET): string {
  const names = ENVIRONMENTS.map((environment) => environment[name]).join(", ");
  return `${name} is missing: ${HOW_TO_SET[name]}   (or ${names}).`;
}

function missingHalf(missing: keyof typeof HOW_TO_SET, present: string, { label, family }: Source): string {
  const names = family === undefined ? undefined : ENVIRONMENTS[family];
  const fix = names
    ? `set ${names[missing]}`
    : label === ARGUMENTS
      ? "give both to the provider"
      : HOW_TO_SET[missing];
  return `${missing} is missing: both parts of the key pair come from one source, and ${present} comes from ${label}: ${fix}.`;
}

function chooseAddress(
  sources: readonly Source[],
  keys: Keys | undefined,
  faults: string[],
): string | undefined {
  const usable = sources.filter(({ family }) => family === undefined || !keys || family === keys.family);
  const source = usable.find(({ values }) => isSet(values.baseUrl));
  if (source) return String(source.values.baseUrl).trim();
  const stray = sources.find(({ values }) => isSet(values.baseUrl));
  const hint = stray ? ` The address in ${stray.label} is used only with keys from there.` : "";
  faults.push(missingEverywhere("baseUrl") + hint);
  return undefined;
}

interface Location {
  readonly origin: string;
  readonly pathPrefix: string;
}

function locate(
  address: string | undefined,
  insecureAllowed: boolean,
  faults: string[],
): Location | undefined {
  if (address === undefined) return undefined;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    faults.push("baseUrl is not an address such as https://ops-manager.example.com:8443.");
    return undefined;
  }
  if (url.username || url.password) {
    faults.push("baseUrl holds credentials; they belong in publicKey and privateKey.");
  }
  if (url.search || url.hash) faults.push("baseUrl must not have a query or a fragment.");
  if (url.protocol === "http:" && !insecureAllowed && !isLoopback(url.hostname)) {
    faults.push(
      `baseUrl uses http:// to ${url.hostname}: whoever is between can read and change everything. Use https://, or set allowInsecureHttp to true if that is meant.`,
    );
  }
  const path = url.pathname.replace(/\/+$/, "");
  return {
    origin: url.origin,
    pathPrefix: path.endsWith(API_PATH) ? path.slice(0, -API_PATH.length) : path,
  };
}

function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

/** Not shown in messages, because it may hold a password. */
function isProxyAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password } = new URL(address);
  return /^https?:$/.test(protocol) && attempt(() => decodeURIComponent(username + password)) !== undefined;
}

type Certificates = Pick<Settings, "caCert" | "clientCert" | "clientKey">;

function readCertificates(values: Values, directory: string, faults: string[]): Certificates {
  if (isSet(values.clientCert) !== isSet(values.clientKey)) faults.push(missingCounterpart(values));
  const read = (name: keyof Certificates, isRight: (pem: string) => unknown) => {
    const value = values[name];
    if (typeof value !== "string" || !isSet(value)) return undefined;
    const isText = value.includes("-----BEGIN");
    const path = resolve(directory, value.trim());
    const pem = isText ? value.trim() : attempt(() => readFileSync(path, "utf8"));
    if (pem !== undefined && attempt(() => isRight(pem))) return pem;
    const what = name === "clientKey" ? "private key" : "certificate";
    // What should be a path may be the key itself, pasted without its first line: it is not shown.
    const place = isText || name === "clientKey" ? "" : ` (${path})`;
    faults.push(
      pem === undefined
        ? `${name} is neither PEM text nor the path of a file that can be read${place}.`
        : `${name} does not hold a ${what} in PEM form${place}.`,
    );
    return undefined;
  };
  return {
    caCert: read("caCert", (pem) => new X509Certificate(pem)),
    clientCert: read("clientCert", (pem) => new X509Certificate(pem)),
    clientKey: read("clientKey", createPrivateKey),
  };
}

function missingCounterpart({ clientKey }: Values): string {
  return isSet(clientKey)
    ? "clientCert is missing: clientKey is of no use without it: pulumi config set opsmanager:clientCert <file>."
    : "clientKey is missing: clientCert is of no use without it: pulumi config set --secret opsmanager:clientKey <file>.";
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

function withoutReserved(values: Readonly<Record<string, unknown>>): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !RESERVED.has(name)));
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && (typeof value !== "string" || value.trim() !== "");
}
