/**
 * Why a point remains open. The reasons hold no id, name or address, because they are also written
 * to the file.
 */
import type { Answer } from "./service";

/** A point whose value this run cannot determine. */
export class Undetermined extends Error {
  constructor(readonly reason: string) {
    super(reason);
    this.name = "Undetermined";
  }
}

/** The answer shows none of the behaviors that the point compares. */
export class UnexpectedAnswer extends Undetermined {
  constructor(answer: Answer) {
    super(reasonOf(answer));
    this.name = "UnexpectedAnswer";
  }
}

function reasonOf(answer: Answer): string {
  const codes = [answer.status, answer.errorCode].filter((part) => part !== undefined).join(" ");
  if (answer.isNotOffered) return `The service does not offer the operation (${codes}).`;
  if (answer.isRefused) return `The API key lacks a role for it (${codes}).`;
  return `The answer was ${codes}.`;
}

/** @throws UnexpectedAnswer if the answer is an error */
export function good(answer: Answer): Answer {
  if (!answer.isGood) throw new UnexpectedAnswer(answer);
  return answer;
}

/**
 * The value that an answer means.
 *
 * @param whenGood value of an answer without an error; absent, such an answer is unexpected
 * @throws UnexpectedAnswer if the answer has another errorCode
 */
export function valueByCode<V>(answer: Answer, byCode: Readonly<Record<string, V>>, whenGood?: V): V {
  if (answer.isGood && whenGood !== undefined) return whenGood;
  const { errorCode } = answer;
  if (errorCode !== undefined && Object.hasOwn(byCode, errorCode)) return byCode[errorCode] as V;
  throw new UnexpectedAnswer(answer);
}

/** The errorCode of an answer, if it is one of these. @throws UnexpectedAnswer otherwise */
export function codeAmong(answer: Answer, codes: readonly string[], whenGood?: string): string {
  return valueByCode(answer, Object.fromEntries(codes.map((code) => [code, code])), whenGood);
}

/** The result of an experiment; `undefined` if it has none. */
export async function resultOf<T>(experiment: Promise<T>): Promise<T | undefined> {
  try {
    return await experiment;
  } catch (error) {
    if (error instanceof Undetermined) return undefined;
    throw error;
  }
}
