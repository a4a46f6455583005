/** What the tests of the settings have in common. */
import {
  examineSettings,
  resolveSettings,
  type Settings,
  type SettingsSources,
} from "../../provider/settings/config";

export const pair = { publicKey: "public", privateKey: "private-part" };

/** Sources that are not named hold nothing. */
export function sourcesOf(given: Partial<SettingsSources>): SettingsSources {
  return { args: {}, env: {}, isDefaultProvider: false, directory: "/program", ...given };
}

export function resolved(given: Partial<SettingsSources>): Settings {
  return resolveSettings(sourcesOf(given));
}

export function faultsOf(given: Partial<SettingsSources>): string[] {
  return [...examineSettings(sourcesOf(given)).faults];
}
