/**
 * `offboard`: on a copy of the service, the files of `adopt` are applied, a person is taken out of them, and they are applied again.
 * Then everything that it calls ended has ended, and exactly what it calls left is left.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { offboard } from "../../../../cli/offboard";
import type { AccessFiles } from "../../../../projects/access-files";
import { readFaultyFolder } from "../../../../projects/load";
import type { Sandbox } from "../../../../sandbox";
import type { Declaration, Recorded, Values } from "../../engine-model";
import { orgId, privateKey } from "../beginning";
import type { Holds } from "../command";
import { Commands } from "../commands";
import { runInModel } from "../engine";
import { exportedFrom } from "../events";
import { API_KEY } from "../oracle";
import { fold, type ServiceView, viewService } from "../service-view";
import { reachIn } from "./access-agrees";
import { type AccessEntry, whereOf } from "./reports";
import { keyOf } from "./ways";

export interface OffboardFacts {
  /** Whoever leaves, by a present or a former name. */
  readonly name: string;
  /** Chooses how the files differ from those of `adopt`, and whether the account is renamed in between. */
  readonly pick: number;
  /** The folder with the files. */
  readonly folder: string;
  copyService(): Promise<Sandbox>;
}

interface Offboarded {
  readonly isFound: boolean;
  readonly otherNames: readonly string[];
  readonly taken: readonly { readonly name: string }[];
  readonly ending: readonly AccessEntry[];
  readonly left: readonly AccessEntry[];
  readonly refused: readonly { readonly what: string; readonly reason: string }[];
  readonly unknown: readonly { readonly what: string; readonly reason: string }[];
}

interface Report {
  readonly exitCode: number;
  readonly person: Offboarded;
  readonly unread: readonly object[];
  readonly faults: readonly string[];
}

export async function checkOffboarded(
  { name, pick, folder, copyService }: OffboardFacts,
  holds: Holds,
): Promise<void> {
  const service = await copyService();
  try {
    await varied(folder, pick);
    const { projects, teams } = viewService(service);
    const apply = (state: readonly Recorded[]) =>
      run(service, declarationsOf(filesIn(folder), { projects, teams }), state);
    if (faultsIn(folder) > 0) return;
    const first = await apply([]);
    if (!first.ok) return;
    const [asked, former] = pick % 2 === 0 ? [name, undefined] : await renamed(name, service, folder, pick);
    const applied = former === undefined ? first : await apply(first.state);
    if (!applied.ok) return;
    const ask = (given: string) => askOffboard(given, { service, folder, state: applied.state });
    const nobody = await ask(`x${asked}`);
    holds(
      "offboard does not take a misspelled name for somebody of whom nothing is left",
      !nobody.person.isFound && [1, 4].includes(nobody.exitCode),
      () => `exit code ${nobody.exitCode} for x${asked}`,
    );
    const report = await ask(asked);
    if (report.unread.length > 0 || report.faults.length > 0 || !report.person.isFound) return;
    const last = await apply(applied.state);
    const failed = last.failures.map((failure) => `${failure.name}: ${failure.message}`).join("; ");
    checkReport(report, { asked, ok: last.ok, failed, service: viewService(service) }, holds);
  } finally {
    await service.close();
  }
}

interface Afterwards {
  readonly asked: string;
  readonly ok: boolean;
  readonly failed: string;
  readonly service: ServiceView;
}

