/** Reports which operations of the API this service offers. Writes are never tried. */
import { type DoctorResult, type Finding, failed, named, ok, skipped, warning } from "./results";
import type { ServiceReading, ServiceState } from "./service-state";

type ReadName = Exclude<keyof ServiceState, "orgId" | "projectId">;

/** Operations that were tried, and the effect of a missing one. */
const READS: readonly (readonly [ReadName, operation: string, effect: string])[] = [
  ["projects", "GET /groups", "getProjects and the command adopt cannot list projects"],
  ["project", "GET /groups/{id}", "a Project works with projectId only, and its drift is not detected"],
  ["organizations", "GET /orgs", "the commands need --org"],
  [
    "organizationProjects",
    "GET /orgs/{id}/groups",
    "projects cannot be found by name, and their deletion cannot be confirmed",
  ],
  [
    "people",
    "GET /groups/{id}/users",
    "ProjectMembers cannot be used, and a ProjectMember's roles cannot be read",
  ],
  [
    "invitations",
    "GET /groups/{id}/invites",
    "pending invitations cannot be listed, so ProjectMember works by invitationId",
  ],
  ["invitation", "GET /groups/{id}/invites/{id}", "a pending invitation cannot be read by its id"],
  ["teams", "GET /orgs/{id}/teams", "a Team cannot be used, and a ProjectTeam needs a teamId"],
  ["projectTeams", "GET /groups/{id}/teams", "a ProjectTeam cannot be used"],
  ["agentKeys", "GET /groups/{id}/agentapikeys", "an AgentApiKey cannot be used"],
  ["account", "GET /users/{id}", "an account cannot be checked by its userId"],
  ["accountByName", "GET /users/byName/{name}", "a user with an account is invited instead of added"],
];

/**
 * Writes cannot be checked without a change: other methods on an existing path show nothing about
 * them.
 */
const WRITES =
  "POST, PATCH and DELETE below /groups: not tried, because they would change objects. PATCH /groups/{id}, DELETE of a user and of an invitation are documented for every version.";

export function checkOperations(state: ServiceState): DoctorResult[] {
  const reads = READS.map(([name, operation, effect]) => {
    return named(`operations.${name}`, judge(state[name], operation, effect));
  });
  return [...reads, named("operations.writes", skipped(WRITES))];
}

function judge(result: ServiceReading<unknown>, operation: string, effect: string): Finding {
  if (result.kind === "missing") return warning(`${operation} is not offered.`, `Without it, ${effect}.`);
  return result.kind === "unclear" ? failed(`${operation}: ${result.why}`) : ok(`${operation} is offered`);
}
