/** An organization with a project, and the keys of it: for stories about API keys on the model of the engine. */
import type { Sandbox, SandboxOptions, Seed } from "../../../sandbox";
import { type Program, type ProviderKind, type ResourceDeclaration, succeeded } from "../../support";
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
  id: ownKeyId,
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

/** The stack has created the key `ci`. */
export async function holdKey(
  properties: object = {},
  {
    options,
    ...setup
  }: NonNullable<Parameters<typeof setUpKeys>[1]> & Pick<ResourceDeclaration, "options"> = {},
) {
  const held = await setUpKeys({ ci: apiKey(properties, options) }, setup);
  const { sandbox, stack, declare } = held;
  await succeeded(stack.up());
  sandbox.clearRequests();
  const { id, publicKey } = theNewKey(sandbox);
  return {
    ...held,
    id,
    publicKey,
    outputs: async () => (await stack.resource("ci"))?.outputs,
    /** Declares it with other properties beside those of its creation. */
    change: (more: object) => declare({ ci: apiKey({ ...properties, ...more }, options) }),
  };
}

/** An entry of an access list, as the service shows it. */
export const entryOf = (cidrBlock: string) => ({ cidrBlock, created: "2026-01-02T03:04:05Z" });

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
