/** An organization with its owner olga, for stories about its people on the model of the engine. */
import type { Sandbox, SandboxOptions } from "../../../sandbox";
import type { Program, ProviderKind } from "../../support";
import { setUpStack } from "../../support/model-stack";

export const orgId = "5f00000000000000000000b1";
export const ada = "ada@example.com";
export const olga = "olga@example.com";
/** As Cloud Manager documents it. */
export const offered: SandboxOptions = { orgUserChanges: "offered" };

type Resources = NonNullable<Program["resources"]>;

export function member(properties: object = {}, options = {}): Resources[string] {
  return {
    type: "OrganizationMember",
    properties: { orgId, username: ada, roles: ["ORG_MEMBER"], ...properties },
    options,
  };
}

export async function setUpPeople(
  resources: Resources,
  { provider = "plugin", ...options }: SandboxOptions & { readonly provider?: ProviderKind } = offered,
) {
  const owner = [{ orgId, roleName: "ORG_OWNER" }];
  const users = [{ username: olga, roles: owner }];
  const seed = { orgs: [{ id: orgId, name: "Example Org" }], users };
  const { sandbox, stack } = await setUpStack({
    provider,
    sandbox: { seed, ...options },
    program: () => ({ resources }),
  });
  const declare = (declared: Resources) => stack.setProgram({ resources: declared });
  return { sandbox, stack, declare };
}

/** The members and the invited people except olga, with their roles. */
export function peopleOf({ state }: Sandbox): string[] {
  const members = state.users.flatMap(({ username, roles }) => {
    const own = roles.filter((role) => role.orgId === orgId).map(({ roleName }) => roleName);
    return own.length === 0 ? [] : [`${username} ${own.sort().join(" ")}`];
  });
  const invited = state.invitations.map(({ username, roles }) => `${username} is invited ${roles.join(" ")}`);
  return [...members, ...invited].filter((text) => !text.startsWith(olga));
}
