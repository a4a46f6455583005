/** One person in the project `payments` or in its organization: what the stories about members need of each kind. */
import type { Sandbox, SandboxOptions, Seed } from "../../../sandbox";
import { succeeded } from "../../support";
import { setUpStack } from "../../support/model-stack";
import type { ProviderKind, ResourceDeclaration } from "../../support/program";
import type { ConfigValue } from "../../support/stack-config";

export const orgId = "5f00000000000000000000b1";
export const projectId = "5f00000000000000000000a1";
export const otherProjectId = "5f00000000000000000000a2";
export const otherOrgId = "5f00000000000000000000b2";
export const [ada, bob, olga] = ["ada@example.com", "bob@example.com", "olga@example.com"];
/** What Ada is called later. */
export const lovelace = "ada.lovelace@example.com";

const seed: Seed = {
  orgs: [
    { id: orgId, name: "Example Org" },
    { id: otherOrgId, name: "Other Org" },
  ],
  users: [{ username: olga, roles: [{ orgId, roleName: "ORG_OWNER" }] }],
  projects: [
    { id: projectId, name: "payments", orgId, members: { [olga]: ["GROUP_OWNER"] } },
    { id: otherProjectId, name: "search", orgId, members: { [olga]: ["GROUP_OWNER"] } },
  ],
};

type Properties = Readonly<Record<string, unknown>>;

export interface MemberCase {
  readonly kind: "ProjectMember" | "OrganizationMember";
  readonly noun: "project" | "organization";
  readonly placeId: string;
  readonly place: Properties;
  readonly otherPlace: Properties;
  /** The path of the place, below the API. */
  readonly path: string;
  /** The roles of a program, others, and those of an owner. */
  readonly roles: readonly [string];
  readonly others: readonly [string];
  readonly owners: readonly [string];
  /** The end of the error of an import by another form. */
  readonly forms: string;
  readonly notice: string;
  /** Makes someone a member outside Pulumi, with exactly these roles. */
  readonly set: (sandbox: Sandbox, username: string, roles: readonly string[]) => { readonly id: string };
  readonly invite: (sandbox: Sandbox, username: string, roles: readonly string[]) => { readonly id: string };
  readonly remove: (sandbox: Sandbox, username: string) => void;
}

const projectMember: MemberCase = {
  kind: "ProjectMember",
  noun: "project",
  placeId: projectId,
  place: { projectId },
  otherPlace: { projectId: otherProjectId },
  path: `/groups/${projectId}`,
  roles: ["GROUP_READ_ONLY"],
  others: ["GROUP_USER_ADMIN"],
  owners: ["GROUP_OWNER"],
  forms: "<projectId>/<username>, <projectId>/<userId> or <projectId>/<invitationId>",
  notice: `people ${projectId}`,
  set: (sandbox, username, roles) => {
    sandbox.setMember(projectId, { username }, [...roles]);
    return { id: sandbox.user({ username })?.id ?? "" };
  },
  invite: (sandbox, username, roles) => sandbox.addInvitation(projectId, { username, roles: [...roles] }),
  remove: (sandbox, username) => void sandbox.removeMember(projectId, { username }),
};

const organizationMember: MemberCase = {
  kind: "OrganizationMember",
  noun: "organization",
  placeId: orgId,
  place: { orgId },
  otherPlace: { orgId: otherOrgId },
  path: `/orgs/${orgId}`,
  roles: ["ORG_MEMBER"],
  others: ["ORG_READ_ONLY"],
  owners: ["ORG_OWNER"],
  forms: "<orgId>/<username> or <orgId>/<userId>",
  notice: `organization people ${orgId}`,
  set: (sandbox, username, roles) => sandbox.setOrgMember(orgId, { username }, [...roles] as never),
  invite: (sandbox, username, roles) =>
    sandbox.addOrgInvitation(orgId, { username, roles: [...roles] as never }),
  remove: (sandbox, username) => void sandbox.removeOrgMember(orgId, { username }),
};

export const memberCases: readonly MemberCase[] = [projectMember, organizationMember];

interface Circumstances {
  readonly provider?: ProviderKind;
  readonly sandbox?: SandboxOptions;
  readonly config?: Readonly<Record<string, ConfigValue>>;
}

/** As Cloud Manager documents changes of people of an organization. */
const offered: SandboxOptions = { orgUserChanges: "offered" };

export async function startMembers(
  resources: Readonly<Record<string, ResourceDeclaration>>,
  { provider = "plugin", sandbox: options, config }: Circumstances = {},
) {
  const { sandbox, stack } = await setUpStack({
    provider,
    sandbox: { seed, ...offered, ...options },
    program: () => ({ resources }),
    ...(config && { config }),
  });
  const declare = (declared: Readonly<Record<string, ResourceDeclaration>>) =>
    stack.setProgram({ resources: declared });
  const outputs = async (name = "ada") => (await stack.resource(name))?.outputs;
  /** The only invitation is accepted, by an account of this name. */
  const accept = () => sandbox.acceptInvitation(sandbox.state.invitations[0]?.id ?? "");
  return { sandbox, stack, declare, outputs, accept };
}

/** Ada, unless other properties are given. */
export function member(
  { kind: type, place, roles }: MemberCase,
  properties: Properties = {},
  options: ResourceDeclaration["options"] = {},
): ResourceDeclaration {
  return { type, properties: { ...place, username: ada, roles, ...properties }, options };
}

/** The stack has adopted Ada, who is a member. */
export async function holdMember(which: MemberCase, circumstances: Circumstances = {}) {
  const setup = await startMembers({ ada: member(which) }, circumstances);
  const { id: userId } = which.set(setup.sandbox, ada, which.roles);
  await succeeded(setup.stack.up());
  setup.sandbox.clearRequests();
  return { ...setup, userId };
}

/** The stack has invited Ada. */
export async function holdInvitation(which: MemberCase, circumstances: Circumstances = {}) {
  const setup = await startMembers({ ada: member(which) }, circumstances);
  await succeeded(setup.stack.up());
  setup.sandbox.clearRequests();
  return setup;
}

/** The members and the invited people of the place except Olga, with their roles. */
export function peopleOf({ noun, placeId }: MemberCase, { state }: Sandbox): string[] {
  const isHere = ({ groupId, orgId: of }: { groupId?: string | undefined; orgId?: string | undefined }) =>
    noun === "project" ? groupId === placeId : groupId === undefined && of === placeId;
  const members = state.users.flatMap(({ username, roles }) => {
    const here = roles.filter(isHere).map(({ roleName }) => roleName);
    return here.length === 0 ? [] : [`${username} ${here.sort()}`];
  });
  const invited = state.invitations
    .filter(isHere)
    .map(({ username, roles }) => `${username} invited ${roles}`);
  return [...members, ...invited].filter((text) => !text.startsWith(olga));
}
