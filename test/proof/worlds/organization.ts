/** What has to be true of the people of an organization after each command. */

import { type Declaration, type Recorded, unwrapped } from "../engine-model";
import type { Holds, Situation } from "./command";
import type { Identities } from "./oracle";
import { ignores, isDeletedFirst, isRecordOf, mayBeReplaced, textsIn } from "./records";
import {
  fold,
  hasRoles,
  mappingsText,
  type OrganizationPersonView,
  type ServiceView,
  sameSet,
} from "./service-view";

const text = (view: OrganizationPersonView | undefined): string =>
  view === undefined
    ? "absent"
    : `${view.status} ${view.roles.join(", ")} (${view.invitations.length} invitations)`;

/** Whether the resource is about the person, by the recorded account or by any name that the person ever had. */
function isAbout(
  { account, name }: OrganizationPersonView,
  { type, inputs, outputs }: Pick<Recorded, "type" | "inputs"> & Partial<Pick<Recorded, "outputs">>,
  identities: Identities,
): boolean {
  if (type !== "OrganizationMember") return false;
  const names = new Set([name, ...(account === undefined ? [] : identities.namesOf(account))]);
  const isSameAccount = account !== undefined && outputs?.userId === account;
  return isSameAccount || names.has(fold(String(unwrapped(inputs.username ?? ""))));
}

export class OrganizationInvariants {
  constructor(private readonly holds: Holds) {}

  /** What holds after every command, however it ended. */
  checkSafety(situation: Situation): void {
    const { before, after } = situation;
    this.#checkFields(situation);
    for (const key of new Set([...before.organization.keys(), ...after.organization.keys()])) {
      const [was, is] = [before.organization.get(key), after.organization.get(key)];
      if (was !== undefined || is !== undefined) this.#checkPerson(was, is, situation);
    }
  }

  #checkFields({ before, after, program }: Situation): void {
    const declared = program.filter(({ type }) => type === "Organization");
    for (const field of ["name", "ldapGroupMappings", "idpGroupMappings"] as const)
      this.holds(
        "only what is declared of the organization is changed",
        before.orgFields[field] === after.orgFields[field] || declared.some(({ inputs }) => inputs[field]),
        () => `${field}: ${before.orgFields[field]} became ${after.orgFields[field]}`,
      );
  }

  /** After a successful `up`, the organization is as declared. */
  checkFieldsTrue(declaration: Declaration, { orgFields }: ServiceView): void {
    const { name, idpGroupMappings } = declaration.inputs;
    const isTrue =
      (name === undefined || ignores(declaration, "name") || name === orgFields.name) &&
      (idpGroupMappings === undefined ||
        ignores(declaration, "idpGroupMappings") ||
        mappingsText(idpGroupMappings as never) === orgFields.idpGroupMappings);
    this.holds("a successful up makes everything true", isTrue, () => JSON.stringify(orgFields));
  }

  #checkPerson(
    was: OrganizationPersonView | undefined,
    is: OrganizationPersonView | undefined,
    { before, after, stateBefore, result, program, identities }: Situation,
  ): void {
    const person = is ?? was;
    if (person === undefined) return;
    const detail = () => `${person.name}: ${text(was)} became ${text(is)}`;
    const records = [...stateBefore, ...result.state].filter((one) => isAbout(person, one, identities));
    const declared = program.filter(
      (one) =>
        isAbout(person, one, identities) ||
        (one.type === "OrganizationMember" && records.some((record) => isRecordOf(one, record))),
    );
    const isReplaced = declared.some(mayBeReplaced);
    if (is === undefined) {
      const mayGo = records.some(({ outputs, inputs }) =>
        [outputs.onDestroy, inputs.onDestroy ?? "remove"].includes("remove"),
      );
      const names = new Set(person.account === undefined ? [] : identities.namesOf(person.account));
      // Whom the program declares by an old name may be another account by now.
      const isRenamed = names.size > 1;
      const isGone = ({ name }: Recorded) => program.some((one) => one.name === name && isDeletedFirst(one));
      const isLeft = declared.length === 0 || isReplaced || isRenamed || records.some(isGone);
      this.holds("only people who leave the program leave the organization", mayGo && isLeft, detail);
    } else if (was === undefined) {
      // Who is added to a project or to a team joins its organization.
      const isJoined = is.status === "active" && joinsProject(person.account, before, after);
      this.holds(
        "only declared people are invited to the organization",
        declared.length > 0 || isJoined,
        detail,
      );
    } else {
      const isSame = was.status === is.status && sameSet(was.roles, is.roles);
      const isDeclared = records.length > 0 || declared.length > 0;
      const isJoined = was.status === "pending" && joinsProject(person.account, before, after);
      this.holds("only declared people of the organization change", isSame || isDeclared || isJoined, detail);
      const isDemoted = was.status === "active" && is.status !== "active";
      this.holds("a member of the organization is not invited instead", !isDemoted || isReplaced, detail);
    }
    const most = Math.max(1, was?.invitations.length ?? 0);
    this.holds("no one is invited to the organization twice", (is?.invitations.length ?? 0) <= most, detail);
  }

  /**
   * After a successful `up`, what the declaration describes exists.
   *
   * @returns whether the next `up` may have to write, because this one made the person a member in passing
   */
  checkTrue(
    declaration: Declaration,
    recorded: Recorded | undefined,
    { before, after, identities }: Pick<Situation, "before" | "after" | "identities">,
  ): boolean {
    const { name, type, inputs } = declaration;
    const roles = textsIn(inputs, "roles");
    const people = [...after.organization.values()].filter((one) =>
      isAbout(one, { type, inputs, outputs: recorded?.outputs ?? {} }, identities),
    );
    const fits = (person: OrganizationPersonView) =>
      ignores(declaration, "roles") || hasRoles(person.roles, roles);
    const isTrue = people.some(fits);
    const isJoined = people.some(
      ({ account, status }) => status === "active" && joinsProject(account, before, after),
    );
    this.holds(
      "a successful up makes everything true",
      isTrue || isJoined,
      () => `${name}: ${people.map(text).join("; ") || "absent"}`,
    );
    return !isTrue;
  }
}

/** Whether the command made the account a member of a project, and of its organization with it. */
function joinsProject(account: string | undefined, before: ServiceView, after: ServiceView): boolean {
  return [...after.projects].some(
    ([id, { members }]) =>
      account !== undefined && members.has(account) && before.projects.get(id)?.members.has(account) !== true,
  );
}
