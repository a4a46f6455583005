/** Where the organization of new files is written: once, or in each file. Pure. */
import { parseSource } from "../../projects/source";

export interface DefaultsFile {
  readonly path: string;
  readonly text: string;
}

interface FolderContents {
  /** Of the folder in which the new files are, and of those above it that their files inherit from; the nearest first. */
  readonly defaults: readonly DefaultsFile[];
  /** Whether the new defaults of the whole folder would be beside others. */
  readonly hasRootDefaults: boolean;
  /** The organizations of all files, those of the setting included. */
  readonly organizations: readonly string[];
  /** The setting names the organization, and files that exist leave it to that. */
  readonly isOfSetting: boolean;
}

/**
 * `inherited`: defaults or the setting have it. `new defaults`: no file says otherwise, and there are
 * no defaults to which it would have to be added. `each file`: defaults exist without it, and existing
 * files are never edited, or files of the folder belong to another organization.
 */
export function placeOfOrganization(
  { defaults, hasRootDefaults, organizations, isOfSetting }: FolderContents,
  orgId: string,
): "inherited" | "new defaults" | "each file" {
  const [nearest] = defaults.flatMap((file) => organizationIn(file) ?? []);
  if (nearest !== undefined) return nearest === orgId ? "inherited" : "each file";
  if (!hasRootDefaults && organizations.every((each) => each === orgId)) return "new defaults";
  return isOfSetting ? "inherited" : "each file";
}

function organizationIn({ path, text }: DefaultsFile): string | undefined {
  const { content } = parseSource(path, Buffer.from(text));
  const value = content?.entries.get("orgId")?.value;
  return value === undefined ? undefined : value.kind === "scalar" ? String(value.value).toLowerCase() : "";
}
