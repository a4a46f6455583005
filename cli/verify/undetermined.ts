/**
 * Why a point remains open. The reasons hold no id, name or address, because they are also written
 * to the file.
 */

import { own } from "../../provider/text/own";
import type { ApiResponse } from "./service";

/** A point whose value this run cannot determine. */
export class Undetermined extends Error {
  constructor(readonly reason: string) {
    super(reason);
    this.name = "Undetermined";
  }
}

/** The response shows none of the behaviors that the point compares. */
export class InconclusiveResponse extends Undetermined {
  constructor(response: ApiResponse) {
    super(reasonOf(response));
    this.name = "InconclusiveResponse";
  }
}

function reasonOf(response: ApiResponse): string {
  const codes = [response.status, response.errorCode].filter((part) => part !== undefined).join(" ");
  if (response.isNotOffered) return `The service does not offer the operation (${codes}).`;
  if (response.isRefused) return `The API key lacks a role for it (${codes}).`;
  return `The response was ${codes}.`;
}

/** @throws InconclusiveResponse if the response is an error */
export function good(response: ApiResponse): ApiResponse {
  if (!response.isGood) throw new InconclusiveResponse(response);
  return response;
}

/**
 * The value that a response means.
 *
 * @param whenGood value of a response without an error; absent, such a response is unexpected
 * @throws InconclusiveResponse if the response has another errorCode
 */
export function valueByCode<V>(response: ApiResponse, byCode: Readonly<Record<string, V>>, whenGood?: V): V {
  if (response.isGood && whenGood !== undefined) return whenGood;
  const { errorCode } = response;
  if (errorCode !== undefined && Object.hasOwn(byCode, errorCode)) return own(byCode, errorCode) as V;
  throw new InconclusiveResponse(response);
}

/** The errorCode of a response, if it is one of these. @throws InconclusiveResponse otherwise */
export function codeAmong(response: ApiResponse, codes: readonly string[], whenGood?: string): string {
  return valueByCode(response, Object.fromEntries(codes.map((code) => [code, code])), whenGood);
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
