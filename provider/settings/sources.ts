/**
 * Chooses the source of each setting (provider argument, stack config, environment), and which
 * credentials belong to which address.
 */

import { own } from "../text/own";
import { sameAddress } from "./address";
import { isSet, type SettingName, type SettingValues, withoutReserved } from "./inputs";

export interface SettingsSources {
  /**
   * The provider resource's arguments. The engine fills those of a default provider from the
   * stack's config.
   */
  readonly args: Readonly<Record<string, unknown>>;
  /**
   * The current `opsmanager:` stack config, names without the prefix; `undefined` if the host does
   * not pass it.
   */
  readonly stackConfig?: Readonly<Record<string, unknown>> | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * The engine created the provider itself, so its arguments may come from an earlier run, through
   * state.
   */
  readonly isDefaultProvider: boolean;
  /** Base folder of relative paths. */
  readonly directory: string;
}

/** The two parts of each kind of credentials: of an API key, and of a service account. */
const PAIRS = [
  { id: "publicKey", secret: "privateKey", what: "the key pair" },
  { id: "clientId", secret: "clientSecret", what: "the service account" },
] as const;

/** Settings that only count together, from one source. */
const OF_CREDENTIALS: readonly SettingName[] = [
  ...PAIRS.flatMap(({ id, secret }) => [id, secret]),
  "tokenUrl",
];

export function isOfCredentials(name: SettingName): boolean {
  return OF_CREDENTIALS.includes(name);
}

/**
 * Settings of a default provider that the current stack config replaces: those that change when a
 * key is rotated.
 */
const ROTATING: readonly SettingName[] = [
  ...OF_CREDENTIALS,
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
    clientId: "OPSMANAGER_CLIENT_ID",
    clientSecret: "OPSMANAGER_CLIENT_SECRET",
    tokenUrl: "OPSMANAGER_TOKEN_URL",
    caCert: "OPSMANAGER_CA_CERT",
    maxRemovalsPerRun: "OPSMANAGER_MAX_REMOVALS_PER_RUN",
  },
  {
    label: "the environment (MCLI_...)",
    baseUrl: "MCLI_OPS_MANAGER_URL",
    publicKey: "MCLI_PUBLIC_API_KEY",
    privateKey: "MCLI_PRIVATE_API_KEY",
    caCert: "MCLI_OPS_MANAGER_CA_CERTIFICATE",
  },
] as const satisfies readonly ({ readonly label: string } & NonNullable<Source["variables"]>)[];

const ARGUMENTS = "the provider's arguments";

const HOW_TO_SET = {
  baseUrl: "pulumi config set opsmanager:baseUrl https://ops-manager.example.com:8443",
  publicKey: "pulumi config set opsmanager:publicKey <public key>",
  privateKey: "pulumi config set --secret opsmanager:privateKey <private key>",
  clientId: "pulumi config set opsmanager:clientId <client ID>",
  clientSecret: "pulumi config set --secret opsmanager:clientSecret <client secret>",
} as const;

export interface Source {
  readonly label: string;
  readonly values: SettingValues;
  /**
   * An address from the environment is used only with keys of the same family, so no key is sent
   * to the wrong host.
   */
  readonly family?: number;
  /** Names of the environment variables, if the source is the environment. */
  readonly variables?: Readonly<Partial<Record<SettingName, string>>>;
}

export function orderedSources({ args, stackConfig, env, isDefaultProvider }: SettingsSources): Source[] {
  const given = withoutReserved(args);
  const environments = ENVIRONMENTS.map(({ label, ...variables }, family) => ({
    label,
    family,
    variables,
    values: valuesOf(variables, env),
  }));
  if (!stackConfig) return [{ label: ARGUMENTS, values: given }, ...environments];
  if (!isDefaultProvider) {
    return [
      { label: ARGUMENTS, values: given },
      { label: "the stack's config", values: ownKeysOnly(stackConfig, given) },
      ...environments,
    ];
  }
  // On refresh and destroy the engine configures a default provider with the settings in state.
  // The service rejects a key that was rotated since. The current config therefore replaces it if
  // it is for the same service.
  if (!sameAddress(stackConfig.baseUrl, given.baseUrl)) {
    return [{ label: "the stack's config (as recorded in state)", values: given }, ...environments];
  }
  const current: SettingValues = { ...given };
  for (const name of ROTATING) current[name] = stackConfig[name];
  return [{ label: "the stack's config", values: current }, ...environments];
}

