/** What has to be true of the people of an organization after each command. */
import { type Declaration, type Recorded, unwrapped } from "../engine-model";
import { fold, hasRoles, type NewcomerView, sameSet } from "./service-view";
import type { TeamSituation } from "./teams";

type Situation = Pick<TeamSituation, "before" | "after" | "stateBefore" | "result" | "program">;

type Holds = (invariant: string, holds: boolean, detail: () => string) => void;

interface DeclaredInputs {
  readonly username: string;
  readonly roles: readonly string[];
}

const isOf =
  (name: string) =>
  ({ type, inputs }: Pick<Recorded, "type" | "inputs">): boolean =>
    type === "OrganizationMember" && fold(String(unwrapped(inputs.username ?? ""))) === name;

const text = (view: NewcomerView | undefined): string =>
  view === undefined ? "absent" : `${view.status} ${view.roles.join(", ")} (${view.invitations} invitations)`;

export class OrganizationInvariants {
  constructor(private readonly holds: Holds) {}

  /** What holds after every command, however it ended. */
  checkSafety({ before, after, stateBefore, result, program }: Situation): void {
    for (const name of new Set([...before.newcomers.keys(), ...after.newcomers.keys()])) {
      const [was, is] = [before.newcomers.get(name), after.newcomers.get(name)];
      const detail = () => `${name}: ${text(was)} became ${text(is)}`;
      const records = [...stateBefore, ...result.state].filter(isOf(name));
      const declared = program.filter(isOf(name));
      const isReplaced = declared.some(({ options }) => options?.replaceOnChanges !== undefined);
      if (was !== undefined && is === undefined) {
        const mayGo = records.some(({ outputs, inputs }) =>
          [outputs.onDestroy, inputs.onDestroy ?? "remove"].includes("remove"),
        );
        const isLeft = declared.length === 0 || isReplaced || records.some(isDeletedFirst(program));
        this.holds("only people who leave the program leave the organization", mayGo && isLeft, detail);
      } else if (was === undefined) {
        this.holds("only declared people are invited to the organization", declared.length > 0, detail);
      } else if (is !== undefined) {
        const isSame = was.status === is.status && sameSet(was.roles, is.roles);
        const isDeclared = records.length > 0 || declared.length > 0;
        this.holds("only declared people of the organization change", isSame || isDeclared, detail);
        const isDemoted = was.status === "active" && is.status !== "active";
        this.holds("a member of the organization is not invited instead", !isDemoted || isReplaced, detail);
      }
      this.holds("no one is invited to the organization twice", (is?.invitations ?? 0) <= 1, detail);
    }
  }

  /** After a successful `up`, what the declaration describes exists. */
  checkTrue({ name, inputs, options }: Declaration, newcomers: ReadonlyMap<string, NewcomerView>): void {
    const { username, roles } = unwrapped(inputs) as unknown as DeclaredInputs;
    const person = newcomers.get(fold(username));
    const isTrue =
      person !== undefined &&
      (options?.ignoreChanges?.includes("roles") === true || hasRoles(person.roles, roles));
    this.holds("a successful up makes everything true", isTrue, () => `${name}: ${text(person)}`);
  }
}

const isDeletedFirst =
  (program: readonly Declaration[]) =>
  ({ name }: Recorded): boolean =>
    program.some((one) => one.name === name && one.options?.deleteBeforeReplace === true);
