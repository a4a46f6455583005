/** The roles of one team in one project. */
import { z } from "zod";
import { addTeamToProject, removeTeamFromProject, setRolesOfTeam } from "../../api/teams";
import { hasCode, RefusedError } from "../../text/errors";
import { joinId } from "../../text/object-id";
import { nameText, objectId, optionalText, projectIdInput, requiredText } from "../contract/fields";
import { defineListing } from "../contract/listing";
import { removeByDefault } from "../contract/on-destroy";
import { roleList } from "../contract/people-inputs";
import type { ProjectContext } from "../contract/resource";
import { untilInput } from "../contract/until";
import { isTeamInProject, meaningOf } from "../evidence/meaning";
import { Refusal } from "../evidence/refusal";
import { orReached, reachedAfterLoss, readDespite } from "../evidence/reread";
import { factsOf } from "../reads/project-facts";
import { ProjectPeopleCache } from "../reads/project-people";
import { named, namedTeamsOfProject, nameOfTeam, TeamCache, teamNamed } from "../reads/teams";
import { whileRefused } from "../session/pause";
import { GivenNames } from "../session/taken-name";
import { claimTeam, claimTeamId, declarerOfTeam } from "../session/team-claims";
import { Writes } from "../session/writes";
import { grantOutputs } from "./declared";
import { grantResource } from "./engine";
import type { GrantPort, HolderIdentity, RolesWrite } from "./port";

const onDestroy = removeByDefault(
  "What destroying does: `remove` removes the team from the project; `release` only removes the resource from the state. The team itself stays in either case.",
);

const inputs = z.strictObject({
  projectId: objectId("the id of a project").meta({
    description:
      "ID of the project, 24 hexadecimal digits. If it changes, the team is added to the new project first and removed from the old one last.",
  }),
  teamId: objectId("the id of a team").optional().meta({
    description: "ID of the team, 24 hexadecimal digits. Exactly one of `teamId` and `teamName` is needed.",
  }),
  teamName: nameText().optional().meta({
    description:
      "Name of the team in the organization that has the project, in place of `teamId`. A team that is renamed later remains the same team.",
  }),
  roles: roleList("a team").meta({
    description:
      "Project roles of the team, a set with at least one entry, such as `GROUP_READ_ONLY`. They replace the roles that the team has.",
  }),
  until: untilInput(
    "the roles of the team in the project",
    "takes them away, whoever gave them, and so does each later update if somebody gives them again",
    "gives the roles again",
  ),
  onDestroy: onDestroy.input,
});

const outputs = z.object({
  teamId: requiredText("ID of the team, 24 hexadecimal digits."),
  teamName: optionalText("Name of the team now; absent if the service does not show it to the API key."),
  ...grantOutputs(
    onDestroy,
    "Whether this resource added the team to the project, adopted it there, or imported it.",
  ),
});

const teamOf = ({ id, name }: HolderIdentity) => ({ teamId: id, teamName: name });

const port: GrantPort = {
  noun: "team",
  unread: "teams",
  keepsName: false,
  newName: ({ id, name, orgId }, session) =>
    name === undefined || orgId === undefined
      ? undefined
      : session.of(GivenNames).otherNameOf("Team", orgId, { id, name }),
  nameToRecord: (recorded, shown) => shown ?? recorded,
  toHolder: (identity) => ({ kind: "team", ...teamOf(identity) }),
  claim: (declared, found, { session, urn, projectId }) =>
    found === undefined
      ? claimTeam(projectId, teamOf(declared), { session, urn })
      : claimTeamId(projectId, teamOf(declared), found.id, session),
  declarerOf: (holder, { session, urn, projectId }) =>
    declarerOfTeam(projectId, teamOf(holder), session, urn),
  async grants(purpose, { session, projectId, signal }) {
    const teams = await session.of(TeamCache).ofProject.read(projectId, purpose, signal);
    return teams instanceof Refusal ? teams : teams.map(({ teamId, roles }) => ({ id: teamId, roles }));
  },
  async isPlanned({ name }, orgId, context) {
    if (name === undefined || orgId === undefined) return false;
    if (declarerOfTeam(orgId, { teamName: name }, context.session) === undefined) return false;
    const existing = await teamNamed(name, orgId, context);
    return existing === undefined || context.session.of(GivenNames).mayBeGivenUp("Team", orgId, existing);
  },
  async find({ id, name = "" }, orgId, purpose, context) {
    if (id !== undefined) return { id, name: await nameOfTeam(id, orgId, context) };
    if (orgId === undefined) {
      throw new RefusedError(
        `Team "${name}" cannot be found by name: these credentials cannot read project ${context.projectId}, so its organization is not known. Set teamId instead.`,
      );
    }
    const found = await teamNamed(name, orgId, context, purpose);
    if (found && context.session.of(GivenNames).isGivenUp("Team", orgId, found)) {
      throw new RefusedError(
        `Team "${found.name}" (${found.id}) is renamed in this run, so it may not be the team you mean. Set teamId, or make this resource depend on the Team. Nothing was written.`,
      );
    }
    return found;
  },
  refuseLoss: () => {},
  // Its people lose their access, whichever team comes in its place.
  isReplaced: () => false,
  write: (write, context) =>
    apart(context, async () => {
      if (write.grant === undefined) return add(write, context);
      await orReached(setRoles(write, context), write.goal, context.signal);
      return "written";
    }),
  remove: ({ holder: { id, name }, goal }, context) =>
    apart(context, () => {
      const { session, projectId, signal } = context;
      const removal = removeTeamFromProject(session.client, projectId, named(id, name), signal);
      return orReached(removal, goal, signal);
    }),
};

