/** What nobody owns, for a person at a terminal. */
import type { Unmanaged } from "../report";
import { counted, coverageText, directPeople, indirectPeople, valueText, visible } from "./wording";

/** A paragraph each: the coverage, the projects, the people. */
export function unmanagedText(found: Unmanaged): string[] {
  const { organizations, projects } = found;
  const direct = directPeople(found);
  const indirect = indirectPeople(found);
  const name = (text: string) => (/^[\w.@+-]+$/.test(text) ? text : valueText(text));
  const inProject = ({ username, projectName, projectId, roles, status }: Unmanaged["people"][number]) =>
    `  ${visible(username)} in ${name(projectName)} (${projectId}): ${[status, ...roles].join(", ")}`;
  return [
    [
      `Unmanaged: ${counted(projects.length, "project", "projects")}, ${counted(direct.length, "person", "people")}.`,
      ...organizations.map(
        (each) =>
          `  organization ${each.orgId}: managed are ${coverageText(each.projects)} projects, ${coverageText(each.people)} people`,
      ),
    ],
    projects.map(
      ({ name: project, projectId, orgId }) =>
        `  ${name(project)} (${projectId}): a project of organization ${orgId} that no resource owns`,
    ),
    direct.map(inProject),
    indirect.length === 0
      ? []
      : [
          "In only through a team or the organization, and so not to be managed in a project:",
          ...indirect.map(
            ({ username, projects: places }) =>
              `  ${visible(username)} in ${typeof places === "number" ? `${places} projects` : places.map(name).join(", ")}`,
          ),
        ],
  ]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"));
}
