import type { RoleGrant, Sandbox, SandboxOptions } from "../../../sandbox";
import { call, type KeyPair, outcome, type SandboxResponse } from "./client";
import { sandboxes } from "./with-sandbox";

/** An organization with a project, an organization team, invitations and keys, and requests that name them by a word. */

/** A request, its body if it has one, and what the response is: status and error code, or a part of its body. */
export type Step =
  | readonly [request: string, is: string | object]
  | readonly [request: string, body: unknown, is: string | object];

export interface Scene {
  readonly sandbox: Sandbox;
  /** The IDs that `{word}` stands for. `last` is the ID in the last response that has one. */
  readonly ids: Record<string, string>;
  /** Carries out a request such as `GET /groups/{project}`. `wait 60` advances the clock. */
  ask(request: string, body?: unknown, key?: KeyPair): Promise<SandboxResponse>;
  /** Carries out requests one after the other. */
  play(steps: readonly Step[]): Promise<void>;
  /** A key with these roles in the project, in the organization or in all. */
  keyWith(...roles: string[]): KeyPair;
}

const readOnly = ["GROUP_READ_ONLY"];

function populate(sandbox: Sandbox): Record<string, string> {
  const { orgId: org } = sandbox;
  const member = (name: string) =>
    sandbox.setOrgMember(org, { username: `${name}@example.com` }, ["ORG_MEMBER"]);
  const project = sandbox.addProject({ name: "payments" }).id;
  const { id: owner } = sandbox.setMember(project, { username: "owner@example.com" }, ["GROUP_OWNER"]);
  const ann = member("ann").id;
  return {
    org,
    project,
    owner,
    ann,
    bob: member("bob").id,
    member: sandbox.setMember(project, { username: "member@example.com" }, readOnly).id,
    outsider: sandbox.addUser({ username: "outsider@example.com" }).id,
    other: sandbox.addProject({ name: "other" }).id,
    team: sandbox.addTeam({ name: "platform", userIds: [ann] }).id,
    foreignOrg: sandbox.addOrg({ name: "Foreign" }).id,
    invitation: sandbox.addInvitation(project, { username: "new@example.com", roles: readOnly }).id,
    orgInvitation: sandbox.addOrgInvitation(org, { username: "newest@example.com", roles: ["ORG_MEMBER"] })
      .id,
    agentKey: sandbox.addAgentKey(project).id,
    apiKey: sandbox.addKey({ desc: "ci", orgId: org, roles: [{ orgId: org, roleName: "ORG_MEMBER" }] }).id,
    nobody: "5f0000000000000000000fff",
  };
}

/** Starts a scene for one test. */
export function scenes(): (options?: SandboxOptions) => Promise<Scene> {
  const start = sandboxes();
  return async (options = {}) => {
    const sandbox = await start(options);
    const ids = populate(sandbox);
    const filled = (text: string) => text.replace(/\{(\w+)\}/g, (word, name: string) => ids[name] ?? word);
    const ask: Scene["ask"] = async (request, body, key) => {
      const [method = "", path = ""] = filled(request).split(" ");
      const sent = body === undefined || typeof body === "string" ? body : filled(JSON.stringify(body));
      const response = await call(sandbox, method, path, sent, key);
      const id = response.json?.id ?? response.json?._id;
      if (id !== undefined) ids.last = id;
      return response;
    };
    const play: Scene["play"] = async (steps) => {
      for (const [request, ...rest] of steps) {
        if (request.startsWith("wait ")) sandbox.advanceClock(Number(request.slice(5)));
        else
          await expectStep(await ask(request, rest.length === 2 ? rest[0] : undefined), request, rest.at(-1));
      }
    };
    const keyWith = (...roles: string[]) =>
      sandbox.addKey({ roles: roles.map((role) => grantOf(role, ids)) });
    return { sandbox, ids, ask, play, keyWith };
  };
}

async function expectStep(response: SandboxResponse, request: string, is: unknown): Promise<void> {
  if (typeof is === "string") expect(`${request}: ${outcome(response)}`).toBe(`${request}: ${is}`);
  else expect(response.json).toMatchObject(is as object);
}

function grantOf(roleName: string, { project = "", org = "" }: Record<string, string>): RoleGrant {
  if (roleName.startsWith("GROUP_")) return { groupId: project, roleName };
  return roleName.startsWith("ORG_") ? { orgId: org, roleName } : { roleName };
}
