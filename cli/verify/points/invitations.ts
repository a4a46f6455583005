/**
 * Invitations to a throw-away project: the second invitation, the statuses of a deletion, the days
 * to accept.
 */
import { headerValues } from "../../../provider/transport";
import { DAY_MILLISECONDS } from "../../lib/connection";
import { type ApiResponse, listEntries, textOf } from "../service";
import type { CreatedProject } from "../throwaways";
import type { Trial } from "../trial";
import { good, InconclusiveResponse, resultOf, Undetermined, valueByCode } from "../undetermined";
import type { Points } from "./point";
import { theProject } from "./project";

const STATUSES = ["200", "202", "204"];

/**
 * Invites a user to the throw-away project. The project is marked for removal before the request
 * is sent.
 */
export async function invite(
  trial: Trial,
  project: CreatedProject,
  username: string,
  role: string,
): Promise<ApiResponse> {
  project.hasInvitations = true;
  const path = ["groups", project.id, "invites"];
  return trial.write({ method: "POST", path, body: { username, roles: [role] }, invites: true });
}

async function firstResponse(trial: Trial): Promise<ApiResponse> {
  return invite(trial, await theProject(trial), trial.inviteAddress, "GROUP_READ_ONLY");
}

async function firstInvitation(trial: Trial): Promise<ApiResponse> {
  return good(await trial.run(firstResponse));
}

function invitationId(trial: Trial, invitation: ApiResponse): string {
  const id = textOf(invitation, "id");
  if (id === undefined) {
    throw new Undetermined(
      `The response to the invitation contains no id. With mms.user.bypassInviteForUsers, ${trial.inviteAddress} may have an account now: delete it.`,
    );
  }
  return id;
}

async function secondInvitation(trial: Trial): Promise<ApiResponse> {
  await trial.run(firstInvitation);
  return invite(trial, await theProject(trial), trial.inviteAddress, "GROUP_DATA_ACCESS_READ_ONLY");
}

async function pendingIds(trial: Trial): Promise<readonly unknown[]> {
  const { id } = await theProject(trial);
  const address = trial.inviteAddress.toLowerCase();
  const pending = listEntries(good(await trial.read(["groups", id, "invites"])).body);
  return pending.filter(({ username }) => String(username).toLowerCase() === address).map((one) => one.id);
}

async function reinvite(trial: Trial): Promise<string> {
  const first = invitationId(trial, await trial.run(firstInvitation));
  const again = await trial.run(secondInvitation);
  if (!again.isGood) return valueByCode(again, { DEFAULT_INVITATION_EXCEPTION: "refuse" });
  if (invitationId(trial, again) === first) return "same";
  return (await pendingIds(trial)).includes(first) ? "second" : "replace";
}

async function invitationDays(trial: Trial): Promise<number> {
  const invitation = await trial.run(firstInvitation);
  const [from, to] = ["createdAt", "expiresAt"].map((field) => Date.parse(textOf(invitation, field) ?? ""));
  const days = ((to ?? Number.NaN) - (from ?? Number.NaN)) / DAY_MILLISECONDS;
  if (!(days >= 0)) throw new Undetermined("The response to the invitation contains no times.");
  return Math.round(days);
}

/**
 * The latest of the pending invitations is deleted; the point `reinvite` has used all of them
 * before.
 */
async function deletedInvitation(trial: Trial): Promise<{ path: string[]; response: ApiResponse }> {
  const { id } = await theProject(trial);
  const first = await trial.run(firstInvitation);
  const again = await trial.run(secondInvitation);
  await resultOf(trial.run(reinvite));
  const path = ["groups", id, "invites", invitationId(trial, again.isGood ? again : first)];
  return { path, response: good(await trial.write({ method: "DELETE", path })) };
}

/** @throws InconclusiveResponse for a status that no switch has */
export function statusOf(response: ApiResponse): string {
  const status = String(response.status);
  if (STATUSES.includes(status)) return status;
  throw new InconclusiveResponse(response);
}

/** With a 204, which has no body by HTTP, the header alone shows that a body was sent. */
function bodyOf({ wire, status }: ApiResponse): string {
  const length = Number(headerValues(wire, "content-length")[0] ?? 0);
  if (wire.body === "" && (status !== 204 || length === 0)) return "none";
  if (wire.body === "" || wire.body.trim() === "{}") return "empty-object";
  throw new Undetermined("The response has another body than {}.");
}

export const invitationPoints: Points = {
  ldapPeople: [
    "POST /groups/{id}/invites",
    async (trial) => {
      const response = await trial.run(firstResponse);
      return valueByCode(response, { INVITATION_ONLY_MODE_OR_LDAP: true }, false);
    },
  ],
  invitationDays: ["POST /groups/{id}/invites, and expiresAt of its response", invitationDays],
  reinvite: ["POST /groups/{id}/invites twice with one address", reinvite],
  deleteInvitationStatus: [
    "DELETE /groups/{id}/invites/{id}",
    async (trial) => statusOf((await trial.run(deletedInvitation)).response),
  ],
  deletionBody: [
    "DELETE /groups/{id}/invites/{id}",
    async (trial) => bodyOf((await trial.run(deletedInvitation)).response),
  ],
  deleteGoneInvitation: [
    "DELETE /groups/{id}/invites/{id} of an invitation that was deleted before",
    async (trial) => {
      const { path } = await trial.run(deletedInvitation);
      const response = await trial.write({ method: "DELETE", path });
      if (response.status !== 400 && response.status !== 404) throw new InconclusiveResponse(response);
      return valueByCode(response, { INVALID_INVITATION_ID: String(response.status) });
    },
  ],
};
