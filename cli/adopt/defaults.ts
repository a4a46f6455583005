/** Where the organization of the adopted projects is written: once, or in each file. Pure. */
import { parseSource } from "../../projects/source";

/** What the folder of the project files says of organizations. */
interface FolderContents {
  readonly files: readonly { readonly orgId: string }[];
  /** The folder's own file of defaults, if there is one. */
  readonly defaults: { readonly path: string; readonly text: string } | undefined;
}

/**
 * `inherited`: the folder's defaults have it. `new defaults`: no file and no defaults say
 * otherwise. `each file`: defaults exist without it, and existing files are never edited, or files
 * of the folder belong to another organization.
 */
export function placeOfOrganization(
  { files, defaults }: FolderContents,
  orgId: string,
): "inherited" | "new defaults" | "each file" {
  if (defaults !== undefined) {
    const { content } = parseSource(defaults.path, Buffer.from(defaults.text));
    const value = content?.entries.get("orgId")?.value;
    const isSame = value?.kind === "scalar" && String(value.value).toLowerCase() === orgId;
    return isSame ? "inherited" : "each file";
  }
  return files.every((file) => file.orgId.toLowerCase() === orgId) ? "new defaults" : "each file";
}
