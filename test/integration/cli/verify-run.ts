/** Runs `opsmanager verify` for a test, against a sandbox whose time the run's waits advance. */
import { unobservable } from "../../../cli/verify/points";
import { type PointResult, runPoints, type VerifyResult } from "../../../cli/verify/run";
import { Trial, type TrialOptions } from "../../../cli/verify/trial";
import { resolveSettings } from "../../../provider/settings/config";
import { createPool, createTransport } from "../../../provider/transport";
import type { Sandbox, SandboxOptions } from "../../../sandbox";
import { type Switches, type SwitchName, switchNames, switchTable } from "../../../sandbox/switches";

export const orgId = "5f00000000000000000000b1";
export const key = { publicKey: "verifier", privateKey: "not-to-be-shown" };
/** An account of the organization that is in no project. */
export const user = "dev@example.com";

export const organizationOwner = [{ orgId, roleName: "ORG_OWNER" }];

/** An organization with a project of another user. */
export function seedFor(roles: readonly { readonly roleName: string; readonly orgId?: string }[]) {
  return {
    orgs: [{ id: orgId, name: "Example Org" }],
    keys: [{ ...key, roles }],
    serviceAccounts: [{ name: "deploy", roles: organizationOwner }],
    users: [
      { username: "owner@example.com", roles: [{ orgId, roleName: "ORG_OWNER" }] },
      { username: user, roles: [{ orgId, roleName: "ORG_MEMBER" }] },
    ],
    projects: [{ id: "5f00000000000000000000a1", name: "payments", tags: ["PROD"] }],
  } satisfies SandboxOptions["seed"];
}

export interface Run extends VerifyResult {
  /** Of what ended the run early. */
  readonly code: string | undefined;
  /** Of the switches that were found out. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Of the others. */
  readonly reasons: Readonly<Record<string, string>>;
}

export async function verifyAt(
  sandbox: Sandbox,
  options: Partial<TrialOptions> = {},
  stop: AbortSignal = new AbortController().signal,
  credentials: Readonly<Record<string, string>> = keyOf(sandbox),
): Promise<Run> {
  const args = { baseUrl: sandbox.baseUrl, ...credentials, maxRetries: 0 };
  const settings = resolveSettings({ args, env: {}, isDefaultProvider: false, directory: __dirname });
  const transport = createTransport(settings, () => {});
  const pool = createPool(settings);
  let advanced = 0;
  const clock = {
    now: () => Date.now() + advanced,
    pause: async (milliseconds: number) => {
      advanced += milliseconds;
      sandbox.advanceClock(milliseconds / 1000);
    },
  };
  const connection = { settings, transport: transport.send, pool };
  try {
    const trial = new Trial(connection, { orgId, user, waitSeconds: 90, ...options }, stop, clock);
    const outcome = await runPoints(trial, () => {});
    const { code } = (outcome.failure ?? {}) as { readonly code?: string };
    return {
      ...outcome,
      code,
      values: foundIn(outcome.results),
      reasons: reasonsOf(outcome.results),
    };
  } finally {
    await Promise.all([transport.close(), pool.close()]);
  }
}

const keyOf = ({ publicKey, privateKey }: Sandbox) => ({ publicKey, privateKey });

function foundIn(results: readonly PointResult[]): Run["values"] {
  return Object.fromEntries(results.flatMap((one) => ("value" in one ? [[one.name, one.value]] : [])));
}

function reasonsOf(results: readonly PointResult[]): Run["reasons"] {
  return Object.fromEntries(results.flatMap((one) => ("reason" in one ? [[one.name, one.reason]] : [])));
}

/** What the service holds, without what passes: nonces, deleted projects that are still listed. */
export function holdings({ state }: Sandbox): unknown {
  const { orgs, users, teams, projects, invitations, keys, serviceAccounts } = state;
  return { orgs, users, teams, projects, invitations, keys, serviceAccounts };
}

/** The requests that wrote outside of the throw-away projects; each of those was created by a request of the run. */
export function unexpectedWrites({ requests }: Sandbox): string[] {
  const own = new Set<string>();
  const unexpected: string[] = [];
  for (const { method, path, body, authorized } of requests) {
    if (!authorized || method === "GET") continue;
    const [, below = ""] = path.split("/api/public/v1.0/groups");
    const { name = "", orgId: at } = (body ?? {}) as { readonly name?: string; readonly orgId?: string };
    const creates = method === "POST" && below === "" && at === orgId;
    if (creates && name.startsWith("opsmanager-verify-delete-me-")) continue;
    own.add(below.split("/")[1] ?? "");
    if (!/^\/[0-9a-f]{24}(\/|$)/.test(below)) unexpected.push(`${method} ${path}`);
  }
  // An id that existed before the run is not one of its own.
  if (own.has("5f00000000000000000000a1")) unexpected.push("the project of another user");
  return unexpected;
}

type Values = { readonly [N in SwitchName]?: readonly Switches[N][] };

/** Of switches that are numbers or text, and of one without which nothing else would be left to find out. */
const chosen: Values = {
  onlyDocumented: [false],
  versionString: ["", "8.0.0.100.20260101T0000Z", "v20260101"],
  nonceLifetimeSeconds: [10, 30, 45, 90],
  requiredLdapRole: ["", "GROUP_OWNER", "GROUP_BACKUP_ADMIN"],
  maxNameLength: [0, 50, 64, 65, 300],
  deletedProjectListedSeconds: [0, 10],
  deletedProjectNameSeconds: [0, 30],
  invitationDays: [1, 30],
};

interface Spec {
  readonly kind: string;
  readonly initial: unknown;
  readonly values?: readonly unknown[];
}

/** The values of a switch that random settings choose from. */
export function valuesOf(name: SwitchName): readonly unknown[] {
  const { kind, initial, values = [false, true] }: Spec = switchTable[name];
  return chosen[name] ?? (kind === "number" && name in unobservable ? [initial] : values);
}

/** mulberry32: the same settings in every run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function randomSwitches(seed: number): Switches {
  const random = generator(seed);
  const picked = switchNames.map((name) => {
    const values = valuesOf(name);
    return [name, values[Math.floor(random() * values.length)]];
  });
  const switches = Object.fromEntries([
    ...picked,
    // The service would keep the account of the address that a run invites.
    ["bypassNewUsers", false],
    // The service would refuse the key of the run.
    ["requiredAccessList", false],
  ]) as Switches;
  // A session algorithm needs qop: no client can answer such a challenge without it.
  const isAnswerable = switches.challenge === "qop" || !switches.digestAlgorithm.endsWith("-sess");
  return isAnswerable ? switches : { ...switches, challenge: "qop" };
}

export const hasLdap = ({ ldap, ldapPeople }: Switches) => ldap || ldapPeople;

/** A service whose people come from LDAP accepts mappings, whatever the other switch is. */
export function effective(switches: Switches): Readonly<Record<string, unknown>> {
  return { ...switches, ldap: hasLdap(switches) };
}
