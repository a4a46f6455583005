/**
 * The changes of the people of a team. Someone leaves only if all listed people are in the team then.
 */

import { addUserToTeam, removeUserFromTeam, type TeamName } from "../../api/teams";
import { messageOf, RefusedError } from "../../text/errors";
import type { TeamPerson } from "../contract/people-outputs";
import type { Context } from "../contract/resource";
import type { EndedPerson } from "../contract/until";
import { removeAtEnd } from "../evidence/not-offered";
import { RUN_AGAIN } from "../evidence/reread";
import type { Change, ChangedPlace, Progress } from "../lists/changes";
import { Underway } from "../session/underway";

export interface TeamChange extends Change<TeamPerson> {
  readonly account: TeamPerson;
}

export class ChangedTeam implements ChangedPlace<TeamPerson, TeamChange> {
  /** @param listPeople reads the people, with what is recorded of them */
  constructor(
    private readonly team: TeamName & { readonly orgId: string },
    private readonly listPeople: (signal: AbortSignal) => Promise<readonly TeamPerson[]>,
    private readonly context: Context,
  ) {}

  addition(account: TeamPerson): TeamChange {
    const { team, context } = this;
    const { userId, username } = account;
    return {
      account,
      username,
      send: async () => {
        await addUserToTeam(context.session.client, team.orgId, team, account, context.signal);
        return {};
      },
      contradiction: (people) =>
        people.some((person) => person.userId === userId)
          ? undefined
          : `The service accepted ${username} for team "${team.teamName}", but does not list this person in it.`,
    };
  }

  /** @param end the last day, if that is why the person leaves */
  removal(leaver: TeamPerson, end?: EndedPerson): TeamChange {
    const { team } = this;
    const context = { ...this.context, end };
    const { client } = context.session;
    const { userId, username } = leaver;
    return {
      account: leaver,
      username,
      leaver,
      end,
      send: async ({ people }) => {
        const remove = () => removeUserFromTeam(client, team.orgId, team, leaver, context.signal);
        await removeAtEnd(remove, context).catch((error: unknown) => {
          if (end === undefined || people.some((one) => one.userId !== userId)) throw error;
          throw new RefusedError(
            `${messageOf(error)} ${username} is the last person of team "${team.teamName}". To end this access, list somebody else, give the team's roles in projects a last day, or remove the team from the program.`,
            { cause: error },
          );
        });
        return {};
      },
      contradiction: (people) =>
        people.some((person) => person.userId === userId)
          ? `The service accepted the removal of ${username} from team "${team.teamName}", but still lists this person in it.`
          : undefined,
      lastOwner: (refusal) =>
        `${username} stays in team "${team.teamName}": without this person, a project would have no owner. Give GROUP_OWNER in that project to another person first. (${refusal.message})`,
    };
  }

  list(_: unknown, signal: AbortSignal): Promise<readonly TeamPerson[]> {
    return this.listPeople(signal);
  }

  isSame(one: TeamPerson, other: TeamPerson): boolean {
    return one.userId === other.userId;
  }

  /** The service alone knows the projects of the team, and refuses to remove the last owner of one. */
  isOwner(): boolean {
    return false;
  }

  othersSettled(): Promise<void> {
    return this.context.session.of(Underway).othersSettled(this.context.urn);
  }

  /** Another program may have added the person, or only the response was lost. */
  async unfinished(progress: Progress<TeamPerson, TeamChange>): Promise<readonly string[]> {
    if (progress.failed().length > 0 && !this.context.signal.aborted) {
      await progress.reread().catch(() => undefined);
    }
    return progress.failed();
  }

  postponed(staying: readonly string[]): readonly string[] {
    return staying.map(
      (username) => `${username} stays in team "${this.team.teamName}" until the other failure is corrected.`,
    );
  }

  unreadable(error: unknown): string {
    return `The people of team "${this.team.teamName}" could not be read after it was changed. ${RUN_AGAIN} (${messageOf(error)})`;
  }
}
