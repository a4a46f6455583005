/**
 * The contested points in the order of a run. Points without a project come first, then those that
 * change the throw-away project, then those that remove from it.
 */
import { digestPoints } from "./digest";
import { invitationPoints } from "./invitations";
import { ldapPoints } from "./ldap";
import { listPoints } from "./lists";
import { memberPoints } from "./members";
import type { Point } from "./point";
import { projectPoints } from "./project";
import { readingPoints } from "./reading";
import { tagPoints } from "./tags";

export const points: readonly Point[] = [
  ...digestPoints,
  ...readingPoints,
  ...projectPoints,
  ...tagPoints,
  ...ldapPoints,
  ...memberPoints,
  ...invitationPoints,
  ...listPoints,
];

/** Switches that no client can observe, or that one must not try out, each with the reason. */
export const unobservable: Readonly<Record<string, string>> = {
  activeBackupCode: "It takes a project with backups.",
  expiredInvitation: "It takes an invitation that has expired, days after it was sent.",
  renamedInvitee: "It takes an account that is renamed.",
  patchUserRoles: "PATCH /users/{id} writes to an account that the run did not create.",
  requestsPerMinute: "Reaching the limit would disturb others.",
  invitationsPerMinute: "Reaching the limit would send many invitations.",
  retryAfter: "It takes a request above the limit.",
  latencyMs: "It is a property of the simulation.",
};
