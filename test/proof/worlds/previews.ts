/** What a preview of an applied program has to show. */
import { type Declaration, type OperationResult, unwrapped, type Values } from "../engine-model";
import type { CommandOutcome, Holds } from "./command";
import type { Knowledge } from "./knowledge";
import { candidatesOf, type Entry, isPresent, isTrue, matches, projectDifferences } from "./oracle";
import { entriesOf } from "./program";
import { daysOverIn, ignores, recordedEnd, textsIn } from "./records";
import { fold, type ProjectView, type ServiceView } from "./service-view";
import { isTeamOrKey } from "./teams";

export class PreviewInvariants {
  constructor(
    private readonly knows: Knowledge,
    private readonly holds: Holds,
  ) {}

  /**
   * A user in a project of which the program declares all people, who is not listed, is named. A role
   * in a project is no news of an owner of its organization.
   */
  checkReported(declaration: Declaration, { texts, after }: CommandOutcome): void {
    const { type, name, inputs, unknown = [] } = declaration;
    const isWhole = type === "ProjectMembers" && inputs.removeUnlisted !== true;
    const isOpen = unknown.length > 0 || ignores(declaration, "members");
    const isInState = this.knows.state.some((resource) => resource.name === name);
    const project = after.projects.get(this.knows.projectIdBy(declaration) ?? "");
    if (!isWhole || isOpen || !isInState || project === undefined) return;
    const isOwner = (name: string) =>
      this.knows.sandbox.state.users.some(
        ({ username, roles }) =>
          fold(username) === fold(name) &&
          roles.some((role) => role.orgId === project.orgId && role.roleName === "ORG_OWNER"),
      );
    for (const stranger of this.#strangersIn(declaration, project, after)) {
      if (isOwner(stranger)) continue;
      this.holds(
        "an undeclared person is named in the preview",
        texts.some((text) => text.toLowerCase().includes(stranger)),
        () => `${stranger} in ${project.name}`,
      );
    }
  }

  /** Drift is empty exactly when program and service agree. */
  checkDrift(declaration: Declaration, { steps }: OperationResult, service: ServiceView): void {
    const { name } = declaration;
    const kinds = steps
      .filter((step) => step.name === name && step.kind !== "read" && step.kind !== "read-deleted")
      .map(({ kind }) => kind);
    const isShown = kinds.some((kind) => kind !== "same");
    const expected = this.#hasDrift(declaration, service);
    const isOpen = (declaration.unknown ?? []).length > 0 || declaration.options?.ignoreChanges !== undefined;
    if (expected === undefined || isOpen) return;
    this.holds("drift is shown exactly when there is some", isShown === (expected !== ""), () =>
      expected === ""
        ? `${name}: the preview shows ${kinds.join(", ")}, but everything is as declared`
        : `${name}: the preview shows nothing, but ${expected}`,
    );
  }

  /** @returns what differs, empty if nothing does, `undefined` where the documents leave it open */
  #hasDrift(declaration: Declaration, service: ServiceView): string | undefined {
    const projectId = this.knows.projectIdBy(declaration);
    const project = projectId === undefined ? undefined : service.projects.get(projectId);
    if (project === undefined || isTeamOrKey(declaration.type)) return undefined;
    if (declaration.type === "Project") {
      // The documents leave open how a move to another organization is shown.
      if (typeof declaration.inputs.orgId === "string" && declaration.inputs.orgId !== project.orgId)
        return undefined;
      return projectDifferences(unwrapped(declaration.inputs) as Values, project).join(", ");
    }
    const entries = entriesOf(declaration.name, declaration.type, declaration.inputs, project.id);
    const recorded = this.knows.lastDeclared.get(declaration.name) ?? [];
    const absent = entries.find(
      ({ username, userId }) =>
        !recorded.some((entry) => entry.username === username && entry.userId === userId),
    );
    const isInState = this.knows.state.some(({ name }) => name === declaration.name);
    if (absent || !isInState) return "a member was not in the project at the last refresh";
    const isOpen = (entry: Entry) => candidatesOf(entry, service, this.knows.identities).ambiguous;
    if (entries.some(isOpen)) return undefined;
    // Without a name in the program only recorded invitations count, and the record is one of a membership.
    const lost = entries.find(
      ({ userId }) =>
        declaration.type === "ProjectMember" &&
        userId !== undefined &&
        !project.members.has(userId) &&
        this.knows.state.some(
          ({ name, outputs }) => name === declaration.name && outputs.status === "active",
        ),
    );
    if (lost) return `${lost.userId} is not a member anymore`;
    const recordedOfTeams = this.knows.teamRolesIn(project.id);
    const untrue = entries.find((entry) => !isTrue(entry, service, this.knows.identities, recordedOfTeams));
    if (untrue) return `${untrue.userId ?? untrue.username} is not as declared`;
    const shown = entries.find((entry) => this.#isNewlyShown(entry, service));
    if (shown) return `${shown.userId ?? shown.username} has a role of a team that is not recorded`;
    if (declaration.type === "ProjectMembers") {
      const record = this.knows.state.find(({ name }) => name === declaration.name);
      for (const [, username = ""] of daysOverIn(declaration.inputs)) {
        const entry = { resource: declaration.name, projectId: project.id, username };
        if (isOpen(entry)) return undefined;
        const isThere = isPresent(entry, service, this.knows.identities);
        const isDone = record && recordedEnd(record, username).endedAt !== undefined;
        if (isThere || !isDone) return `the access of ${username} has ended`;
      }
      const strangers = this.#strangersIn(declaration, project, service);
      if (strangers.length > 0 && declaration.inputs.removeUnlisted === true) {
        return `${strangers.join(", ")} are not declared`;
      }
    }
    return "";
  }

  /** Whether the service shows a role of the person that came with a team since the last write (docs/resources/teams.md). */
  #isNewlyShown(entry: Entry, service: ServiceView): boolean {
    const { roles, projectId } = entry;
    const project = service.projects.get(projectId);
    if (roles === undefined) return false;
    const recorded = this.knows.teamRolesIn(projectId);
    return [...candidatesOf(entry, service, this.knows.identities).accounts].some((account) => {
      const known = [...roles, ...recorded(account), ...(project?.members.get(account) ?? [])];
      return project?.shownOfTeams.get(account)?.some((role) => !known.includes(role)) ?? false;
    });
  }

  /** Names of those whom the ProjectMembers neither declares nor ignores. */
  #strangersIn(declaration: Declaration, project: ProjectView, service: ServiceView): string[] {
    const entries = entriesOf(declaration.name, declaration.type, declaration.inputs, project.id);
    const candidates = entries.map((entry) => candidatesOf(entry, service, this.knows.identities));
    const patterns = textsIn(declaration.inputs, "ignoreUsers");
    const isKnown = (name: string, id?: string) =>
      matches(patterns, name) ||
      candidates.some(
        ({ accounts, names }) =>
          (id !== undefined && accounts.has(id)) || (id === undefined && names.has(name)),
      );
    const members = [...project.members.keys()].map((id) => [service.names.get(id) ?? "", id] as const);
    return [
      ...members.filter(([name, id]) => !isKnown(name, id)).map(([name]) => name),
      ...project.invitations.filter(({ name }) => !isKnown(name)).map(({ name }) => name),
    ];
  }
}
