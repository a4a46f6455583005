/**
 * Reports the source of each setting, and whether all are complete; never a secret or its length.
 */
import {
  examineSettings,
  type SettingOrigin,
  type Settings,
  type SettingsSources,
  settingsInputs,
  settingsWarnings,
} from "../../provider/settings/config";
import { messageOf, OpsManagerError } from "../../provider/text/errors";
import type { PulumiEnvironment } from "../lib/pulumi";
import { readSettingsSources } from "../lib/settings";
import { type DoctorResult, failed, ok, warning } from "./results";

/**
 * @param stack as for `pulumi --stack`; default: the selected one
 * @returns the results, the settings unless they are incomplete, invalid or cannot be read, and
 * their sources, which show which texts are secrets
 */
export async function checkSettings(terminal: PulumiEnvironment, stack: string | undefined) {
  try {
    const { sources, stack: read } = await readSettingsSources(terminal, stack);
    const source =
      read === undefined
        ? "No stack is selected: only the environment is read"
        : `stack ${read}, then the environment`;
    return judge(sources, ok("settings.stack", source));
  } catch (error) {
    terminal.stop.throwIfAborted();
    if (!(error instanceof OpsManagerError)) throw error;
    return withoutStack(terminal, messageOf(error));
  }
}

/**
 * Checks the settings of the environment alone. A missing setting is not a fault then: the stack's
 * config may hold it.
 *
 * @param reason why the stack's config cannot be read
 */
function withoutStack({ cwd, env }: PulumiEnvironment, reason: string) {
  const sources = { args: {}, env, isDefaultProvider: false, directory: cwd };
  const advice = "The checks below use only the environment's settings.";
  const judged = judge(sources, failed("settings.stack", reason, advice));
  if (judged.settings) return judged;
  return { ...judged, results: [failed("settings.stack", reason, unlessEnvironment)] };
}

const unlessEnvironment =
  "Correct that, or set OPSMANAGER_BASE_URL, OPSMANAGER_PUBLIC_KEY and OPSMANAGER_PRIVATE_KEY in the environment. Nothing else can be checked before.";

function judge(sources: SettingsSources, first: DoctorResult) {
  const { settings, faults, origins } = examineSettings(sources);
  const results = [
    first,
    ...origins.map((origin) => ok(`settings.${origin.name}`, describeSetting(origin, settings))),
    ...faults.map((fault) => failed("settings.fault", fault)),
    ...(settings ? settingsWarnings(settings).map((text) => warning("settings.warning", text)) : []),
    ...(settings ? [defaults(origins)] : []),
  ];
  return { results, settings, sources };
}

/**
 * Describes a setting. An invalid value may be a misplaced secret, so values are shown only if all
 * settings are valid.
 */
function describeSetting(origin: SettingOrigin, settings: Settings | undefined): string {
  const shown = settings && shownValue(origin, settings);
  return `${origin.name} from ${origin.source}${shown === undefined ? "" : `: ${shown}`}`;
}

function shownValue({ name, value }: SettingOrigin, settings: Settings): string | undefined {
  if (name === "baseUrl") return addressOf(settings);
  if (name === "proxyUrl") return settings.proxyUrl && proxyOf(settings.proxyUrl);
  return value?.includes("-----BEGIN") ? "PEM text" : value;
}

export function addressOf({ origin, pathPrefix }: Settings): string {
  return origin + pathPrefix;
}

function proxyOf(address: string): string {
  const { protocol, host, username } = new URL(address);
  return `${protocol}//${host}${username === "" ? "" : ", with credentials"}`;
}

function defaults(origins: readonly SettingOrigin[]): DoctorResult {
  const set = new Set<string>(origins.map(({ name }) => name));
  const others = Object.keys(settingsInputs.shape).filter((name) => !set.has(name));
  return ok("settings.defaults", `left at their defaults: ${others.join(", ") || "none"}`);
}
