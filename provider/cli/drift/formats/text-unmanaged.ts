/** What nobody owns, for a person at a terminal. */
import { visibleText } from "../../../visible-text";
import { countedStrays, directPeople, type Unmanaged } from "../report";
import { counted, coverageText, ignoredText, indirectPeople, valueText } from "./wording";

/**
 * A paragraph each: the coverage, the projects, the people.
 *
 * @param dim for the lines of what a rule has taken out
 */
export function unmanagedText(found: Unmanaged, dim: (line: string) => string): string[] {
  const { organizations, projects } = found;
  const strays = countedStrays(found);
  const indirect = indirectPeople(found);
  const name = (text: string) => (/^[\w.@+-]+$/.test(text) ? text : valueText(text));
  const withRule = (line: string, { ignored }: Pick<Unmanaged["projects"][number], "ignored">) =>
    ignored === undefined ? line : dim(line + ignoredText(ignored));
  const inProject = (person: Unmanaged["people"][number]) => {
    const { username, projectName, projectId, roles, status } = person;
    const place = `${visibleText(username)} in ${name(projectName)} (${projectId})`;
    return withRule(`  ${place}: ${[status, ...roles].join(", ")}`, person);
  };
  return [
    [
      `Unmanaged: ${counted(strays.projects.length, "project", "projects")}, ${counted(strays.people.length, "person", "people")}.`,
      ...organizations.map(
        (each) =>
          `  organization ${each.orgId}: managed are ${coverageText(each.projects)} projects, ${coverageText(each.people)} people`,
      ),
    ],
    projects.map((project) => {
      const of = `a project of organization ${project.orgId} that no resource owns`;
      return withRule(`  ${name(project.name)} (${project.projectId}): ${of}`, project);
    }),
    directPeople(found).map(inProject),
    indirect.length === 0
      ? []
      : [
          "In only through a team or the organization, and so not to be managed in a project:",
          ...indirect.map(
            ({ username, projects: places }) =>
              `  ${visibleText(username)} in ${typeof places === "number" ? `${places} projects` : places.map(name).join(", ")}`,
          ),
        ],
  ]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"));
}
