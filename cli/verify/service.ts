/**
 * Sends requests and returns their responses unchecked: a point compares status, errorCode and body.
 */

import { wireRequestOf } from "../../provider/api/client";
import { refuseErrors } from "../../provider/api/response";
import { isRecord } from "../../provider/resources/contract/values";
import { meaningOf } from "../../provider/resources/evidence/meaning";
import type { Settings } from "../../provider/settings/config";
import { ApiError } from "../../provider/text/errors";
import { own } from "../../provider/text/own";
import type { SendRequest, WireRequest, WireResponse } from "../../provider/transport";
import { thrownBy } from "../lib/connection";

export type ApiResponse = Readonly<ReturnType<typeof checked>>;

export interface TrialRequest {
  readonly method: WireRequest["method"];
  /** Path below `/api/public/v1.0`, one entry for each segment, not yet encoded. */
  readonly path: readonly string[];
  /** In this order; a name with several values is repeated. */
  readonly query?: Readonly<Record<string, string | number | readonly string[]>>;
  readonly body?: unknown;
  /** It may send an invitation. */
  readonly invites?: boolean;
}

export function requestOf(settings: Settings, request: TrialRequest, signal?: AbortSignal): WireRequest {
  const { method, path, query = {}, body, invites } = request;
  const wire = wireRequestOf(settings, {
    action: actionOf(request),
    method,
    path,
    body,
    signal,
    ...(invites === undefined ? {} : { invites }),
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) search.append(name, String(one));
  }
  return { ...wire, target: `${wire.target}${search.size > 0 ? `?${search}` : ""}` };
}

/** @throws OpsManagerError if no response came */
export async function send(
  settings: Settings,
  transport: SendRequest,
  request: TrialRequest,
  signal?: AbortSignal,
): Promise<ApiResponse> {
  const response = await transport(requestOf(settings, request, signal));
  return checked(settings, request, response);
}

/** The form of the codes; a proxy may return any text in the field, and reports quote the code. */
const ERROR_CODE = /^[A-Z0-9_]{1,80}$/;

function checked(settings: Settings, request: TrialRequest, wire: WireResponse) {
  const context = { ...settings, action: actionOf(request), method: request.method };
  const error = thrownBy(() => refuseErrors(wire, context));
  const isApiError = error instanceof ApiError;
  const meaning = error && meaningOf(error);
  return {
    status: wire.status,
    errorCode: isApiError && ERROR_CODE.test(error.errorCode ?? "") ? error.errorCode : undefined,
    parameters: (isApiError ? error.parameters : undefined) ?? [],
    /** Parsed JSON; `undefined` if there is none. */
    body: jsonOf(wire.body),
    wire,
    /** The error that the provider would throw for it; `undefined` for a successful response. */
    error,
    /** A status of 2xx, and no web page. */
    isGood: error === undefined,
    /** The service does not offer the operation. */
    isNotOffered: meaning === "missing-operation",
    /** The API key lacks a role for the operation. */
    isRefused: meaning === "unreadable",
    /** The object does not exist. */
    isMissing: meaning === "deleted",
    /**
     * The object does not exist, or the API key may not read it: the response does not show which.
     */
    isMissingOrHidden: meaning === "deleted-or-hidden",
  };
}

function actionOf({ method, path }: TrialRequest): string {
  return `${method} /${path.join("/")}`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** An object of a response. */
export type Entry = Readonly<Record<string, unknown>>;

/** The fields of a response that is one object; empty for any other. */
export function fieldsOf({ body }: Pick<ApiResponse, "body">): Entry {
  return isRecord(body) ? body : {};
}

/** A field of text; `undefined` for any other. */
export function textOf(response: Pick<ApiResponse, "body">, field: string): string | undefined {
  const value = own(fieldsOf(response), field);
  return typeof value === "string" ? value : undefined;
}

/** The entries of a list, paged (`results`) or bare. */
export function listEntries(body: unknown): readonly Entry[] {
  const list = isRecord(body) ? body.results : body;
  return Array.isArray(list) ? list.filter(isRecord) : [];
}
