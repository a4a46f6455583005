/**
 * Machine-readable notices: how a message marks an object whose live value could not be
 * determined, or that has people who are not declared.
 *
 * The provider writes them at the beginning of a message and `opsmanager drift` reads them from
 * the engine's event stream. The sentence after the mark is for users and may change at any time.
 *
 * `[unreadable] [people 5f0000000000000000000001] The people of project 5f… cannot be read ...`
 */
import { OBJECT_ID } from "./object-id";

/**
 * The codes of notices:
 * - `unreadable`: the API key lacks the right to read the object; the last known value is
 *   retained.
 * - `missing operation`: the service does not offer the operation; the last known value is
 *   retained.
 * - `unverified`: the object is in another state than recorded, and the responses do not show in
 *   which.
 * - `undeclared`: there are people whom the resource does not declare and an update leaves.
 * - `expired`: a recorded invitation is past its end and no longer pending.
 * - `in doubt`: a response means that the service does not offer invitations, but may come from a gateway.
 */
const NOTICE_CODES = [
  "unreadable",
  "missing operation",
  "unverified",
  "undeclared",
  "expired",
  "in doubt",
] as const;
type NoticeCode = (typeof NOTICE_CODES)[number];

/**
 * What the notice is about: a project, its tags, all of its people, one invitation to it, its
 * teams, its API keys or its agent API keys; or the teams, the people or the API keys of an
 * organization, or its name and group mappings.
 */
const SUBJECTS = [
  "project",
  "tags",
  "people",
  "invitation",
  "teams",
  "keys",
  "agent keys",
  "organization",
  "organization people",
  "organization keys",
  "organization itself",
] as const;
export type NoticeSubject = (typeof SUBJECTS)[number];

export interface Notice {
  readonly code: NoticeCode;
  readonly subject: NoticeSubject;
  /**
   * ID of the project or, for the subjects of an organization, of the organization. `undefined` means all of
   * them, such as for an operation that the service does not offer at all.
   */
  readonly placeId?: string | undefined;
  /** Of the subject `invitation`, or of an expired one to an organization. */
  readonly invitationId?: string | undefined;
}

/**
 * A notice from a text. The id may be missing because redaction masked an id that the program
 * keeps secret.
 */
export interface ParsedNotice extends Notice {
  readonly sentence: string;
}

export function formatNotice({ code, subject, placeId, invitationId }: Notice, sentence: string): string {
  const id = [placeId ?? "*", invitationId].filter((part) => part !== undefined).join("/");
  return `[${code}] [${subject} ${id}] ${sentence}`;
}

const NOTICE = new RegExp(
  `\\[(${NOTICE_CODES.join("|")})\\] \\[(${SUBJECTS.join("|")}) (\\S+?)\\] (.*)`,
  "s",
);

/**
 * Finds the notice in a warning at any position, because Pulumi adds text before it.
 *
 * @returns `undefined` for a text without a notice
 */
export function parseNotice(text: string): ParsedNotice | undefined {
  const [, code, subject, ids = "", sentence = ""] = NOTICE.exec(text) ?? [];
  if (code === undefined || subject === undefined) return undefined;
  const [placeId, invitationId] = ids
    .split("/")
    .map((id) => (OBJECT_ID.test(id) ? id.toLowerCase() : undefined));
  return {
    code: code as NoticeCode,
    subject: subject as NoticeSubject,
    ...(placeId !== undefined && { placeId }),
    ...(invitationId !== undefined && { invitationId }),
    sentence: sentence.trim(),
  };
}