/** Runs a write beside no other write of the project's people and teams, and discards what was read of them before. */
function apart<T>({ session, projectId }: ProjectContext, write: () => Promise<T>): Promise<T> {
  return session.of(Writes).apart(projectId, () =>
    write().finally(() => {
      session.of(TeamCache).ofProject.written(projectId);
      session.of(ProjectPeopleCache).written(projectId);
    }),
  );
}

function setRoles({ holder, roles }: RolesWrite, { session, projectId, signal }: ProjectContext) {
  const team = named(holder.id, holder.name);
  return setRolesOfTeam(session.client, projectId, { ...team, roles }, signal);
}

/** Milliseconds before each further attempt to add a team that the organization has. */
const WAITS_FOR_TEAM = [250, 500, 1000, 2000];

async function add(write: RolesWrite, context: ProjectContext): Promise<"found" | "written"> {
  const { holder, orgId, roles, goal, adopt } = write;
  const { session, projectId, signal } = context;
  const team = { ...named(holder.id, holder.name), roles };
  /** Whether the service does not know a team yet that its organization lists: one created a moment ago. */
  const isNew = async (error: unknown) =>
    meaningOf(error) === "deleted" && (await nameOfTeam(holder.id, orgId, context)) !== undefined;
  try {
    await whileRefused(
      () => addTeamToProject(session.client, projectId, team, signal),
      async (error, refusals) => ((await isNew(error)) ? WAITS_FOR_TEAM[refusals] : undefined),
      signal,
    );
    return "written";
  } catch (failure) {
    if (hasCode(failure, "OPSMANAGER_OUTCOME_UNKNOWN")) {
      await reachedAfterLoss(failure, goal);
      return "written";
    }
    const listed = await readDespite(failure, goal.read, signal);
    if (listed === undefined && !isTeamInProject(failure)) throw failure;
    adopt(listed ?? { ...holder, roles });
    // POST does not replace roles.
    if (!goal.isReached(listed)) await setRoles(write, context);
    return "found";
  }
}

export const projectTeam = grantResource(
  {
    name: "ProjectTeam",
    description: `The roles of one team in one project, which all people of the team have. Other teams and the people of the project are left alone.

Creating adds the team, or adopts a team that is in the project already and gives it the declared roles. Destroying removes the team from the project, unless \`onDestroy\` is \`release\`; the team stays in its organization. People who are in the project only through a team are no direct members: \`ProjectMembers\` neither lists nor removes them.`,
    inputs,
    outputs,
    listing: defineListing(z.strictObject({ projectId: projectIdInput }), async ({ projectId }, context) => {
      const { orgId } = await factsOf({ ...context, projectId });
      const teams = await namedTeamsOfProject({ projectId, orgId }, context);
      return teams.map(({ teamId, name = teamId }) => ({ id: joinId(projectId, teamId), name }));
    }),
    duties: {
      whenRemoved: 'The team loses its roles in the project. With `onDestroy: "release"` it keeps them.',
      counted: "the team",
      whenDeletedFirst: "The team leaves the project and is added again.",
      withFourOperations: "Cannot be created.",
      identifiedBy: ["projectId", "teamId", "teamName"],
    },
    identity: ["teamId", "teamName"],
    onDestroy,
  },
  port,
);
