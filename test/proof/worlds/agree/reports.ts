/** What the commands report, in the words of `ways.ts`. Only this file knows their formats. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { access } from "../../../../cli/access";
import { adopt } from "../../../../cli/adopt";
import { drift } from "../../../../cli/drift";
import type { Commands, Printed } from "../commands";
import { fold, sorted } from "../service-view";
import { personNamed, type Way } from "./ways";

/** A way as `access` reports it. */
export interface ReportedWay extends Way {
  /** Whether a resource of the stack declares it; `undefined` if the report leaves that open. */
  readonly isDeclared: boolean | undefined;
}

export interface AccessReported {
  readonly exitCode: number;
  readonly isComplete: boolean;
  readonly ways: readonly ReportedWay[];
  readonly text: string;
}

export interface AccessEntry {
  readonly in: "service" | "organization" | "team" | "project";
  readonly status: string;
  readonly orgId?: string;
  readonly projectId?: string;
  readonly teamId?: string;
  readonly roles: readonly string[];
  readonly declaredBy?: readonly string[];
  /** Of an effective access: what it comes by, if the report lists such. */
  readonly through?: unknown;
}

interface Found {
  readonly kind: string;
  readonly name?: string;
  readonly publicKey?: string;
  readonly clientId?: string;
  readonly property?: string;
  readonly access: readonly AccessEntry[];
}

/** @param name of a person; default: everyone and everything */
export async function askAccess(commands: Commands, name?: string): Promise<AccessReported> {
  const options = { stack: "test", attribution: false, format: ["json"] };
  const { exitCode, stdout, stderr } = await commands.ofStack(
    access,
    options,
    name === undefined ? [] : [name],
  );
  const { found, isComplete } = JSON.parse(stdout) as {
    readonly found: readonly Found[];
    isComplete: boolean;
  };
  const ways = found.flatMap((one) =>
    one.access
      .filter((entry) => entry.status !== "ended" && entry.in !== "service")
      .map((entry) => ({ ...whereOf(entry), holder: holderOf(one) })),
  );
  return { exitCode, isComplete, ways, text: `${stderr}${stdout}` };
}

function holderOf({ kind, name = "", publicKey, clientId, property }: Found): string {
  if (kind === "service account") return `${kind} ${clientId}`;
  if (kind === "group") return `group ${property} ${name}`;
  return kind === "key" ? `key ${publicKey}` : personNamed(name);
}

export function whereOf({
  in: place,
  orgId,
  projectId,
  teamId,
  ...entry
}: AccessEntry): Omit<ReportedWay, "holder"> {
  const ids = { organization: orgId, project: projectId, team: teamId, service: "" };
  return {
    place: `${place} ${ids[place]}`,
    team: place === "project" ? teamId : undefined,
    isPending: entry.status === "pending",
    roles: sorted(entry.roles),
    isDeclared: entry.declaredBy && entry.declaredBy.length > 0,
  };
}

/** Who or what `drift` says is not declared. */
export interface Undeclared {
  readonly place: string;
  readonly holder: string;
  /** Of a person: only by a team or the organization. */
  readonly isIndirect: boolean;
}

export interface DriftReported extends Printed {
  /** The differences that are undeclared access. */
  readonly undeclared: readonly Undeclared[];
  /** All differences, as texts that two reports have in common. */
  readonly differences: readonly string[];
  readonly unreadable: readonly string[];
  /** What no resource owns beside these, in projects, teams and organizations; only with `--unmanaged`. */
  readonly unmanaged: readonly Undeclared[];
  readonly findings: readonly Finding[];
}

export interface Finding {
  readonly urn: string;
  readonly property: string;
  readonly kind: string;
  readonly object?: {
    readonly what: string;
    readonly name: string;
    readonly id?: string;
    readonly in: string;
    readonly containerId: string;
  };
}

/** The eight lists of unmanaged objects, or their rows. */
interface Unmanaged {
  readonly rows?: readonly (Partial<Row> & { readonly kind: string })[];
  readonly people?: readonly Row[];
  readonly teams?: readonly Row[];
  readonly keys?: readonly Row[];
  readonly mappings?: readonly Row[];
  readonly owners?: readonly Row[];
  readonly ownerKeys?: readonly Row[];
  readonly teamPeople?: readonly Row[];
}

