/**
 * Lists the source of each setting for the user, with values only of settings that are not secret.
 */

import { own } from "../text/own";
import { isSet, type SettingName, settingsInputs } from "./inputs";
import { proxyVariable } from "./proxy";
import {
  addressSourceIn,
  credentialsSourceIn,
  isOfCredentials,
  orderedSources,
  type SettingsSources,
  type Source,
} from "./sources";

export interface SettingOrigin {
  readonly name: SettingName;
  /**
   * A source, such as "the stack's config", or the environment variable: `OPSMANAGER_BASE_URL`.
   */
  readonly source: string;
  /**
   * The unchecked value; `undefined` for a secret. It may be invalid, so it is shown only after
   * the settings were checked.
   */
  readonly value: string | undefined;
}

const SETTING_NAMES = Object.keys(settingsInputs.shape) as SettingName[];

/** @param origin the service's, if known: whether the environment's proxy applies depends on it */
export function originsOf(
  sources: readonly Source[],
  env: SettingsSources["env"],
  origin: string | undefined,
): SettingOrigin[] {
  const credentials = credentialsSourceIn(sources);
  const sourceOf = (name: SettingName): Source | undefined => {
    if (isOfCredentials(name)) return credentials;
    if (name === "baseUrl") return addressSourceIn(sources, credentials);
    return sources.find(({ values }) => isSet(values[name]));
  };
  return SETTING_NAMES.flatMap((name): SettingOrigin[] => {
    const source = sourceOf(name);
    if (source && isSet(source.values[name])) {
      const value = isSecret(name) ? undefined : String(source.values[name]).trim();
      return [{ name, source: source.variables?.[name] ?? source.label, value }];
    }
    const variable = name === "proxyUrl" && origin !== undefined ? proxyVariable(env, origin) : undefined;
    return variable === undefined ? [] : [{ name, source: variable, value: undefined }];
  });
}

/** Lists every secret in any of the sources, used or not, so output can be redacted completely. */
export function secretValuesIn(sources: SettingsSources): string[] {
  const { env, stackConfig = {}, args } = sources;
  const secret = SETTING_NAMES.filter(isSecret);
  const given = [...orderedSources(sources).map(({ values }) => values), stackConfig, args];
  const proxies = Object.keys(env).filter((name) => /^https?_proxy$/i.test(name));
  const values = [
    ...given.flatMap((source) => secret.map((name) => (source as Record<string, unknown>)[name])),
    ...proxies.map((name) => own(env, name)),
  ];
  return [...new Set(values.filter(isSet).map((value) => String(value).trim()))];
}

function isSecret(name: SettingName): boolean {
  return settingsInputs.shape[name].meta()?.secret === true;
}
