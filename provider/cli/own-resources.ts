/** Identifies the resources of a stack that belong to this provider, plugin or dynamic. */
const PLUGIN = "opsmanager:index:";
const DYNAMIC = "pulumi-nodejs:dynamic/opsmanager:";

/** `Project`, `ProjectMember`, `ProjectMembers`; `undefined` for a type of another provider. */
export function kindOf(type: string): string | undefined {
  const typePrefix = [PLUGIN, DYNAMIC].find((prefix) => type.startsWith(prefix));
  return typePrefix === undefined ? undefined : type.slice(typePrefix.length);
}

/** The logical name in the program: the last part of the URN, which may itself hold `::`. */
export function nameOf(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

/** The resource's own type, without those of its parents. */
export function typeOf(urn: string): string {
  return urn.split("::")[2]?.split("$").at(-1) ?? "";
}
