/** What the soak declares, what it changes outside Pulumi, and which faults it injects: all by chance, from one seed. */
import { isDeepStrictEqual } from "node:util";
import type { FaultRule, Sandbox, SandboxOptions } from "../../../sandbox";
import { invitationsTo, membersOf } from "../../engine/support/people-program";
import type { Program, ResourceDeclaration } from "../../support";
import type { Random } from "./random";

const orgId = "5f00000000000000000000b1";
const owner = "owner@example.com";
const stranger = "stranger@example.com";
const people = ["ada", "ben", "cleo", "dora", "emil"].map((name) => `${name}@example.com`);
const tags = ["PROD", "TEAM_A", "TEAM_B", "URGENT"];
const roles = ["GROUP_READ_ONLY", "GROUP_MONITORING_ADMIN", "GROUP_USER_ADMIN"];
const keys = ["orders", "ledger", "search"];

/** Projects that exist: the people of the first two are declared one by one, those of the last one as a list. */
const existing = { first: "5f00000000000000000000a1", second: "5f00000000000000000000a2" };
const listed = "5f00000000000000000000a3";

export const sandboxOptions: SandboxOptions = {
  seed: {
    orgs: [{ id: orgId, name: "Example Org" }],
    projects: [...Object.entries(existing), ["listed", listed] as const].map(([name, id]) => ({
      id,
      name,
      members: { [owner]: ["GROUP_OWNER"] },
    })),
  },
};

/** What the program declares at the moment. */
export class World {
  /** Created projects by the name of their resource. */
  private readonly projects = new Map<string, { name: string; tags: readonly string[] }>();
  /** Roles by project and username. */
  private readonly members = new Map<string, Map<string, string>>();

  constructor(private readonly random: Random) {
    for (const id of [...Object.values(existing), listed]) this.members.set(id, new Map());
    for (let round = 0; round < 3; round++) this.changeProgram();
  }

  /** A few changes of the program. */
  changeProgram(): void {
    const { random } = this;
    for (const key of random.some(keys, 0.3)) {
      if (this.projects.has(key) && random.chance(0.3)) this.projects.delete(key);
      else {
        const name = `${key}-${random.pick(["blue", "green"])}`;
        this.projects.set(key, { name, tags: random.some(tags, 0.5) });
      }
    }
    for (const members of this.members.values()) {
      for (const person of random.some(people, 0.2)) {
        if (members.has(person) && random.chance(0.4)) members.delete(person);
        else members.set(person, random.pick(roles));
      }
    }
  }

  get program(): Program {
    const resources: Record<string, ResourceDeclaration> = {};
    for (const [key, project] of this.projects) {
      resources[key] = { type: "Project", properties: { orgId, ...project, onDestroy: "delete" } };
    }
    for (const projectId of Object.values(existing)) {
      for (const [username, role] of this.members.get(projectId) ?? []) {
        const properties = { projectId, username, roles: [role] };
        resources[`${username.split("@")[0]}-${projectId.at(-1)}`] = { type: "ProjectMember", properties };
      }
    }
    const members = { [owner]: ["GROUP_OWNER"], ...rolesByName(this.members.get(listed)) };
    const properties = { projectId: listed, members, maxRemovals: 20, onDestroy: "remove" };
    resources.allMembers = { type: "ProjectMembers", properties };
    return { resources };
  }

