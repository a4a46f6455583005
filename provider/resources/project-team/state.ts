/** The recorded state of a team in a project. Pure. */
import { z } from "zod";
import { splitId } from "../../text/object-id";
import { recordedAs, type StateOf } from "../contract/border";
import { optionalText, requiredText } from "../contract/fields";
import type { Origin } from "../contract/on-destroy";
import type { Properties } from "../contract/values";
import { recordedOrgId } from "../people/outputs";
import type { ProjectTeamEntry } from "../reads/teams";
import { onDestroySetting, type ProjectTeamInputs, type projectTeamInputs } from "./inputs";

/** Outputs beside those that hold the live value of an input. */
export const projectTeamOutputs = z.object({
  teamId: requiredText("ID of the team, 24 hexadecimal digits."),
  teamName: optionalText("Name of the team now; absent if the service does not show it to the API key."),
  orgId: recordedOrgId,
  origin: z.enum(["created", "adopted", "imported"]).meta({
    description: "Whether this resource added the team to the project, adopted it there, or imported it.",
  }),
  onDestroy: onDestroySetting.output,
});

export type ProjectTeamState = StateOf<typeof projectTeamInputs, typeof projectTeamOutputs>;

/** State comes from our own replies. An older one may lack what came later; the id has both ids. */
export function asProjectTeamState(state: Properties, id: string): ProjectTeamState {
  const recorded = recordedAs<ProjectTeamState>(state);
  const { ownerId: projectId, name: teamId } = splitId(id);
  return {
    ...recorded,
    projectId: recorded.projectId ?? projectId,
    teamId: recorded.teamId ?? teamId,
    roles: recorded.roles ?? [],
    origin: recorded.origin ?? "adopted",
    onDestroy: recorded.onDestroy ?? "remove",
  };
}

interface ProjectTeamFacts {
  readonly projectId: string;
  readonly teamName: string | undefined;
  readonly orgId: string | undefined;
  readonly origin: Origin;
}

export function toProjectTeamState(
  { teamId, roles }: ProjectTeamEntry,
  inputs: Partial<ProjectTeamInputs>,
  { projectId, teamName, orgId, origin }: ProjectTeamFacts,
): ProjectTeamState {
  return { projectId, teamId, teamName, roles, orgId, origin, onDestroy: onDestroySetting.effective(inputs) };
}
