/** Where each setting came from, for a person who wonders; values only of what is no secret. */
import { isSet, type SettingName, settingsInputs } from "./inputs";
import { proxyVariable } from "./proxy";
import { addressSourceIn, keySourceIn, orderedSources, type SettingsSources, type Source } from "./sources";

export interface SettingOrigin {
  readonly name: SettingName;
  /** A source, such as "the stack's config", or the variable of the environment: `OPSMANAGER_BASE_URL`. */
  readonly place: string;
  /** As it was given; `undefined` for a secret. It may be wrong, so that nobody shows it before the settings are known to be right. */
  readonly value: string | undefined;
}

const NAMES = Object.keys(settingsInputs.shape) as SettingName[];

/** @param origin the service's, once it is known: a proxy of the environment depends on it */
export function originsOf(
  sources: readonly Source[],
  env: SettingsSources["env"],
  origin: string | undefined,
): SettingOrigin[] {
  const keys = keySourceIn(sources);
  const sourceOf = (name: SettingName): Source | undefined => {
    if (name === "publicKey" || name === "privateKey") return keys;
    if (name === "baseUrl") return addressSourceIn(sources, keys);
    return sources.find(({ values }) => isSet(values[name]));
  };
  return NAMES.flatMap((name): SettingOrigin[] => {
    const source = sourceOf(name);
    if (source && isSet(source.values[name])) {
      const value = isSecret(name) ? undefined : String(source.values[name]).trim();
      return [{ name, place: source.variables?.[name] ?? source.label, value }];
    }
    const variable = name === "proxyUrl" && origin !== undefined ? proxyVariable(env, origin) : undefined;
    return variable === undefined ? [] : [{ name, place: variable, value: undefined }];
  });
}

/** Every secret in any of the sources, used or not: for whoever has to keep all of them out of an output. */
export function secretValuesIn(sources: SettingsSources): string[] {
  const { env, stackConfig = {}, args } = sources;
  const secret = NAMES.filter(isSecret);
  const given = [...orderedSources(sources).map(({ values }) => values), stackConfig, args];
  const proxies = Object.keys(env).filter((name) => /^https?_proxy$/i.test(name));
  const values = [
    ...given.flatMap((source) => secret.map((name) => (source as Record<string, unknown>)[name])),
    ...proxies.map((name) => env[name]),
  ];
  return [...new Set(values.filter(isSet).map((value) => String(value).trim()))];
}

function isSecret(name: SettingName): boolean {
  return settingsInputs.shape[name].meta()?.secret === true;
}
