/** How a person is identified. Pure. */

/** The known IDs and username of a person. */
export interface Identity {
  readonly userId?: string | undefined;
  readonly invitationId?: string | undefined;
  readonly username?: string | undefined;
}

/** True if both are the same name of a person. */
export function sameName(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && foldName(one) === foldName(other);
}

/**
 * The form in which names of people are compared: without case, and in the Unicode normalization
 * form NFC.
 */
export function foldName(username: string): string {
  return username.normalize("NFC").toLowerCase().normalize("NFC");
}

/** The name for messages: `ada@example.com`, or an ID if no username is known. */
export function memberName({ username, userId, invitationId }: Identity): string {
  return username ?? (userId === undefined ? `invitation ${invitationId}` : `user ${userId}`);
}