function checkReport(
  { exitCode, person }: Report,
  { asked, ok, failed, service }: Afterwards,
  holds: Holds,
): void {
  const { otherNames, taken, ending, left, refused, unknown } = person;
  const others = new Set(taken.map((each) => fold(each.name)));
  const names = new Set([asked, ...otherNames].map(fold));
  const found = reachIn(service).filter(({ holder }) => names.has(holder.replace("person ", "")));
  const keyOfOwn = (way: (typeof found)[number]) => keyOf({ ...way, holder: asked });
  // By a name that somebody else has as well, nobody knows whose an access is.
  const own = found.filter(({ holder }) => !others.has(holder.replace("person ", "")));
  const [still, possibly] = [own.map(keyOfOwn), found.map(keyOfOwn)];
  const keysOf = (entries: readonly AccessEntry[]) =>
    entries
      .filter((entry) => entry.in !== "service" && isOfView(entry, service))
      .map((entry) => keyOf({ ...whereOf(entry), holder: asked }));
  const [ended, stays] = [keysOf(ending), keysOf(left)];
  const isOpen = refused.length + unknown.length > 0;
  const detail = () =>
    `${asked}, exit code ${exitCode}; still: ${still.join(", ")}; ended: ${ended.join(", ")}; left: ${stays.join(", ")}; refused: ${JSON.stringify(refused)}; unknown: ${JSON.stringify(unknown)}; up: ${ok ? "ok" : failed}`;
  holds("after offboard, the next up fails only as said", ok || isOpen, detail);
  holds(
    "what offboard calls ended has ended after the next up",
    isOpen || ended.every((way) => !still.includes(way)),
    detail,
  );
  holds(
    "what offboard calls refused, the next up refuses",
    refused.length === 0 || !ok || ended.some((way) => still.includes(way)),
    detail,
  );
  holds(
    "what offboard calls left is left after the next up",
    stays.every((way) => possibly.includes(way)),
    detail,
  );
  holds(
    "nothing else is left than what offboard says",
    still.every((way) => stays.includes(way) || (isOpen && ended.includes(way))),
    detail,
  );
  const isDone = exitCode === 0;
  holds("offboard is done exactly if nothing is left", !isDone || still.length === 0, detail);
}

/** The view has the people of one organization. */
const isOfView = ({ in: place, orgId }: AccessEntry, service: ServiceView): boolean =>
  place !== "organization" || orgId === service.orgId;

/** Of the projects: a limit, or people who are declared one by one. */
async function varied(folder: string, pick: number): Promise<void> {
  const line = ["", "maxRemovals: 0\n", "membership: additive\n", "removeUnlisted: true\n"][(pick >> 1) % 4];
  for (const path of await projectFilesIn(folder)) {
    const text = await readFile(path, "utf8");
    if (/^members:/m.test(text) && !/^membership:/m.test(text)) await writeFile(path, `${text}${line}`);
  }
}

/** The account gets another name, which some of the files have. */
async function renamed(
  name: string,
  service: Sandbox,
  folder: string,
  pick: number,
): Promise<[asked: string, former: string | undefined]> {
  const account = service.user({ username: name });
  if (account === undefined) return [name, undefined];
  const username = `renamed.${name}`;
  service.changeUser(account.id, { username });
  for (const [index, path] of (await projectFilesIn(folder)).entries()) {
    if (index % 2 === (pick >> 3) % 2) continue;
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replaceAll(`${name}:`, `${username}:`));
  }
  return [pick % 4 === 1 ? name : username, name];
}

async function projectFilesIn(folder: string): Promise<readonly string[]> {
  const projects = join(folder, "projects");
  const names = await readdir(projects).catch(() => []);
  return names.sort().map((each) => join(projects, each));
}

const filesIn = (folder: string): AccessFiles => readFaultyFolder(".", folder).files;
const faultsIn = (folder: string): number => readFaultyFolder(".", folder).faults.length;

/** With the type in the name, because resources of several types have the name of one file. */
const nameOf = (type: Declaration["type"], name: string): string => `${type} ${name}`;

/**
 * The people of the files and the teams in their projects, as AccessFolder declares them. IDs take the place of an import.
 *
 * @param existing what the files of `adopt` are about
 */
