/** Combines and checks the provider's settings. The parts are in `settings/`. */
import { ConfigurationError } from "../text/errors";
import { isProxyAddress, type Location, locate } from "./address";
import { type Certificates, readCertificates } from "./certificates";
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
import { chooseAddress, chooseKeys, orderedSources, type SettingsSources } from "./sources";

export { API_PATH, sameAddress } from "./address";
export { type SettingName, settingFaults, settingsInputs } from "./inputs";
export { type SettingOrigin, secretValuesIn } from "./origins";
export type { SettingsSources } from "./sources";

/** Settings that are complete and checked. */
export interface Settings
  extends Location,
    Readonly<Partial<Certificates>>,
    Readonly<typeof standardSettings> {
  readonly publicKey: string;
  readonly privateKey: string;
  /** Source of the keys, for messages. */
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
  const keys = chooseKeys(ordered, faults);
  const address = chooseAddress(ordered, keys, faults);
  const values: SettingValues = {};
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
  const fromEnvironment =
    location && !isSet(values.proxyUrl)
      ? proxyFromEnvironment(sources.env, location.origin, faults)
      : undefined;
  const origins = originsOf(ordered, sources.env, location?.origin);
  if (faults.length > 0 || !parsed.success || !location || !keys) {
    return { settings: undefined, faults, origins };
  }
  const given = Object.entries(parsed.data).filter(
    ([name, value]) => name in standardSettings && value !== undefined,
  );
  const settings: Settings = {
    ...location,
    publicKey: keys.publicKey,
    privateKey: keys.privateKey,
    keySource: keys.label,
    ...certificates,
    proxyUrl: parsed.data.proxyUrl ?? fromEnvironment,
    requestsPerSecond: parsed.data.requestsPerSecond,
    orgId: parsed.data.orgId,
    ...standardSettings,
    ...Object.fromEntries(given),
  };
  return { settings, faults, origins };
}

/** Warnings about these settings in every run, with either provider. */
export function settingsWarnings({ skipTlsVerification }: Settings): string[] {
  return skipTlsVerification ? ["skipTlsVerification is on: the service's certificate is not checked."] : [];
}