interface Row {
  readonly holder?: { readonly id: string };
  readonly place?: { readonly id: string };
  readonly projectId?: string;
  readonly orgId?: string;
  readonly teamId?: string;
  readonly username?: string;
  readonly publicKey?: string;
  readonly property?: string;
  readonly status?: string;
}

const lists = ["people", "teams", "keys", "mappings", "owners", "ownerKeys", "teamPeople"] as const;

/** @param org organizations to search for unmanaged objects, besides those that resources record */
export async function askDrift(
  commands: Commands,
  isUnmanagedWanted: boolean,
  org: readonly string[] = [],
): Promise<DriftReported> {
  const options = {
    stack: ["test"],
    unmanaged: isUnmanagedWanted,
    org,
    attribution: false,
    format: ["json"],
  };
  const printed = await commands.ofStack(drift, options);
  const report: {
    readonly findings?: readonly Finding[];
    readonly unreadable?: readonly { readonly what: string; readonly reason: string }[];
    readonly unmanaged?: Unmanaged;
  } = printed.stdout === "" ? {} : JSON.parse(printed.stdout);
  const { findings = [], unreadable = [], unmanaged = {} } = report;
  return {
    ...printed,
    findings,
    undeclared: findings.flatMap((finding) => undeclaredIn(finding)),
    differences: sorted(findings.map(({ urn, property, kind }) => `${kind} ${property} of ${urn}`)),
    unreadable: unreadable.map(({ what, reason }) => `${what}: ${reason}`),
    unmanaged: rowsOf(unmanaged).map(([kind, row]) => undeclaredOf(kind, row)),
  };
}

function undeclaredIn({ kind, object }: Finding): readonly Undeclared[] {
  if (kind !== "undeclared" || object === undefined) return [];
  const { what, name, id, in: place, containerId } = object;
  const holders: Readonly<Record<string, string>> = {
    person: personNamed(name),
    team: `team ${id}`,
    key: `key ${name}`,
    "service account": `service account ${name}`,
    group: `group ${name}`,
  };
  return [{ place: `${place} ${containerId}`, holder: holders[what] ?? what, isIndirect: false }];
}

const rowsOf = (unmanaged: Unmanaged): readonly (readonly [kind: string, row: Row])[] => [
  ...(unmanaged.rows ?? []).filter(({ kind }) => kind !== "projects").map((row) => [row.kind, row] as const),
  ...lists.flatMap((kind) => (unmanaged[kind] ?? []).map((row) => [kind, row] as const)),
];

function undeclaredOf(kind: string, row: Row): Undeclared {
  const { holder, place, projectId, orgId, teamId, username, publicKey, property, status } = row;
  const isIndirect = status === "indirect";
  const inOrganization = kind.startsWith("owner");
  const where = inOrganization
    ? `organization ${place?.id ?? orgId}`
    : kind === "teamPeople"
      ? `team ${place?.id ?? teamId}`
      : `project ${place?.id ?? projectId}`;
  const who = {
    teams: `team ${holder?.id ?? teamId}`,
    keys: `key ${holder?.id ?? publicKey}`,
    ownerKeys: `key ${holder?.id ?? publicKey}`,
    serviceAccounts: `service account ${holder?.id}`,
    ownerServiceAccounts: `service account ${holder?.id}`,
    mappings: `group ${holder?.id ?? property}`,
    ownerGroups: `group ${holder?.id}`,
  } as Readonly<Record<string, string>>;
  return { place: where, holder: who[kind] ?? personNamed(holder?.id ?? username ?? ""), isIndirect };
}

export interface Adopted extends Printed {
  /** What the files declare. */
  readonly ways: readonly Way[];
  /** What was left out, and everything else that the command says. */
  readonly said: string;
}

interface File {
  readonly key: string;
  readonly name?: string;
  readonly members?: Readonly<Record<string, readonly string[]>>;
  readonly usernames?: readonly string[];
  readonly teams?: Readonly<Record<string, readonly string[]>>;
  readonly externalTeams?: Readonly<Record<string, readonly string[]>>;
  /** In a project file the roles alone. */
  readonly apiKeys?: Readonly<Record<string, readonly string[] & { readonly roles?: readonly string[] }>>;
  readonly externalApiKeys?: Readonly<Record<string, readonly string[]>>;
  readonly ldapGroupMappings?: readonly Mapping[];
  readonly idpGroupMappings?: readonly Mapping[];
}

