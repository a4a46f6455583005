/**
 * What a run creates at the service, and its removal. Each object is recorded before its request is
 * sent.
 */
import { messageOf } from "../../provider/text/errors";
import { type ApiResponse, listEntries, type TrialRequest } from "./service";

/** Sends a request that an interruption of the command does not cancel. */
type SendTrialRequest = (request: TrialRequest) => Promise<ApiResponse>;

interface ThrowawayProject {
  /** Unique: it holds a random number. */
  name: string;
  /** `undefined` until the response to the creation arrives. */
  id: string | undefined;
  /** An invitation to it was sent, or may have been. */
  hasInvitations: boolean;
}

export type CreatedProject = ThrowawayProject & { readonly id: string };

/** An object that could not be removed, or whose removal is not confirmed. */
export interface Leftover {
  /** Kind, name and id. */
  readonly what: string;
  /** A sentence. */
  readonly why: string;
}

export class Throwaways {
  readonly #projects = new Set<ThrowawayProject>();
  /** How many projects were removed. */
  removed = 0;

  constructor(
    private readonly orgId: string,
    private readonly sendRequest: SendTrialRequest,
  ) {}

  /** To be called before the request that creates the project. */
  expect(name: string): ThrowawayProject {
    const project = { name, id: undefined, hasInvitations: false };
    this.#projects.add(project);
    return project;
  }

  /** To be called when the service has rejected the creation of the project. */
  forget(project: ThrowawayProject): void {
    this.#projects.delete(project);
  }

  /**
   * Deletes one project. A project that no longer exists counts as deleted. If the response does
   * not show whether the project still exists, it does not count as deleted.
   */
  async remove(
    project: CreatedProject,
  ): Promise<{ readonly response: ApiResponse; readonly isRemoved: boolean }> {
    const path = ["groups", project.id];
    const response = await this.sendRequest({ method: "DELETE", path });
    const isRemoved =
      response.isGood ||
      response.isMissing ||
      (response.isMissingOrHidden && (await this.sendRequest({ method: "GET", path })).isMissing);
    if (isRemoved) {
      this.#projects.delete(project);
      this.removed += 1;
    }
    return { response, isRemoved };
  }

  /**
   * Removes all remaining objects. An object that cannot be removed does not stop the removal of
   * the others.
   */
  async removeAll(): Promise<Leftover[]> {
    const leftovers: Leftover[] = [];
    for (const project of [...this.#projects]) {
      try {
        leftovers.push(...(await this.#removeOne(project)));
      } catch (error) {
        leftovers.push({ what: labelOf(project), why: messageOf(error) });
      }
    }
    return leftovers;
  }

  async #removeOne(project: ThrowawayProject): Promise<Leftover[]> {
    if (isCreated(project)) return this.#removeWithInvitations(project);
    const ids = await this.#idsOf(project);
    if (ids.length === 0) return [{ what: labelOf(project), why: notListed }];
    this.forget(project);
    const found = ids.map((id): CreatedProject => ({ ...project, id }));
    for (const each of found) this.#projects.add(each);
    return (await Promise.all(found.map((each) => this.#removeWithInvitations(each)))).flat();
  }

  /**
   * The projects that a creation without a response may have left. Their name is unique, so they
   * belong to this run.
   */
  async #idsOf({ name }: ThrowawayProject): Promise<string[]> {
    const { body } = await this.sendRequest({
      method: "GET",
      path: ["orgs", this.orgId, "groups"],
      query: { name },
    });
    const named = listEntries(body).filter((entry) => entry.name === name);
    return named.flatMap(({ id }) => (typeof id === "string" ? [id] : []));
  }

  async #removeWithInvitations(project: CreatedProject): Promise<Leftover[]> {
    const invitations = project.hasInvitations ? await this.#removeInvitations(project) : [];
    const { response, isRemoved } = await this.remove(project);
    if (isRemoved) return invitations;
    return [...invitations, { what: labelOf(project), why: refusalOf(response) }];
  }

  async #removeInvitations({ id }: CreatedProject): Promise<Leftover[]> {
    const path = ["groups", id, "invites"];
    const leftovers: Leftover[] = [];
    for (const invitation of listEntries((await this.sendRequest({ method: "GET", path })).body)) {
      const invitationId = String(invitation.id);
      const response = await this.sendRequest({ method: "DELETE", path: [...path, invitationId] });
      if (!response.isGood && !response.isMissing) {
        leftovers.push({ what: `invitation ${invitationId} to project ${id}`, why: refusalOf(response) });
      }
    }
    return leftovers;
  }
}

const notListed =
  "The response to its creation was lost, and the organization lists no project of this name. Check again later.";

const notConfirmed = "This does not show whether it still exists. Check with a key that may read it.";

function isCreated(project: ThrowawayProject): project is CreatedProject {
  return project.id !== undefined;
}

function labelOf({ name, id }: ThrowawayProject): string {
  return id === undefined ? `project ${name}` : `project ${name} (${id})`;
}

function refusalOf({ status, errorCode, isMissingOrHidden }: ApiResponse): string {
  const response = [status, errorCode].filter((part) => part !== undefined).join(" ");
  const refusal = `Deleting it returned ${response}.`;
  return isMissingOrHidden ? `${refusal} ${notConfirmed}` : refusal;
}
