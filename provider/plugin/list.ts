/**
 * Answers List of the engine: a stream of results and, if there are more of them, the token of the
 * next page.
 *
 * Each page reads the whole list. The engine's own command requests one page of any size.
 */
import type { ServerWritableStream } from "@grpc/grpc-js";
import { type ListRequest, ListResponse } from "@pulumi/pulumi/proto/provider_pb";
import type { ListedObject } from "../resources/contract/listing";
import { inOrder } from "../resources/contract/values";
import { RefusedError } from "../text/errors";

export type ListCall = ServerWritableStream<ListRequest, ListResponse>;

/**
 * @param respond rejects with an error in the form of gRPC
 */
export async function answerList(
  stream: ListCall,
  respond: (request: ListRequest, signal: AbortSignal) => Promise<readonly ListResponse[]>,
): Promise<void> {
  const canceled = new AbortController();
  stream.on("cancelled", () => canceled.abort());
  try {
    for (const response of await respond(stream.request, canceled.signal)) stream.write(response);
    stream.end();
  } catch (error) {
    stream.emit("error", error);
  }
}

/** @param listed all selected objects; `undefined` if the selection is not known yet */
export function listResponses(
  listed: readonly ListedObject[] | undefined,
  request: ListRequest,
): ListResponse[] {
  return listed === undefined ? [computed()] : pageOf(listed, request);
}

/** In order of their IDs, so that a page continues where the last one ended, whatever changed since. */
function pageOf(listed: readonly ListedObject[], request: ListRequest): ListResponse[] {
  const { sent, lastId } = positionOf(request.getContinuationToken());
  const waiting = listed
    .filter(({ id }) => inOrder(id, lastId) > 0)
    .sort((one, other) => inOrder(one.id, other.id));
  const left = (request.getLimit() || Number.POSITIVE_INFINITY) - sent;
  const page = waiting.slice(0, Math.min(left, request.getPageSize() || Number.POSITIVE_INFINITY));
  const last = page.at(-1);
  const hasNext = last !== undefined && page.length < Math.min(left, waiting.length);
  return [...page.map(result), ...(hasNext ? [continuation(sent + page.length, last.id)] : [])];
}

/** A token holds what the request of the next page does not: how many results the pages before had. */
function positionOf(token: string): { readonly sent: number; readonly lastId: string } {
  if (token === "") return { sent: 0, lastId: "" };
  const [, sent = "", lastId = ""] = /^(\d+) (.+)$/s.exec(token) ?? [];
  if (lastId !== "") return { sent: Number(sent), lastId };
  throw new RefusedError(
    `The continuation token "${token}" is not one that this provider returned. Start the list again without it.`,
  );
}

function result({ id, name }: ListedObject): ListResponse {
  return new ListResponse().setResult(new ListResponse.Result().setId(id).setName(name));
}

function continuation(sent: number, lastId: string): ListResponse {
  const next = new ListResponse.Continuation().setContinuationToken(`${sent} ${lastId}`);
  return new ListResponse().setContinuation(next);
}

function computed(): ListResponse {
  return new ListResponse().setComputed(new ListResponse.Computed());
}
