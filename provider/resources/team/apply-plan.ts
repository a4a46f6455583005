/**
 * Carries out a plan for the people of a team: additions first, and removals only if all listed
 * people are in the team then.
 */

import { addUserToTeam, removeUserFromTeam, type TeamName } from "../../api/teams";
import { messageOf } from "../../text/errors";
import type { Context } from "../contract/resource";
import { type Change, Execution } from "../people/apply";
import { never, protectAtTheEnd } from "../people/protect";
import type { TeamPerson } from "../people/team-person";
import type { Account } from "../people/write";
import type { TeamPlan } from "./plan";

interface TeamPlace extends TeamName {
  readonly orgId: string;
  readonly list: (signal: AbortSignal) => Promise<readonly TeamPerson[]>;
}

interface TeamChange extends Change<TeamPerson> {
  readonly account: Account;
}

interface TeamOutcome {
  /** The people of the team. If they could not be read, those before, and those who were added. */
  readonly people: readonly TeamPerson[];
  /** One sentence for each thing that is not as planned. */
  readonly reasons: readonly string[];
}

/** @param people of the team before */
export async function applyPlan(
  plan: Pick<TeamPlan, "additions" | "removals">,
  people: readonly TeamPerson[],
  team: TeamPlace,
  context: Context,
): Promise<TeamOutcome> {
  const { teamName } = team;
  const { signal } = context;
  const execution = new Execution<TeamPerson, TeamChange>(
    people,
    {
      list: team.list,
      isSame: (one, other) => one.userId === other.userId,
      unreadable: (error) => unreadable(team, error),
    },
    signal,
  );
  const present = new Set(people.map(({ userId }) => userId));
  const absent = plan.additions.filter(({ userId }) => !present.has(userId));
  await execution.send(...absent.map((account) => additionTo(team, account, context)));
  // Another program may have added the person, or only the response was lost.
  if (execution.unfinished().length > 0 && !signal.aborted) await execution.reread().catch(() => undefined);
  const { leaving, keptBy } = protectAtTheEnd(plan.removals, {
    unfinished: execution.unfinished(),
    // The service alone knows the projects of the team, and refuses to remove the last owner of one.
    isLastOwner: never,
  });
  await execution.send(...leaving.map((person) => removalFrom(team, person, context)));
  const outcome = await execution.outcome();
  const kept = keptBy("unfinished").map(
    ({ username }) => `${username} stays in team "${teamName}" until the other failure is corrected.`,
  );
  const added = outcome.unread.flatMap(({ leaver, account }) => (leaver ? [] : [asSent(account)]));
  return {
    people: outcome.isRead ? outcome.people : [...people, ...added],
    reasons: [...outcome.reasons, ...outcome.lastOwners, ...kept],
  };
}

/** A person who was sent counts as declared, so a later update can remove them. */
export function asSent({ userId, username }: Account): TeamPerson {
  return { userId, username, declared: true };
}

export function unreadable({ teamName }: TeamName, error: unknown): string {
  return `The people of team "${teamName}" could not be read after it was changed. Run pulumi up again: it continues from what exists. (${messageOf(error)})`;
}

function additionTo(team: TeamPlace, account: Account, { session, signal }: Context): TeamChange {
  const { userId, username } = account;
  return {
    account,
    username,
    send: async () => {
      await addUserToTeam(session.client, team.orgId, team, account, signal);
      return undefined;
    },
    contradiction: (people) =>
      people.some((person) => person.userId === userId)
        ? undefined
        : `The service accepted ${username} for team "${team.teamName}", but does not list this person in it.`,
  };
}

function removalFrom(team: TeamPlace, leaver: TeamPerson, { session, signal }: Context): TeamChange {
  const { userId, username } = leaver;
  const { teamName } = team;
  return {
    account: leaver,
    username,
    leaver,
    send: async () => {
      await removeUserFromTeam(session.client, team.orgId, team, leaver, signal);
      return undefined;
    },
    contradiction: (people) =>
      people.some((person) => person.userId === userId)
        ? `The service accepted the removal of ${username} from team "${teamName}", but still lists this person in it.`
        : undefined,
    lastOwner: (refusal) =>
      `${username} stays in team "${teamName}": without this person, a project would have no owner. Give GROUP_OWNER in that project to another person first. (${refusal.message})`,
  };
}
