/**
 * Chooses the source of each setting (provider argument, stack config, environment), and which
 * keys belong to which address.
 */
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

/**
 * Settings of a default provider that the current stack config replaces: those that change when a
 * key is rotated.
 */
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
    maxRemovalsPerRun: "OPSMANAGER_MAX_REMOVALS_PER_RUN",
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
  return Object.fromEntries(Object.entries(variables ?? {}).map(([name, variable]) => [name, env[variable]]));
}

/**
 * Omits keys and the organization, which belong to another address. Those in the stack's config belong to the address in
 * the stack's config.
 */
function ownKeysOnly(stackConfig: SettingValues, args: SettingValues): SettingValues {
  if (!isSet(args.baseUrl) || !isSet(stackConfig.baseUrl)) return stackConfig;
  if (sameAddress(args.baseUrl, stackConfig.baseUrl)) return stackConfig;
  const {
    publicKey: _public,
    privateKey: _private,
    clientKey: _key,
    clientCert: _cert,
    orgId: _organization,
    ...rest
  } = stackConfig;
  return rest;
}

export interface Keys {
  readonly publicKey: string;
  readonly privateKey: string;
  readonly label: string;
  readonly family?: number | undefined;
}

/** The first source that has either half of the key pair; both halves come from one source. */
export function keySourceIn(sources: readonly Source[]): Source | undefined {
  return sources.find(({ values }) => isSet(values.publicKey) || isSet(values.privateKey));
}

export function chooseKeys(sources: readonly Source[], faults: string[]): Keys | undefined {
  const source = keySourceIn(sources);
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
  return `${missing} is missing: both parts of the key pair must come from one source, and ${present} comes from ${label}. Fix: ${fix}.`;
}

/** @param keys the chosen ones; an address of the environment must come from the same family */
export function addressSourceIn(
  sources: readonly Source[],
  keys: Pick<Keys, "family"> | undefined,
): Source | undefined {
  const usable = sources.filter(({ family }) => family === undefined || !keys || family === keys.family);
  return usable.find(({ values }) => isSet(values.baseUrl));
}

export function chooseAddress(
  sources: readonly Source[],
  keys: Keys | undefined,
  faults: string[],
): string | undefined {
  const source = addressSourceIn(sources, keys);
  if (source) return String(source.values.baseUrl).trim();
  const unused = sources.find(({ values }) => isSet(values.baseUrl));
  const hint = unused ? ` The address in ${unused.label} is used only with keys from there.` : "";
  faults.push(missingEverywhere("baseUrl") + hint);
  return undefined;
}
