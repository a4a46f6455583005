/** One rule of SARIF for each way in which something is not as declared. The ids are kept: alerts are told apart by them. */

export type RuleId = "changed" | "added" | "removed" | "deleted" | "unreadable" | "unmanaged";

const HEAL =
  "`pulumi up` makes it as the program says. If the change by hand is to stay, write it into the program; if it is nobody's business, name it in the ignore file of `opsmanager drift`, with a reason.";

export const RULES = [
  rule("changed", "warning", {
    name: "ChangedByHand",
    short: "A declared property has another value at the service.",
    help: `Somebody changed the property by hand. ${HEAL}`,
  }),
  rule("added", "warning", {
    name: "AddedByHand",
    short: "Something is at the service that nobody declared.",
    help: `Somebody added it by hand to a property that the program owns: a tag, a mapping, a person. ${HEAL}`,
  }),
  rule("removed", "warning", {
    name: "RemovedByHand",
    short: "Something declared is missing at the service.",
    help: `Somebody took it away by hand: a tag, a mapping, a person. ${HEAL}`,
  }),
  rule("deleted", "error", {
    name: "DeletedByHand",
    short: "A declared object is gone at the service.",
    help: "The whole object is gone, and the organization that it was in has confirmed it. `pulumi up` makes a new one, which has neither the data nor the id of the old one; take the resource out of the program if it is not needed any more.",
  }),
  rule("unreadable", "error", {
    name: "CouldNotBeLookedAt",
    short: "Nobody can say whether it is as declared.",
    help: "The service refused the look, or did not answer. The message says why; mostly the API key lacks a role. Whatever else the report says, it is incomplete.",
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