  /** A few changes outside Pulumi. Returns their number. */
  changeService(sandbox: Sandbox): number {
    const { random } = this;
    let changes = 0;
    const change = (act: () => unknown): void => {
      act();
      changes += 1;
    };
    for (const { id, name } of sandbox.state.projects.filter(({ id }) => !this.members.has(id))) {
      if (random.chance(0.1)) change(() => sandbox.changeProject(id, { tags: random.some(tags, 0.5) }));
      else if (random.chance(0.05)) change(() => sandbox.changeProject(id, { name: `${name}-renamed` }));
      else if (random.chance(0.02)) change(() => sandbox.removeProject(id));
    }
    for (const projectId of this.members.keys()) {
      for (const { id } of random.some(pendingIn(sandbox, projectId), 0.3)) {
        if (random.chance(0.6)) change(() => sandbox.acceptInvitation(id));
        else if (random.chance(0.5)) change(() => sandbox.expireInvitation(id));
        else change(() => sandbox.removeInvitation(id));
      }
      const active = Object.keys(membersOf(sandbox, projectId)).filter((name) => people.includes(name));
      for (const username of random.some(active, 0.1)) {
        if (random.chance(0.5)) change(() => sandbox.removeMember(projectId, { username }));
        else change(() => sandbox.setMember(projectId, { username }, [random.pick(roles)]));
      }
    }
    if (random.chance(0.05)) {
      const projectId = random.pick(Object.values(existing));
      change(() => sandbox.setMember(projectId, { username: stranger }, ["GROUP_READ_ONLY"]));
    }
    return changes;
  }

  /** One fault of one request, if any. */
  fault(): FaultRule {
    const { random } = this;
    const method = random.pick(["GET", "POST", "PATCH", "DELETE", undefined]);
    const fault = random.pick<FaultRule["fault"]>([
      "reset-before-write",
      "reset-after-write",
      "truncate",
      "close-after-answer",
      "stale-nonce",
      { status: 500 },
      { status: 500, afterWrite: true },
      { status: 502, contentType: "text/html", body: "<html>Bad Gateway</html>" },
      { status: 503, headers: { "Retry-After": "0" } },
      { status: 429, headers: { "Retry-After": "0" } },
      { status: 400 },
      { status: 403 },
      { delayMs: 20 },
    ]);
    return { ...(method !== undefined && { method }), fault };
  }

  /** What differs between the program and the service; empty if nothing was lost and nothing is there twice. */
  differences(sandbox: Sandbox): string[] {
    const compare = (what: string, live: unknown, declared: unknown): string[] =>
      isDeepStrictEqual(live, declared)
        ? []
        : [`${what}: ${JSON.stringify(live)} instead of ${JSON.stringify(declared)}`];
    const byName = (one: readonly string[], other: readonly string[]) =>
      JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
    const projects = sandbox.state.projects
      .filter(({ id }) => !this.members.has(id))
      .map(({ name, tags }) => [name, ...[...tags].sort()]);
    const declared = [...this.projects.values()].map(({ name, tags }) => [name, ...[...tags].sort()]);
    return [
      ...compare("projects", projects.sort(byName), declared.sort(byName)),
      ...[...this.members].flatMap(([id, members]) => {
        const pending = pendingIn(sandbox, id);
        const invited = Object.fromEntries(pending.map(({ username, roles }) => [username, roles]));
        const { [owner]: owns, [stranger]: _, ...others } = membersOf(sandbox, id);
        return [
          ...compare(`owner of ${id}`, owns, ["GROUP_OWNER"]),
          ...compare(`people of ${id}`, { ...others, ...invited }, rolesByName(members)),
          ...compare(`invitations of ${id}`, pending.length, Object.keys(invited).length),
        ];
      }),
    ];
  }
}

/** What is left at the service after the stack was destroyed, beside what was there before. */
export function leftOver(sandbox: Sandbox): string[] {
  const known = new Set([...Object.values(existing), listed]);
  const projects = sandbox.state.projects.filter(({ id }) => !known.has(id)).map(({ name }) => name);
  const members = [...known].flatMap((id) => Object.keys(membersOf(sandbox, id)));
  const invited = [...known].flatMap((id) => pendingIn(sandbox, id).map(({ username }) => username));
  return [...projects, ...[...members, ...invited].filter((name) => people.includes(name))];
}

/** The service keeps expired invitations and no longer shows them. */
function pendingIn(sandbox: Sandbox, projectId: string) {
  const now = Date.parse(sandbox.time);
  return invitationsTo(sandbox, projectId).filter(({ expiresAt }) => Date.parse(expiresAt) > now);
}

function rolesByName(members: ReadonlyMap<string, string> | undefined): Record<string, string[]> {
  return Object.fromEntries([...(members ?? [])].map(([username, role]) => [username, [role]]));
}
