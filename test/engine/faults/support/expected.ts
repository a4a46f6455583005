/** What the matrix specifies of an operation, and how it is compared with what the engine shows. Data and its reading only. */

import type { Sandbox } from "../../../../sandbox";
import type { Cell, FaultRow } from "../../../integration/faults/matrix";
import type { Life, Subject } from "./life";
import { cellText, type Play, play } from "./play";

export interface Operation extends Play {
  /** What the service and the state hold: before, where the operation is done, and where it has failed without effect. */
  readonly before: string;
  readonly after: { readonly service: string; readonly state: string };
  readonly failed: { readonly service?: string; readonly state: string; readonly next: string };
  /** How the error begins: verb and object; `…` stands for an id that is not known before. */
  readonly action: (subject: Subject, sandbox: Sandbox) => string;
  /** Cells that differ from the row of their fault, and why. */
  readonly exceptions?: Readonly<Record<string, Cell>>;
}

const lost = "ECONNRESET|other side closed";
const goOn = "A read afterwards (found no|does not show).*Run pulumi up again";

/** What an error contains after its beginning: what happened, and what to do unless the service states it. */
const causes: Readonly<Record<string, { readonly post: string; readonly repeatable?: string }>> = {
  "reset before the write": { post: `returned no usable response \\(.*(${lost}).*\\).*${goOn}` },
  "a restart": { post: `returned no usable response \\(.*(${lost}).*\\).*${goOn}` },
  "no response in time, before the write": { post: `no complete response within 2 s.*${goOn}` },
  "bare 503, before the write": { post: `status 503.*${goOn}` },
  "500, before the write": { post: `status 500 UNEXPECTED_ERROR.*${goOn}` },
  "a proxy's 502 page, before the write": { post: `status 502.*${goOn}` },
  "a proxy's page with 200": {
    post: `returned status 200 with a web page\\. Check baseUrl .*${goOn}`,
    repeatable: "returned status 200 with a web page\\. Check baseUrl ",
  },
  "400": { post: "400 Injected by the test\\." },
  "403": { post: "403 Injected by the test\\. The API key \\w+ lacks a role for this\\." },
};

/**
 * One test for each operation. They are played before the tests, in this order, because each begins where the one before has ended;
 * the tests themselves may run in any order.
 */
export function describeMatrix(life: () => Life, operations: readonly Operation[]): void {
  const faults = new Map<string, unknown>();
  beforeAll(async () => {
    for (const operation of operations) {
      await expectMatrix(life(), operation).catch((error: unknown) => faults.set(operation.name, error));
    }
  }, 600_000);

  it.each(operations)("$name matches the matrix", ({ name }) => {
    if (faults.has(name)) throw faults.get(name);
  });
}

/** Plays the operation and compares every cell with the matrix. */
export async function expectMatrix(life: Life, operation: Operation): Promise<void> {
  const { sandbox } = life.setup;
  const { subjects } = life;
  const methods = new Map(subjects.map((subject) => [subject, operation.meets(subject, sandbox).method]));
  const actions = new Map(subjects.map((subject) => [subject, operation.action(subject, sandbox)]));
  const observed = Object.fromEntries(await play(life, operation));
  const expected = subjects.map((subject) => {
    const { row } = subject;
    const isPost = methods.get(subject) === "POST";
    const { outcome, requests } = operation.exceptions?.[row.name] ?? (isPost ? row.post : row.repeatable);
    const isDone = outcome === "ok";
    const expectedCell = {
      cell: isDone ? doneCell(operation, requests) : failedCell(operation, requests),
      message: isDone ? "" : expect.stringMatching(errorOf(row, actions.get(subject) ?? "", isPost)),
    };
    return [row.name, expectedCell];
  });
  expect(observed).toEqual(Object.fromEntries(expected));
}

function doneCell({ after }: Operation, requests: number): string {
  const next = after.state === "none" ? "nothing" : "same";
  return cellText({ run: "done", requests, ...after, next, again: 0, end: after.service });
}

function failedCell({ before, after, failed }: Operation, requests: number): string {
  const again = failed.next === "same" ? 0 : 1;
  return cellText({ run: "failed", requests, service: before, ...failed, again, end: after.service });
}

/** What an error reports that ends a request which met this fault. */
export function errorOf({ name }: FaultRow, action: string, isPost: boolean): RegExp {
  const cause = causes[name];
  const rest = isPost ? cause?.post : (cause?.repeatable ?? cause?.post);
  if (rest === undefined) throw new Error(`No cause is known of "${name}".`);
  const beginning = action.replaceAll(/[.()*+?]/g, "\\$&").replaceAll("…", "\\w+");
  return new RegExp(`${beginning} failed: .*${rest}`, "s");
}
