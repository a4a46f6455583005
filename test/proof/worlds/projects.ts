/** What has to be true of projects after each command. */
import { type Declaration, type Recorded, unwrapped, type Values } from "../engine-model";
import { ownerName } from "./beginning";
import { type Holds, isOutcomeUnknown, type Situation } from "./command";
import type { Knowledge } from "./knowledge";
import { candidatesOf, projectDifferences } from "./oracle";
import { formerPatterns, mayBeReplaced, textsIn } from "./records";
import { ownersOf, type ProjectView, type ServiceView } from "./service-view";

export class ProjectInvariants {
  constructor(
    private readonly knows: Knowledge,
    private readonly holds: Holds,
  ) {}

  /** What holds after every command, however it ended. */
  checkSafety(situation: Situation): void {
    const { before, after, stateBefore } = situation;
    for (const [id, project] of before.projects) {
      const later = after.projects.get(id);
      if (later === undefined) this.#checkDeleted(project, situation);
      else this.#checkProject(project, later, stateBefore);
    }
    for (const [id, project] of after.projects) {
      if (!before.projects.has(id)) this.#checkNew(project, situation);
      this.#checkTwice(before.projects.get(id), project, situation);
    }
  }

  #checkDeleted(project: ProjectView, { stateBefore }: Situation): void {
    // After a failed `up` two resources may be recorded for one project: the renamed one, and the one before.
    const recorded = stateBefore.filter(
      ({ type, outputs }) => type === "Project" && outputs.projectId === project.id,
    );
    const isDeclared = this.knows.declarations.some(
      (declaration) =>
        declaration.type === "Project" &&
        (recorded.some(({ name }) => name === declaration.name) ||
          declaration.inputs.projectId === project.id),
    );
    const isReplaced = this.knows.declarations.some(
      (declaration) => mayBeReplaced(declaration) && recorded.some(({ name }) => name === declaration.name),
    );
    const mayGo =
      recorded.some(({ outputs }) => outputs.onDestroy === "delete") && (!isDeclared || isReplaced);
    this.holds("only projects that leave the program are deleted", mayGo, () => project.name);
  }

  #checkProject(before: ProjectView, after: ProjectView, state: readonly Recorded[]): void {
    const declaration = this.knows.declarations.find(
      (candidate) => candidate.type === "Project" && this.knows.projectIdBy(candidate) === after.id,
    );
    const inputs = declaration?.inputs ?? {};
    const differences = declaration ? this.#differences(declaration, after, state) : [];
    const changed = (["name", "tags", "ldapGroupMappings", "idpGroupMappings"] as const).filter(
      (property) => String(before[property]) !== String(after[property]),
    );
    for (const property of changed) {
      const isDeclared = inputs[property] !== undefined;
      this.holds(
        "only what is declared is changed",
        isDeclared && !differences.includes(property),
        () =>
          `${property} of ${before.name} became ${after[property]}${isDeclared ? ", which is not declared" : ""}`,
      );
    }
    const owners = ownersOf(before);
    // With other owners, the service lets a ProjectMember demote the last direct one. A ProjectMembers never does.
    const { teamOwners = false, orgOwners = false } = this.knows.world.switches;
    const isWhole = (type: string, id: unknown) => type === "ProjectMembers" && id === after.id;
    const isListed =
      state.some(({ type, outputs }) => isWhole(type, outputs.projectId)) ||
      this.knows.declarations.some((one) => isWhole(one.type, this.knows.projectIdBy(one)));
    this.holds(
      "no project loses its last owner",
      owners.length === 0 || ownersOf(after).length > 0 || ((teamOwners || orgOwners) && !isListed),
      () => before.name,
    );
  }

  #checkNew(project: ProjectView, { after, result, entries }: Situation): void {
    const recorded = result.state.some(
      ({ outputs, type }) => type === "Project" && outputs.projectId === project.id,
    );
    this.holds(
      "what was created is recorded",
      recorded || isOutcomeUnknown(result),
      () => `project ${project.name}`,
    );
    const declared = entries.filter(({ projectId }) => projectId === project.id);
    const candidates = declared.map((entry) => candidatesOf(entry, after, this.knows.identities));
    for (const id of project.members.keys()) {
      const isOwner = after.names.get(id) === ownerName;
      const isDeclared = candidates.some(({ accounts }) => accounts.has(id));
      this.holds(
        "no other member is touched",
        isOwner || isDeclared,
        () => `${after.names.get(id)} in ${project.name}`,
      );
    }
  }

  #checkTwice(
    before: ProjectView | undefined,
    project: ProjectView,
    { before: old, after: now, requests, entries }: Situation,
  ): void {
    const named = ({ projects }: ServiceView) =>
      [...projects.values()].filter(({ name, orgId: org }) => name === project.name && org === project.orgId)
        .length;
    this.holds("no second project", named(now) <= Math.max(1, named(old)), () => project.name);
    // Two responses that mean "operation not offered" prove that no one is invited (DESIGN.md, "Deleted" needs proof).
    const hidden = requests.filter(
      ({ method, path, fault, status = 0 }) =>
        method === "GET" &&
        path.endsWith(`/groups/${project.id}/invites`) &&
        fault !== undefined &&
        [404, 405, 501].includes(status),
    );
    if (hidden.length >= 2) return;
    // An earlier invitation of an account whose name the key may not read cannot be recognized.
    if (entries.some((entry) => entry.projectId === project.id && this.knows.isNameless(entry))) return;
    const invitedTo = (view: ProjectView | undefined, name: string) =>
      view?.invitations.filter((invitation) => invitation.name === name).length ?? 0;
    for (const { name } of project.invitations) {
      const isFine = invitedTo(project, name) <= Math.max(1, invitedTo(before, name));
      this.holds("no second invitation", isFine, () => `${name} to ${project.name}`);
    }
  }

  /** After a successful `up`, the project is as declared. */
  checkTrue(declaration: Declaration, project: ProjectView, stateBefore: readonly Recorded[]): void {
    const ignored = declaration.options?.ignoreChanges ?? [];
    const all = this.#differences(declaration, project, stateBefore);
    const differences = all.filter((property) => !ignored.includes(property));
    this.holds(
      "a successful up makes everything true",
      differences.length === 0,
      () => `${differences.join(", ")} of ${declaration.name}`,
    );
  }

  /** A pattern that has left the program protects for one more `up`. */
  #differences(
    declaration: Declaration,
    project: ProjectView,
    state: readonly Recorded[],
  ): readonly string[] {
    const inputs = unwrapped(declaration.inputs) as Values;
    const former = formerPatterns([...state, ...this.knows.settled], declaration);
    return projectDifferences(
      { ...inputs, ignoreTags: [...textsIn(inputs, "ignoreTags"), ...former] },
      project,
    );
  }
}
