/** Finds the files that declare the resources of a report. */

import { resolve } from "node:path";
import { locateFiles } from "../../projects/load";
import { attempt } from "../../provider/attempt";
import { ACCESS_FOLDER_TYPE, ORGANIZATION_FILE_TYPE } from "../../provider/component";
import { parsePath } from "../../provider/resources/contract/property-path";
import { partsOfUrn } from "../../provider/text/urn";
import { logicalName, type PlaceInFile, treatmentOf, typeOf } from "../lib/own-resources";
import { pathInRepository } from "../lib/report-files";
import type { Report } from "./report/model";

/** What the file of an organization lacks is a difference of the file itself. */
const ORGANIZATION_FILE: PlaceInFile = { of: "organizations", path: () => [] };

type Location = NonNullable<Report["findings"][number]["location"]>;

/**
 * Returns the location of a property of a resource in a file; `undefined` if no file declares the
 * resource. If the files have a fault, no location is found.
 *
 * @param folders of the components, relative to `directory`
 */
export function fileLocations(
  folders: readonly string[],
  directory: string,
): (urn: string, property: string) => Location | undefined {
  const located = [...new Set(folders)].flatMap(
    (folder) => attempt(() => locateFiles(folder, directory)) ?? [],
  );
  return (urn, property) => {
    if (!partsOfUrn(urn).types.includes(`${ACCESS_FOLDER_TYPE}$`)) return undefined;
    const [key = "", ...rest] = logicalName(urn).split("/");
    const place =
      typeOf(urn) === ORGANIZATION_FILE_TYPE ? ORGANIZATION_FILE : treatmentOf(typeOf(urn))?.inFile;
    if (place === undefined) return undefined;
    const toFile = place.path(rest.join("/"));
    const [locate, ...others] = located.flatMap((files) => files[place.of].get(key) ?? []);
    // Two folders with the same key: the name of the resource does not show which one declares it.
    if (locate === undefined || others.length > 0) return undefined;
    const { file, ...position } = locate(toFile.length > 0 ? toFile : parsePath(property));
    return { file: pathInRepository(resolve(directory, file)), ...position };
  };
}

/** The report with the location of each finding and undetermined thing that a file declares. */
export function withLocations(report: Report, locationOf: ReturnType<typeof fileLocations>): Report {
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
