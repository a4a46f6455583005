/** Which operations of the API this service offers. Writes are never tried. */
import { type Finding, failed, ok, skipped, warning } from "./finding";
import type { Survey } from "./survey";

type Looked = Exclude<keyof Survey, "orgId" | "projectId">;

/** Operations that a look was taken at, and what is missing without them. */
const READS: readonly (readonly [Looked, operation: string, without: string])[] = [
  ["projects", "GET /groups", "getProjects and the command adopt cannot list projects"],
  ["project", "GET /groups/{id}", "a Project works with projectId only, and its drift cannot be seen"],
  ["organizations", "GET /orgs", "the commands need --org"],
  [
    "organizationProjects",
    "GET /orgs/{id}/groups",
    "projects cannot be found by name, nor confirmed as gone",
  ],
  [
    "people",
    "GET /groups/{id}/users",
    "ProjectMembers cannot be used, and a ProjectMember's roles cannot be seen",
  ],
  [
    "invitations",
    "GET /groups/{id}/invites",
    "who is invited cannot be seen: ProjectMember works by invitationId",
  ],
  ["invitation", "GET /groups/{id}/invites/{id}", "a pending invitation cannot be looked up by its id"],
  ["account", "GET /users/{id}", "an account cannot be checked by its userId"],
  ["accountByName", "GET /users/byName/{name}", "somebody with an account is invited instead of added"],
];

/** Nobody can tell without changing something: other methods on a path that is there say nothing of these. */
const WRITES =
  "POST, PATCH and DELETE below /groups: not tried, as they would change something. PATCH /groups/{id}, DELETE of a user and of an invitation are documented for every version.";

export function checkOperations(survey: Survey): Finding[] {
  const reads = READS.map(([name, operation, without]) => {
    const check = `operations.${name}`;
    const sight = survey[name];
    if (sight.kind === "missing")
      return warning(check, `${operation} is not offered.`, `Without it, ${without}.`);
    return sight.kind === "unclear"
      ? failed(check, `${operation}: ${sight.why}`)
      : ok(check, `${operation} is offered`);
  });
  return [...reads, skipped("operations.writes", WRITES)];
}
