/** Finds the project files that declare the resources of a report. */

import { resolve } from "node:path";
import { type LocateProperty, locateProjects } from "../../projects/load";
import { attempt } from "../../provider/attempt";
import { parsePath } from "../../provider/resources/contract/property-path";
import { logicalName, treatmentOf, typeOf } from "../lib/own-resources";
import { pathInRepository } from "../lib/report-files";
import type { Report } from "./report/model";

type Location = NonNullable<Report["findings"][number]["location"]>;

/**
 * Returns the location of a property of a resource in a project file; `undefined` if no project
 * file declares the resource. If the files have a fault, no location is found.
 *
 * @param folders of the ProjectFolders, relative to `directory`
 */
export function projectFileLocations(
  folders: readonly string[],
  directory: string,
): (urn: string, property: string) => Location | undefined {
  const located = [...new Set(folders)].flatMap(
    (folder) => attempt(() => locateProjects(folder, directory)) ?? [],
  );
  return (urn, property) => {
    if (!urn.split("::")[2]?.includes(":ProjectFolder$")) return undefined;
    const [key = "", ...rest] = logicalName(urn).split("/");
    const toFile = treatmentOf(typeOf(urn))?.pathInProjectFile?.(rest.join("/"));
    const [locate, ...others] = located.flatMap((projects): LocateProperty[] => {
      const found = projects.get(key);
      return found ? [found] : [];
    });
    // Two folders with the same key: the name of the resource does not show which one declares it.
    if (toFile === undefined || locate === undefined || others.length > 0) return undefined;
    const { file, ...position } = locate(toFile.length > 0 ? toFile : parsePath(property));
    return { file: pathInRepository(resolve(directory, file)), ...position };
  };
}

/** The report with the location of each finding and undetermined thing that a project file declares. */
export function withLocations(report: Report, locationOf: ReturnType<typeof projectFileLocations>): Report {
  const located = <T extends object>(thing: T, urn: string, property: string): T => {
    const location = locationOf(urn, property);
    return location === undefined ? thing : { ...thing, location };
  };
  return {
    ...report,
    findings: report.findings.map((finding) => located(finding, finding.urn, finding.property)),
    unreadable: report.unreadable.map((thing) => located(thing, thing.what, "")),
  };
}
