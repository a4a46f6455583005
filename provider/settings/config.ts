/** Combines and checks the provider's settings. The parts are in `settings/`. */
import { ConfigurationError } from "../text/errors";
import { isProxyAddress, type Location, locate, tokenUrlFor } from "./address";
import { type Certificates, readCertificates } from "./certificates";
import type { Credentials, ServiceAccount } from "./credentials";
import {
  flag,
  isSet,
  type SettingName,
  type SettingValues,
  settingFaults,
  settingsInputs,
  standardSettings,
} from "./inputs";
import { originsOf, type SettingOrigin } from "./origins";
import { proxyFromEnvironment } from "./proxy";
import {
  chooseAddress,
  credentialsSourceIn,
  type GivenCredentials,
  orderedSources,
  readCredentials,
  type SettingsSources,
  sourceOfUnusedTokenUrl,
} from "./sources";

export { API_PATH, sameAddress } from "./address";
export { type Credentials, callerOf, identityOf, type ServiceAccount } from "./credentials";
export { type SettingName, settingFaults, settingsInputs } from "./inputs";
export { type SettingOrigin, secretValuesIn } from "./origins";
export type { SettingsSources } from "./sources";

/** Settings that are complete and checked. */
export type Settings = Credentials & CommonSettings;

interface CommonSettings
  extends Location,
    Readonly<Partial<Certificates>>,
    Readonly<typeof standardSettings> {
  /** Source of the API key or of the service account, for messages. */
  readonly keySource: string;
  readonly proxyUrl?: string | undefined;
  readonly requestsPerSecond?: number | undefined;
  /** The default of `orgId` for resources and lookups. */
  readonly orgId?: string | undefined;
}

/**
 * Combines the settings: provider argument, then stack config, then `OPSMANAGER_…`, then `MCLI_…`.
 * A proxy may also come from `HTTPS_PROXY` and similar variables.
 *
 * @throws ConfigurationError that names every missing and every invalid setting at once
 */
export function resolveSettings(sources: SettingsSources): Settings {
  const { settings, faults } = examineSettings(sources);
  if (settings) return settings;
  throw new ConfigurationError([
    "The settings of the opsmanager provider are incomplete or wrong:",
    ...faults.map((fault) => `  - ${fault}`),
  ]);
}

interface SettingsExamination {
  /** `undefined` if there are faults. */
  readonly settings: Settings | undefined;
  /** One sentence each, without secrets. */
  readonly faults: readonly string[];
  /** The source of each configured setting, valid or not. */
  readonly origins: readonly SettingOrigin[];
}

/** Does what `resolveSettings` does, and returns the faults instead of throwing. */
export function examineSettings(sources: SettingsSources): SettingsExamination {
  const ordered = orderedSources(sources);
  const faults: string[] = [];
  const source = credentialsSourceIn(ordered);
  const given = readCredentials(source, faults);
  const address = chooseAddress(ordered, source, faults);
  const values: SettingValues = {};
  for (const name of Object.keys(settingsInputs.shape) as SettingName[]) {
    values[name] = ordered.find((source) => isSet(source.values[name]))?.values[name];
  }
  const { publicKey, privateKey, clientId, clientSecret, tokenUrl } = given;
  Object.assign(values, { baseUrl: address, publicKey, privateKey, clientId, clientSecret, tokenUrl });
  faults.push(...settingFaults(values).map((fault) => fault.reason));
  const parsed = settingsInputs.safeParse(values);
  const insecureAllowed = flag.safeParse(values.allowInsecureHttp).data ?? false;
  const location = locate(address, insecureAllowed, faults);
  const certificates = readCertificates(values, sources.directory, faults);
  if (isSet(values.proxyUrl) && !isProxyAddress(String(values.proxyUrl).trim())) {
    faults.push("proxyUrl is not an address such as http://user:password@proxy.example.com:3128.");
  }
  const proxyFor = (origin: string) =>
    isSet(values.proxyUrl)
      ? String(values.proxyUrl).trim()
      : proxyFromEnvironment(sources.env, origin, faults);
  const proxyUrl = location && proxyFor(location.origin);
  const credentials = completeCredentials(given, () => {
    const url = tokenUrlFor(
      tokenUrl,
      location?.origin,
      insecureAllowed,
      sourceOfUnusedTokenUrl(ordered, source),
      faults,
    );
    const origin = url && new URL(url).origin;
    const tokenProxyUrl = origin && origin !== location?.origin ? proxyFor(origin) : proxyUrl;
    return url === undefined ? undefined : { tokenUrl: url, tokenProxyUrl };
  });
  const origins = originsOf(ordered, sources.env, location?.origin);
  if (faults.length > 0 || !parsed.success || !location || !credentials || !source) {
    return { settings: undefined, faults, origins };
  }
  const changed = Object.entries(parsed.data).filter(
    ([name, value]) => Object.hasOwn(standardSettings, name) && value !== undefined,
  );
  const settings: Settings = {
    ...location,
    ...credentials,
    keySource: source.label,
    ...certificates,
    proxyUrl,
    requestsPerSecond: parsed.data.requestsPerSecond,
    orgId: parsed.data.orgId,
    ...standardSettings,
    ...Object.fromEntries(changed),
  };
  return { settings, faults, origins };
}

/**
 * @param tokenEndpoint checks the address of the token endpoint, which only a service account has
 * @returns `undefined` if a part is missing or wrong
 */
function completeCredentials(
  { publicKey, privateKey, clientId, clientSecret }: GivenCredentials,
  tokenEndpoint: () => Pick<ServiceAccount, "tokenUrl" | "tokenProxyUrl"> | undefined,
): Credentials | undefined {
  if (publicKey !== undefined && privateKey !== undefined) return { publicKey, privateKey };
  if (clientId === undefined || clientSecret === undefined) return undefined;
  const endpoint = tokenEndpoint();
  return endpoint && { serviceAccount: { clientId, clientSecret, ...endpoint } };
}

/** Warnings about these settings in every run, with either provider. */
export function settingsWarnings({ skipTlsVerification }: Settings): string[] {
  return skipTlsVerification ? ["skipTlsVerification is on: the service's certificate is not checked."] : [];
}