interface Mapping {
  readonly roleName: string;
  readonly ldapGroups?: readonly string[];
  readonly idpGroups?: readonly string[];
}

/** What a file does not say of whom or what it names. */
interface Names {
  readonly orgId: string;
  /** Of a project or a team of the organization. */
  idOf(kind: "project" | "team", name: string): string;
  publicKeyOf(keyId: string): string;
}

interface ImportEntry {
  readonly type: string;
  readonly logicalName: string;
  readonly id?: string;
}

/** Adopts everything into a folder beside the stack. */
export async function askAdopt(commands: Commands, names: Names): Promise<Adopted> {
  const options = {
    org: names.orgId,
    out: ".",
    importFile: "import.json",
    component: "access",
    everyone: true,
  };
  const printed = await commands.withoutStack(adopt, options);
  const [projects, teams, organizations] = await Promise.all(
    ["projects", "teams", "organizations"].map((folder) => filesIn(join(commands.apart, folder))),
  );
  const keys = await keysIn(join(commands.apart, "import.json"), names);
  const organization = `organization ${names.orgId}`;
  const ways = [
    ...(projects ?? []).flatMap((file) => waysOfProject(file, keys, names)),
    ...(teams ?? []).flatMap(({ key, name = key, usernames = [] }) =>
      usernames.map((person) => wayOf(`team ${names.idOf("team", name)}`, personNamed(person), [])),
    ),
    ...(organizations ?? []).flatMap(({ members = {}, apiKeys = {}, ...file }) => [
      ...groupsIn(file, organization),
      ...Object.entries(members).map(([name, roles]) => wayOf(organization, personNamed(name), roles)),
      ...Object.entries(apiKeys).map(([name, { roles = [] }]) =>
        wayOf(organization, `key ${keys.get(name)}`, roles),
      ),
    ]),
  ];
  return { ...printed, ways, said: fold(`${printed.stderr}${printed.stdout}`) };
}

const wayOf = (place: string, holder: string, roles: readonly string[]): Way => ({
  ...{ place, holder, isPending: false },
  roles: sorted(roles),
});

async function filesIn(folder: string): Promise<readonly File[]> {
  const names = await readdir(folder).catch(() => []);
  return Promise.all(names.map(async (name) => parse(await readFile(join(folder, name), "utf8"))));
}

/** The public keys of the API keys that an organization file names. */
async function keysIn(importFile: string, names: Names): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(importFile, "utf8").catch(() => '{ "resources": [] }');
  const { resources } = JSON.parse(text) as { readonly resources: readonly ImportEntry[] };
  const keys = resources.filter(({ type }) => type.endsWith(":ApiKey"));
  return new Map(
    keys.map(({ logicalName, id = "" }) => [
      logicalName.split("/").at(-1) ?? "",
      names.publicKeyOf(id.split("/").at(-1) ?? ""),
    ]),
  );
}

function waysOfProject(file: File, keys: ReadonlyMap<string, string>, names: Names): readonly Way[] {
  const place = `project ${names.idOf("project", file.name ?? file.key)}`;
  const isId = (name: string) => /^[0-9a-f]{24}$/.test(name);
  return [
    ...Object.entries(file.members ?? {}).map(([name, roles]) => wayOf(place, personNamed(name), roles)),
    ...Object.entries({ ...file.teams, ...file.externalTeams }).map(([name, roles]) =>
      wayOf(place, `team ${isId(name) ? name : names.idOf("team", name)}`, roles),
    ),
    ...Object.entries({ ...file.apiKeys, ...file.externalApiKeys }).map(([name, roles]) =>
      wayOf(place, `key ${keys.get(name) ?? name}`, [...roles]),
    ),
    ...groupsIn(file, place),
  ];
}

function groupsIn(file: Pick<File, "ldapGroupMappings" | "idpGroupMappings">, place: string): readonly Way[] {
  return (["ldapGroupMappings", "idpGroupMappings"] as const).flatMap((property) =>
    (file[property] ?? []).flatMap(({ roleName, ldapGroups, idpGroups }) =>
      (ldapGroups ?? idpGroups ?? []).map((group) => wayOf(place, `group ${property} ${group}`, [roleName])),
    ),
  );
}
