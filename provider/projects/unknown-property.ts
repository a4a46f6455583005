/** What somebody meant who wrote a name that does not exist. */
import leven from "leven";

/** Names of other tools and of the service's own API for the same thing. */
const otherWords: Readonly<Record<string, string>> = {
  organization: "orgId",
  organizationid: "orgId",
  org: "orgId",
  users: "members",
  people: "members",
  ldapmappings: "ldapGroupMappings",
  extend: "extends",
  projectname: "name",
};

const byImport: Readonly<Record<string, string>> = {
  projectid:
    "A project file tells a project by orgId and name; one that exists comes in by opsmanager adopt and pulumi import.",
};

/** @returns the sentence that follows "x is not a property." */
export function unknownProperty(name: string, known: readonly string[]): string {
  const folded = fold(name);
  const explained = byImport[folded];
  if (explained) return explained;
  const other = otherWords[folded];
  if (other !== undefined && known.includes(other)) return `Did you mean ${other}?`;
  const [nearest] = known
    .map((candidate) => ({ candidate, distance: leven(folded, fold(candidate)) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((one, two) => one.distance - two.distance);
  return nearest ? `Did you mean ${nearest.candidate}?` : `Properties are: ${[...known].sort().join(", ")}.`;
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, "");
}
