import { Credentials, sessionKey } from "../../../provider/transport/digest-answer";
import { chooseChallenge, type DigestChallenge } from "../../../provider/transport/digest-challenge";

export function challengeIn(...headers: string[]): DigestChallenge {
  const challenge = chooseChallenge(headers);
  if (!challenge) throw new Error("The headers hold no challenge that can be answered.");
  return challenge;
}

/** One request that answers a challenge, as the RFCs print their examples. */
export interface Vector {
  readonly challenge: DigestChallenge;
  readonly username: string;
  readonly password: string;
  readonly method: string;
  readonly uri: string;
  readonly auth?: { readonly cnonce: string; readonly nonceCount: number } | undefined;
}

function credentialsOf({ challenge, username, password, auth }: Vector): Credentials {
  const keys = { publicKey: username, privateKey: password };
  return new Credentials(challenge, username, sessionKey(challenge, keys, auth?.cnonce ?? ""));
}

export function headerOf(vector: Vector): string {
  return credentialsOf(vector).authorization(vector.method, vector.uri, vector.auth);
}

export function responseIn(vector: Vector): string | undefined {
  return /response="([0-9a-f]+)"/.exec(headerOf(vector))?.[1];
}
