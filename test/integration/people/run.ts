/** Runs of the handlers for people, step by step, against an embedded service. Each run has a session of its own. */
import { PartialFailure } from "../../../provider/errors";
import { withClaimStages } from "../../../provider/resources/claim-stages";
import { projectMember } from "../../../provider/resources/project-member";
import { projectMembers } from "../../../provider/resources/project-members";
import { projectTeam } from "../../../provider/resources/project-team";
import type { Context, CreateResult, Resource } from "../../../provider/resources/resource";
import { Session } from "../../../provider/resources/session";
import { team } from "../../../provider/resources/team";
import type { Properties } from "../../../provider/resources/values";
import type { SandboxOptions } from "../../../sandbox";
import { clientFactory } from "../client/with-client";

export const owner = ["GROUP_OWNER"];
export const reader = ["GROUP_READ_ONLY"];

const types = {
  ProjectMember: withClaimStages(projectMember),
  ProjectMembers: withClaimStages(projectMembers),
  ProjectTeam: withClaimStages(projectTeam),
  Team: withClaimStages(team),
} as const;

type TypeName = keyof typeof types;

/** What the state holds of a resource. */
export interface Recorded {
  readonly type: TypeName;
  readonly name: string;
  readonly id: string;
  readonly state: Properties;
  readonly oldInputs: Properties;
}

interface UpdateOptions {
  readonly preview?: boolean;
  readonly ignoreChanges?: readonly string[];
}

/** One command of Pulumi. */
export interface Run {
  readonly session: Session;
  /** Everything that was logged, warnings with `warning: ` in front. */
  readonly messages: string[];
  check(type: TypeName, inputs: Properties, name?: string): readonly string[];
  /** Check and create. */
  create(type: TypeName, inputs: Properties, name?: string): Promise<Recorded>;
  /** Check, and what a preview of the creation returns. */
  preview(type: TypeName, inputs: Properties, name?: string): Promise<CreateResult>;
  read(recorded: Recorded): Promise<Recorded | undefined>;
  importOf(type: TypeName, id: string): Promise<Recorded>;
  /** `["update members,ada@example.com"]` */
  diff(recorded: Recorded, inputs?: Properties): string[];
  update(recorded: Recorded, inputs?: Properties, options?: UpdateOptions): Promise<Recorded>;
  delete(recorded: Recorded): Promise<void>;
}

/** Call at the top of a file: closes what its tests have started. */
export function peopleScenarios() {
  const start = clientFactory();
  return async (options: SandboxOptions = {}, settings: Readonly<Record<string, unknown>> = {}) => {
    const connection = await start.sandbox(options, { maxRetries: 0, ...settings });
    const { sandbox, client } = connection;
    const { id: projectId } = sandbox.addProject({ name: "payments" });
    sandbox.setMember(projectId, { username: "owner@example.com" }, owner);
    const run = (): Run => newRun(new Session(client, connection.settings));
    const user = (username: string) => sandbox.addUser({ username, roles: [orgMember(sandbox.orgId)] }).id;
    /** `["ada@example.com GROUP_OWNER", "invited eve@example.com GROUP_READ_ONLY"]`, without the first owner. */
    const people = (project = projectId) => [
      ...sandbox.state.users.flatMap(({ username, roles }) =>
        roles.flatMap(({ groupId, roleName }) =>
          groupId === project && username !== "owner@example.com" ? [`${username} ${roleName}`] : [],
        ),
      ),
      ...sandbox.state.invitations
        .filter(({ groupId }) => groupId === project)
        .map(({ username, roles }) => `invited ${username} ${roles.join()}`),
    ];
    /** Authorized requests that changed something, such as `DELETE /groups/{id}/invites/{id}`. */
    const writes = () =>
      sandbox.requests
        .filter(({ method, authorized }) => authorized && method !== "GET")
        .map(
          ({ method, path }) => `${method} ${path.replace(/.*\/v1\.0/, "").replace(/[0-9a-f]{24}/g, "{id}")}`,
        );
    return { ...connection, projectId, run, user, people, writes };
  };
}

function orgMember(orgId: string) {
  return { orgId, roleName: "ORG_MEMBER" };
}

function newRun(session: Session): Run {
  const messages: string[] = [];
  const contextOf = (type: TypeName, name: string): Context => ({
    session,
    urn: `urn:pulumi:dev::proj::opsmanager:index:${type}::${name}`,
    log: {
      info: (message) => void messages.push(message),
      warn: (message) => void messages.push(`warning: ${message}`),
    },
    signal: new AbortController().signal,
  });
  const checked = (type: TypeName, inputs: Properties, name: string, oldInputs: Properties = {}) => {
    const result = types[type].check({ inputs, oldInputs, context: contextOf(type, name) });
    const [failure] = result.failures;
    if (failure) throw new Error(failure.reason);
    return result.inputs;
  };
  const existing = ({ type, name, id, state, oldInputs }: Recorded) => ({
    id,
    state,
    oldInputs,
    context: contextOf(type, name),
  });
  const resourceOf = ({ type }: Recorded): Resource => types[type];
  return {
    session,
    messages,
    check: (type, inputs, name = "people") =>
      types[type].check({ inputs, context: contextOf(type, name) }).failures.map(({ reason }) => reason),
    async create(type, given, name = "people") {
      const inputs = checked(type, given, name);
      const context = contextOf(type, name);
      const { id, state } = await types[type].create({ inputs, preview: false, context });
      return { type, name, id, state, oldInputs: inputs };
    },
    async preview(type, given, name = "people") {
      const inputs = checked(type, given, name);
      return types[type].create({ inputs, preview: true, context: contextOf(type, name) });
    },
    async read(recorded) {
      const result = await resourceOf(recorded).read(existing(recorded));
      return result && { ...recorded, id: result.id, state: result.state, oldInputs: result.inputs };
    },
    async importOf(type, id) {
      const context = contextOf(type, "people");
      const result = await types[type].read({ id, context });
      if (!result) throw new Error(`There is no ${id}.`);
      return { type, name: "people", id: result.id, state: result.state, oldInputs: result.inputs };
    },
    diff(recorded, given = recorded.oldInputs) {
      const inputs = checked(recorded.type, given, recorded.name, recorded.oldInputs);
      const differences = resourceOf(recorded).diff({ ...existing(recorded), inputs, ignoreChanges: [] });
      return differences.map(({ kind, path }) => `${kind} ${path.join()}`);
    },
    async update(recorded, given = recorded.oldInputs, { preview = false, ignoreChanges = [] } = {}) {
      const inputs = checked(recorded.type, given, recorded.name, recorded.oldInputs);
      const state = await resourceOf(recorded).update({
        ...existing(recorded),
        inputs,
        ignoreChanges,
        preview,
      });
      return { ...recorded, state, oldInputs: inputs };
    },
    delete: (recorded) => resourceOf(recorded).delete(existing(recorded)),
  };
}

/** The partial failure that a step ends with. */
export async function partialFailureOf(step: Promise<unknown>): Promise<PartialFailure> {
  const error = await step.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof PartialFailure) return error;
  throw new Error(`It did not fail in part: ${String(error)}`);
}
