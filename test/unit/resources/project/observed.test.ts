/** What Diff and Delete of a project leave for Check and Create of the same operation. */
import type { Properties } from "../../../../provider/resources/contract/values";
import { UNKNOWN } from "../../../../provider/resources/contract/values";
import { remove } from "../../../../provider/resources/project/delete";
import { diff } from "../../../../provider/resources/project/diff";
import { projectNamed, projectOf } from "../../../../provider/resources/project/subjects";
import { Claims } from "../../../../provider/resources/session/claims";
import { ObservationLog } from "../../../../provider/resources/session/observations";
import { newSession, urnOf } from "../checker";

const [id, orgId] = ["5f00000000000000000000a1", "5f00000000000000000000b1"];
const state: Properties = { projectId: id, orgId, name: "payments", origin: "adopted" };
const [urn, other] = [urnOf("Project", "ada"), urnOf("Project", "ben")];

function newContext() {
  const messages: string[] = [];
  const log = (message: string) => void messages.push(message);
  const signal = new AbortController().signal;
  return { session: newSession(), urn, log: { info: log, warn: log }, signal, messages };
}

const oldInputs: Properties = { orgId: UNKNOWN, name: "invoices" };
const names = [
  { orgId: undefined, name: "invoices" },
  { orgId, name: "payments" },
  { orgId, name: "payments" },
];
const observation = { kind: "Project", id, origin: "adopted", names };

test("a compared project is known by the names that the program, the state and the service have for it", () => {
  const context = newContext();
  const request = { id, state, oldInputs, inputs: { name: "orders" }, ignoreChanges: ["orgId"], context };
  expect(diff(request)).toEqual([{ path: ["name"], kind: "update" }]);
  expect(context.session.of(ObservationLog).last(urn)).toEqual(observation);
});

test.each([
  ["its ID", projectOf(id)],
  ["its name", projectNamed({ orgId, name: "payments" })],
])(
  "a released project is left to the resource that declares %s, and the message has its name and origin",
  async (_, declared) => {
    const context = newContext();
    context.session.of(Claims).take(declared, other);
    await remove({ id, state, oldInputs, context });
    expect(context.session.of(ObservationLog).last(other)).toEqual(observation);
    expect(context.messages).toEqual([
      `Project ${id} ("payments", adopted) was released: it stays in the service with its members.`,
    ]);
  },
);

test("a released project that no resource declares is left to none", async () => {
  const context = newContext();
  await remove({ id, state, oldInputs, context });
  expect(context.session.of(ObservationLog).all()).toEqual([]);
});

test("a project of which another resource declares the ID is kept, although the program requires its deletion", async () => {
  const context = newContext();
  context.session.of(Claims).take(projectOf(id), other);
  await remove({ id, state, oldInputs: { ...oldInputs, onDestroy: "delete" }, context });
  expect(context.messages).toEqual([`Project ${id} was kept because ${other} declares it.`]);
});
