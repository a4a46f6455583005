/** An organization with a project, and the keys of it: for stories about API keys on the model of the engine. */
import type { Sandbox, SandboxOptions, Seed } from "../../../sandbox";
import type { Program, ProviderKind, ResourceDeclaration } from "../../support";
import { setUpStack } from "../../support/model-stack";

export const orgId = "5f00000000000000000000b1";
export const projectId = "5f00000000000000000000a1";
export const otherProjectId = "5f00000000000000000000a2";

/** The key of another program, with a role in both projects. */
export const theirs = {
  id: "5f00000000000000000000c1",
  publicKey: "theirkey",
  desc: "theirs",
  orgId,
  roles: [
    { orgId, roleName: "ORG_READ_ONLY" },
    { groupId: projectId, roleName: "GROUP_READ_ONLY" },
    { groupId: otherProjectId, roleName: "GROUP_OWNER" },
  ],
};

export const admin = { publicKey: "adminkey", privateKey: "5e5e5e5e-0000-4000-8000-0123456789ab" };

export const ownKeyId = "5f00000000000000000000c0";

/** The provider's key: an owner of the organization, and so a key of it. */
const own = {
  id: "5f00000000000000000000c0",
  ...admin,
  desc: "admin",
  orgId,
  roles: [{ orgId, roleName: "ORG_OWNER" }],
};

export const seed: Seed = {
  orgs: [{ id: orgId, name: "Example Org" }],
  projects: [
    { id: projectId, name: "payments" },
    { id: otherProjectId, name: "search" },
  ],
  keys: [own, theirs],
};

export async function setUpKeys(
  resources: NonNullable<Program["resources"]>,
  { provider = "plugin", ...options }: SandboxOptions & { readonly provider?: ProviderKind } = {},
) {
  const { sandbox, stack } = await setUpStack({
    provider,
    sandbox: { seed, ...options },
    program: () => ({ resources }),
    config: admin,
  });
  const declare = (declared: NonNullable<Program["resources"]>) => stack.setProgram({ resources: declared });
  return { sandbox, stack, declare };
}

export function apiKey(
  properties: object = {},
  options: ResourceDeclaration["options"] = {},
): ResourceDeclaration {
  return {
    type: "ApiKey",
    properties: { orgId, description: "ci", roles: ["ORG_MEMBER"], ...properties },
    options,
  };
}

export function projectApiKey(properties: object = {}): ResourceDeclaration {
  return { type: "ProjectApiKey", properties: { projectId, roles: ["GROUP_READ_ONLY"], ...properties } };
}

/** The keys of the service beside those that exist from the start. */
export function newKeys({ state }: Sandbox) {
  return state.keys.filter(({ publicKey }) => ![admin.publicKey, theirs.publicKey].includes(publicKey));
}

export function theNewKey(sandbox: Sandbox) {
  const [key, ...others] = newKeys(sandbox);
  if (key === undefined || others.length > 0)
    throw new Error(`Expected one new key, found ${others.length}.`);
  return key;
}

export function keyWith(sandbox: Sandbox, publicKey: string) {
  const key = sandbox.state.keys.find((candidate) => candidate.publicKey === publicKey);
  if (key === undefined) throw new Error(`There is no key ${publicKey}.`);
  return key;
}

/** Roles as texts: `GROUP_OWNER 5f…a1`. */
export function rolesOf(sandbox: Sandbox, publicKey: string): string[] {
  return keyWith(sandbox, publicKey)
    .roles.map((grant) => `${grant.roleName} ${grant.groupId ?? grant.orgId ?? "everywhere"}`)
    .sort();
}
