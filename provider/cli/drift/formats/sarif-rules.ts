/** One rule of SARIF for each way in which something is not as declared. The ids are kept: alerts are told apart by them. */

export type RuleId = "changed" | "added" | "removed" | "deleted" | "unreadable" | "unmanaged";

const RESTORE =
  "The message shows whether the object was changed outside Pulumi or the program is not applied yet. `pulumi up` restores what the program declares. To keep the live value, write it into the program. To leave the difference out of the count, add a rule with a reason to the ignore file of `opsmanager drift`.";

export const RULES = [
  rule("changed", "warning", {
    name: "ChangedProperty",
    short: "A declared property has another value at the service.",
    help: `The live value is another one. ${RESTORE}`,
  }),
  rule("added", "warning", {
    name: "NotDeclared",
    short: "Something exists that is not declared.",
    help: `A tag, a mapping or a person exists in a property that the program owns, or a resource is no longer in the program. ${RESTORE}`,
  }),
  rule("removed", "warning", {
    name: "Missing",
    short: "Something declared does not exist.",
    help: `A declared tag, mapping, person or resource does not exist. ${RESTORE}`,
  }),
  rule("deleted", "error", {
    name: "Deleted",
    short: "A declared object no longer exists.",
    help: "The whole object no longer exists; its organization confirmed it. `pulumi up` creates another one, which has neither the data nor the id of the former one. If you do not need it, remove the resource from the program.",
  }),
  rule("unreadable", "error", {
    name: "NotDetermined",
    short: "It could not be determined whether the object is as declared.",
    help: "The object could not be read, or the state does not prove what was declared. The message shows the reason; often the API key lacks a role. The report is incomplete.",
  }),
  rule("unmanaged", "note", {
    name: "Unmanaged",
    short: "No resource of the given stacks owns it.",
    help: "A project, a person or an invitation that was made by hand. `opsmanager adopt` writes what is needed to take it over; if it is nobody's business, name it in the ignore file with `kind: unmanaged` and a reason.",
  }),
];

function rule(
  id: RuleId,
  level: "error" | "warning" | "note",
  { name, short, help }: { readonly name: string; readonly short: string; readonly help: string },
) {
  return {
    id,
    name,
    shortDescription: { text: short },
    fullDescription: { text: short },
    help: { text: help.replaceAll("`", ""), markdown: help },
    defaultConfiguration: { level },
    properties: { tags: ["drift"] },
  };
}