function declarationsOf(
  { projects, teams, organizations }: AccessFiles,
  existing: Pick<ServiceView, "projects" | "teams">,
): readonly Declaration[] {
  const idOf = (kind: keyof typeof existing, name: string) =>
    [...existing[kind].values()].find((place) => place.name === name && place.orgId === orgId)?.id;
  const declaration = (
    type: Declaration["type"],
    name: string,
    inputs: Readonly<Record<string, unknown>>,
    project?: string,
  ): Declaration => ({
    ...{ name: nameOf(type, name), type, aliases: [] },
    inputs: JSON.parse(JSON.stringify(inputs)) as Values,
    references: project === undefined ? {} : { projectId: { resource: project, output: "projectId" } },
    deletedWith: project,
  });
  return [
    ...organizations.flatMap(({ key, members = {} }) =>
      Object.entries(members).map(([username, roles]) =>
        declaration("OrganizationMember", `${key}/${username}`, { orgId, username, roles }),
      ),
    ),
    ...teams.map(({ key, name, usernames, maxRemovals, onDestroy }) =>
      declaration("Team", key, {
        ...{ orgId, name, teamId: idOf("teams", name) },
        ...{ usernames, maxRemovals, onDestroy },
      }),
    ),
    ...projects.flatMap(({ key, name, onDestroy, members, membership, ...file }) => {
      const { maxRemovals, removeUnlisted, ignoreUsers } = file;
      const project = nameOf("Project", key);
      const people =
        members === undefined
          ? []
          : membership === "exclusive"
            ? [
                declaration(
                  "ProjectMembers",
                  key,
                  { members, maxRemovals, removeUnlisted, ignoreUsers },
                  project,
                ),
              ]
            : Object.entries(members).map(([username, roles]) =>
                declaration("ProjectMember", `${key}/${username}`, { username, roles }, project),
              );
      const inProject = Object.entries({ ...file.teams, ...file.externalTeams }).map(([team, roles]) => {
        const named = /^[0-9a-f]{24}$/.test(team) ? { teamId: team } : { teamName: team };
        return declaration("ProjectTeam", `${key}/${team}`, { ...named, roles }, project);
      });
      return [
        declaration("Project", key, { projectId: idOf("projects", name), onDestroy }),
        ...people,
        ...inProject,
      ];
    }),
  ];
}

function run(service: Sandbox, declarations: readonly Declaration[], state: readonly Recorded[]) {
  const settings = { baseUrl: service.baseUrl, publicKey: API_KEY, privateKey };
  return runInModel("plugin", {
    operation: "up",
    ...{ declarations, state, settings, isFaulty: false, isInterruptible: false },
    onText: () => undefined,
  });
}

interface Stack {
  readonly service: Sandbox;
  readonly folder: string;
  readonly state: readonly Recorded[];
}

async function askOffboard(name: string, { service, folder, state }: Stack): Promise<Report> {
  const env = {
    OPSMANAGER_BASE_URL: service.baseUrl,
    OPSMANAGER_PUBLIC_KEY: API_KEY,
    OPSMANAGER_PRIVATE_KEY: privateKey,
  };
  const stack = { events: "", resources: exportOf(state, folder), env };
  return Commands.with(stack, async (commands) => {
    const options = { stack: "test", files: folder, format: ["json"] };
    const { exitCode, stdout } = await commands.ofStack(offboard, options, [name]);
    const { people, unknown, faults } = JSON.parse(stdout) as {
      readonly people: readonly [Offboarded];
      readonly unknown: readonly object[];
      readonly faults: readonly string[];
    };
    return { exitCode, person: people[0], unread: unknown, faults };
  });
}

/** The state as a program with AccessFolder has it. */
function exportOf(state: readonly Recorded[], folder: string): readonly unknown[] {
  const component = "opsmanager:index:AccessFolder";
  const text = JSON.stringify(exportedFrom(state, "plugin"));
  const below = text.replace(/::opsmanager:index:(\w+)::\1 /g, (_, type: string) => {
    const file = type === "OrganizationMember" ? "opsmanager:index:OrganizationFile$" : "";
    return `::${component}$${file}opsmanager:index:${type}::`;
  });
  const itself = { urn: `urn:pulumi:test::platform::${component}::access`, type: component, custom: false };
  return [{ ...itself, outputs: { folder } }, ...(JSON.parse(below) as readonly unknown[])];
}
