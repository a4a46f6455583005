/** A project and its organization behind a client without a network: for what a resource makes of its people. */

import type { Invitation, Member } from "../../../../provider/access/person";
import type { Call } from "../../../../provider/api/client";
import type { Context } from "../../../../provider/resources/contract/resource";
import type { SessionSettings } from "../../../../provider/resources/contract/session";
import type { PartialFailure } from "../../../../provider/text/errors";
import { fault, newSession, urnOf } from "../checker";
import { invitation, projectId } from "./people";

export const orgId = "5f00000000000000000000b1";
export const unreadable = fault(403, "USER_UNAUTHORIZED");

export interface People {
  readonly members?: readonly Member[];
  readonly invitations?: readonly Invitation[];
  /** People without a role here. Each member has an account as well. */
  readonly accounts?: readonly Member[];
}

/** By request, such as `GET invites/invite-ada`: a response, an error to throw, or a function that returns one. */
export type Responses = Readonly<Record<string, unknown>>;

/** Requests are named by the path below the project or organization; those of accounts begin with `accounts`. */
export class Service {
  /** All requests except reads of the lists and of the project; those that write have their bodies. */
  readonly requests: string[] = [];
  /** How often the members were listed. */
  reads = 0;
  readonly infos: string[] = [];
  readonly warnings: string[] = [];
  readonly context: Context;
  /** The projects of the organization. */
  projects: readonly { readonly id: string; readonly name: string; readonly orgId: string }[] = [
    { id: projectId, name: "payments", orgId },
  ];
  members: readonly Member[];
  invitations: readonly Invitation[];
  readonly #accounts: readonly Member[];

  constructor(
    readonly type: "ProjectMember" | "OrganizationMember",
    { members = [], invitations = [], accounts = [] }: People = {},
    readonly responses: Responses = {},
    settings: Partial<SessionSettings> = {},
  ) {
    this.members = members;
    this.invitations = invitations;
    this.#accounts = accounts;
    const client = {
      origin: "https://ops-manager.example.com",
      call: async (call: Call<unknown>) => call.shape.parse(this.#respond(call)),
      list: async (call: Call<unknown>) => this.#respond(call),
      page: async () => ({ entries: this.projects, hasNext: false }),
      // The invitations of `invitation` are pending then.
      now: () => Date.parse("2026-01-02T00:00:00Z"),
    };
    this.context = {
      session: newSession({ readCacheSeconds: 0, ...settings }, client),
      urn: urnOf(type, "ada"),
      log: {
        info: (message) => void this.infos.push(message),
        warn: (message) => void this.warnings.push(message),
      },
      signal: new AbortController().signal,
    };
  }

  #respond({ method, path, body }: Call<unknown>): unknown {
    const [collection, , ...below] = path;
    const parts = collection === "users" ? ["accounts", ...path.slice(1)] : below;
    const request = `${method} ${parts.join("/")}`.trim();
    if (request === "GET users") this.reads += 1;
    if (!["GET", "GET users", "GET invites", "GET groups"].includes(request))
      this.requests.push(body === undefined ? request : `${request} ${JSON.stringify(body)}`);
    const response = request in this.responses ? this.responses[request] : this.#result(request, parts, body);
    const result = typeof response === "function" ? response() : response;
    if (result instanceof Error) throw result;
    return result;
  }

  #result(request: string, [kind, id, name]: readonly string[], body: unknown): unknown {
    const { username = "", roles = [] } = (body ?? {}) as { username?: string; roles?: string[] };
    const invited = this.invitations.find(({ invitationId }) => invitationId === id);
    if (request === "GET") return this.projects[0] ?? fault(404, "GROUP_NOT_FOUND");
    if (request === "GET groups") return this.projects;
    if (request === "GET users") return this.members.map(toUser);
    if (request === "GET invites") return this.invitations.map(toResponse);
    if (request === "POST invites") return toResponse({ ...invitation(username.split("@")[0] ?? ""), roles });
    if (kind === "accounts") {
      const people = [...this.members, ...this.#accounts];
      const account = people.find((one) => one.userId === id || one.username === name);
      return account ? toUser(account) : fault(404, "USER_NOT_FOUND");
    }
    if (kind === "invites" && request.startsWith("GET"))
      return invited ? toResponse(invited) : fault(404, "INVALID_INVITATION_ID");
    if (request.startsWith("PUT")) {
      const { orgRoles } = body as { orgRoles: string[] };
      this.members = this.members.map((one) => (one.userId === id ? { ...one, roles: orgRoles } : one));
    }
    if (request.startsWith("PATCH") && invited) return toResponse({ ...invited, roles });
    // The response to other writes shows nothing.
    return undefined;
  }
}

/** The requests and messages of an operation, and its result or its error with what that records. */
export async function outcomeOf({ requests, infos, warnings }: Service, operation: Promise<unknown>) {
  const result = await operation.catch(({ message, ...failure }: PartialFailure) =>
    failure.id === undefined ? message : { message, id: failure.id, state: failure.state },
  );
  return { result, requests, messages: [...infos, ...warnings] };
}

export function toUser({ userId, username, roles }: Member) {
  const shown = roles.map((roleName) => ({ groupId: projectId, orgId, roleName }));
  return { id: userId, username, roles: shown, teamIds: [] };
}

function toResponse({ invitationId, ...invited }: Invitation) {
  return { id: invitationId, groupId: projectId, ...invited };
}