function valuesOf(variables: Source["variables"], env: SettingsSources["env"]): SettingValues {
  return Object.fromEntries(
    Object.entries(variables ?? {}).map(([name, variable]) => [name, own(env, variable)]),
  );
}

/**
 * Omits credentials and the organization, which belong to another address. Those in the stack's
 * config belong to the address in the stack's config.
 */
function ownKeysOnly(stackConfig: SettingValues, args: SettingValues): SettingValues {
  if (!isSet(args.baseUrl) || !isSet(stackConfig.baseUrl)) return stackConfig;
  if (sameAddress(args.baseUrl, stackConfig.baseUrl)) return stackConfig;
  const excluded = new Set<string>([...OF_CREDENTIALS, "clientKey", "clientCert", "orgId"]);
  return Object.fromEntries(Object.entries(stackConfig).filter(([name]) => !excluded.has(name)));
}

/** The settings of one kind of credentials, as their source has them. */
export interface GivenCredentials {
  readonly publicKey?: string | undefined;
  readonly privateKey?: string | undefined;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly tokenUrl?: string | undefined;
}

/** The first source that has a part of an API key or of a service account: all parts come from it. */
export function credentialsSourceIn(sources: readonly Source[]): Source | undefined {
  return sources.find((source) => PAIRS.some((pair) => hasPart(source, pair)));
}

function hasPart({ values }: Source, { id, secret }: (typeof PAIRS)[number]): boolean {
  return isSet(values[id]) || isSet(values[secret]);
}

/** @param source from `credentialsSourceIn`; `undefined` if no source has credentials */
export function readCredentials(source: Source | undefined, faults: string[]): GivenCredentials {
  if (!source) {
    faults.push(...(["publicKey", "privateKey"] as const).map(missingEverywhere));
    return {};
  }
  const { values, label } = source;
  const [pair, other] = PAIRS.filter((each) => hasPart(source, each));
  if (!pair || other) {
    faults.push(
      `Both an API key (publicKey or privateKey) and a service account (clientId or clientSecret) are set in ${label}. Remove one of the two.`,
    );
    return {};
  }
  const missing = [pair.secret, pair.id].filter((name) => !isSet(values[name]));
  faults.push(...missing.map((name) => missingHalf(name, pair, source)));
  if (pair.id === "publicKey" && isSet(values.tokenUrl)) {
    faults.push(
      "tokenUrl is set, but an API key needs no token. Remove it, or set clientId and clientSecret instead of the key.",
    );
  }
  const given = OF_CREDENTIALS.filter((name) => isSet(values[name]));
  return Object.fromEntries(given.map((name) => [name, String(values[name]).trim()]));
}

/** The label of a source whose tokenUrl is not used: the credentials come from another source. */
export function sourceOfUnusedTokenUrl(
  sources: readonly Source[],
  credentials: Source | undefined,
): string | undefined {
  return sources.find((source) => source !== credentials && isSet(source.values.tokenUrl))?.label;
}

type PartOfCredentials = Exclude<keyof typeof HOW_TO_SET, "baseUrl">;

function missingEverywhere(name: keyof typeof HOW_TO_SET): string {
  const names = ENVIRONMENTS.map((environment: Source["variables"]) => environment?.[name]).join(", ");
  return `${name} is missing: ${HOW_TO_SET[name]}   (or ${names}).`;
}

function missingHalf(
  missing: PartOfCredentials,
  { id, secret, what }: (typeof PAIRS)[number],
  { label, variables }: Source,
): string {
  const fix = variables?.[missing]
    ? `set ${variables[missing]}`
    : label === ARGUMENTS
      ? "give both to the provider"
      : HOW_TO_SET[missing];
  return `${missing} is missing: both parts of ${what} must come from one source, and ${missing === id ? secret : id} comes from ${label}. Fix: ${fix}.`;
}

/** @param credentials their source; an address of the environment must come from the same family */
export function addressSourceIn(
  sources: readonly Source[],
  credentials: Source | undefined,
): Source | undefined {
  const usable = sources.filter(
    ({ family }) => family === undefined || !credentials || family === credentials.family,
  );
  return usable.find(({ values }) => isSet(values.baseUrl));
}

export function chooseAddress(
  sources: readonly Source[],
  credentials: Source | undefined,
  faults: string[],
): string | undefined {
  const source = addressSourceIn(sources, credentials);
  if (source) return String(source.values.baseUrl).trim();
  const unused = sources.find(({ values }) => isSet(values.baseUrl));
  const hint = unused ? ` The address in ${unused.label} is used only with credentials from there.` : "";
  faults.push(missingEverywhere("baseUrl") + hint);
  return undefined;
}
