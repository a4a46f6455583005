/** The recorded state of a team in a project. Pure. */
import { z } from "zod";
import { recordedAs, type StateOf } from "../border";
import { optionalText, text } from "../fields";
import { recordedOrgId } from "../membership/outputs";
import type { Origin } from "../observations";
import { splitId } from "../project-member/state";
import type { ProjectTeamEntry } from "../team/team-cache";
import { known, type Properties } from "../values";
import type { ProjectTeamInputs, projectTeamInputs } from "./inputs";

/** Outputs beside those that hold the live value of an input. */
export const projectTeamOutputs = z.object({
  teamId: text("Id of the team, 24 hexadecimal digits."),
  teamName: optionalText("Name of the team now; absent if the service does not show it to the API key."),
  orgId: recordedOrgId,
  origin: z.enum(["created", "adopted", "imported"]).meta({
    description: "Whether this resource added the team to the project, adopted it there, or imported it.",
  }),
  onDestroy: z.enum(["remove", "release"]).meta({ description: "What destroying will do." }),
});

export type ProjectTeamState = StateOf<typeof projectTeamInputs, typeof projectTeamOutputs>;

/** State comes from our own replies. An older one may lack what came later; the id has both ids. */
export function asProjectTeamState(state: Properties, id: string): ProjectTeamState {
  const recorded = recordedAs<ProjectTeamState>(state);
  const { projectId, person: teamId } = splitId(id);
  return {
    ...recorded,
    projectId: recorded.projectId ?? projectId,
    teamId: recorded.teamId ?? teamId,
    roles: recorded.roles ?? [],
    origin: recorded.origin ?? "adopted",
    onDestroy: recorded.onDestroy ?? "remove",
  };
}

export function projectTeamId(projectId: string, teamId: string): string {
  return `${projectId}/${teamId}`;
}

export interface TeamFacts {
  readonly projectId: string;
  readonly teamName: string | undefined;
  readonly orgId: string | undefined;
  readonly origin: Origin;
}

export function toProjectTeamState(
  { teamId, roles }: ProjectTeamEntry,
  inputs: Partial<ProjectTeamInputs>,
  { projectId, teamName, orgId, origin }: TeamFacts,
): ProjectTeamState {
  return { projectId, teamId, teamName, roles, orgId, origin, onDestroy: effectiveOnDestroy(inputs) };
}

export function effectiveOnDestroy({ onDestroy }: Partial<ProjectTeamInputs>): "remove" | "release" {
  return known(onDestroy) === "release" ? "release" : "remove";
}
