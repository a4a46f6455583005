/** What the matrix specifies of an operation, and how it is compared with what the engine shows. Data and its reading only. */

import type { Sandbox } from "../../../../sandbox";
import { uncertain } from "../../../integration/faults/matrix";
import type { Life, Subject } from "./life";
import { cellText, type Play, play } from "./play";

export interface Operation extends Play {
  /** What the service and the state hold: before, where the operation is done, and where it has failed without effect. */
  readonly before: string;
  readonly after: { readonly service: string; readonly state: string };
  readonly failed: { readonly service?: string; readonly state: string; readonly next: string };
  /** How the error begins: verb and object; `…` stands for an id that is not known before. */
  readonly action: (subject: Subject, sandbox: Sandbox) => string;
}

/** What an error adds if the request may have been performed. */
const goOn = ".* A read afterwards (found no|does not show).*Run pulumi up again";

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
    const { error, requests } = methods.get(subject) === "POST" ? row.post : row.repeatable;
    const expectedCell =
      error === undefined
        ? { cell: doneCell(operation, requests), message: "" }
        : {
            cell: failedCell(operation, requests),
            message: expect.stringMatching(errorOf(error, actions.get(subject) ?? "")),
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

/** The whole error of a cell, by how it begins. A message has the name of a project that the run has read. */
function errorOf(error: string, action: string): RegExp {
  const beginning = action.replaceAll(/[.()*+?]/g, "\\$&").replaceAll("…", "\\w+");
  return new RegExp(
    `${beginning}( \\("[^"]+"\\))? failed: .*${error}${error.endsWith(uncertain) ? goOn : ""}`,
    "s",
  );
}
