import { agentApiKey } from "../../../../provider/resources/agent-api-key";
import type { Properties } from "../../../../provider/resources/contract/values";
import { UNKNOWN } from "../../../../provider/resources/contract/values";
import { fault } from "../checker";
import { entry, Keys, keyId, orgId, projectId, secretKey } from "./keys";

const id = `${projectId}/${keyId}`;
const declared: Properties = { projectId, description: "agents" };
const state: Properties = {
  ...declared,
  key: secretKey,
  keyId,
  keySuffix: "cdef",
  createdAt: "2026-01-02T03:03:05.000Z",
  orgId,
  origin: "created",
  onDestroy: "remove",
};

function refusing(method: "GET" | "DELETE", status: number, errorCode?: string) {
  return {
    [method]: () => {
      throw fault(status, errorCode);
    },
  };
}

describe("a read", () => {
  const read = (keys: Keys) => agentApiKey.read({ id, state, oldInputs: declared, context: keys.context });

  test("retains the recorded key and description, whatever the list shows", async () => {
    const keys = new Keys().set(entry(keyId, "AGENTS"));
    expect(await read(keys)).toEqual({ id, state, inputs: declared });
    expect(keys.messages).toEqual([]);
  });

  test("reports a key whose last characters differ, and retains the recorded key", async () => {
    const keys = new Keys().set(entry(keyId, "agents", "another key: wxyz"));
    expect((await read(keys))?.state).toEqual({ ...state, keySuffix: "wxyz" });
    expect(keys.messages).toEqual([
      `Agent API key ${keyId} of project ${projectId} ends with "wxyz" in the service, but not in the state. The state keeps its key, with which the service may refuse agents. To get a new key, change triggers and run pulumi up.`,
    ]);
  });

  const { keySuffix: _, createdAt: __, ...withoutFacts } = state;
  const { createdTime: ___, ...withoutTime } = entry(keyId, "agents");

  test.each([
    ["nothing that the list shows", withoutFacts, entry(keyId, "agents"), state],
    ["a key of which the list shows no characters", state, { ...entry(keyId, "agents"), key: null }, state],
    ["a time that the list lacks", state, withoutTime, state],
    ["neither a key nor a time, as the list", withoutFacts, { _id: keyId }, withoutFacts],
    [
      "another time",
      { ...state, createdAt: "earlier" },
      entry(keyId, ""),
      { ...state, createdAt: "earlier" },
    ],
    ["an id that the list spells otherwise", state, entry(keyId.toUpperCase(), "agents"), state],
  ])(
    "completes the state from the list and warns of nothing, if the state has %s",
    async (_case, recorded, listed, expected) => {
      const keys = new Keys().set(entry("5f00000000000000000000f2", "others", "another key: wxyz"), listed);
      const found = await agentApiKey.read({
        id,
        state: recorded,
        oldInputs: declared,
        context: keys.context,
      });
      expect(found).toEqual({ id, state: expected, inputs: declared });
      expect(keys.messages).toEqual([]);
    },
  );

  test("takes the organization from the project if an older state lacks it", async () => {
    const { orgId: _org, ...older } = state;
    const { context } = new Keys().set(entry(keyId, "agents"));
    const found = await agentApiKey.read({ id, state: older, oldInputs: declared, context });
    expect(found?.state).toEqual(state);
  });

  test.each([
    ["may not be read", 403, "NOT_ALLOWED", "[unreadable] [agent keys "],
    ["is shown by the organization but not found", 404, "GROUP_NOT_FOUND", "[unreadable] [agent keys "],
    ["has no such operation", 404, undefined, "[missing operation] [agent keys "],
  ])("retains the state if the project %s", async (_, status, errorCode, notice) => {
    const keys = new Keys(refusing("GET", status, errorCode));
    expect(await read(keys)).toEqual({ id, state, inputs: declared });
    expect(keys.messages).toEqual([expect.stringContaining(notice)]);
  });

  test("fails if the response does not concern the object", async () => {
    await expect(read(new Keys(refusing("GET", 500)))).rejects.toThrow("500");
  });
});

describe("an import", () => {
  const importing = (of: string, keys: Keys) => agentApiKey.read({ id: of, context: keys.context });

  test("of a key without a description is not replaced by the description that a program gives it", async () => {
    const keys = new Keys().set(entry(keyId, ""));
    const imported = await importing(id, keys);
    const { inputs: oldInputs = {}, state: recorded = {} } = imported ?? {};
    const diff = (old: Properties, description: string) => {
      const inputs = { projectId, description };
      return agentApiKey.diff({
        id,
        state: recorded,
        oldInputs: old,
        inputs,
        ignoreChanges: [],
        context: keys.context,
      });
    };
    expect(diff(oldInputs, "agents")).toEqual([]);
    expect(diff({ projectId, description: "agents" }, "others")).toMatchObject([{ replace: true }]);
  });

  test.each([projectId, keyId, `${projectId}/agents`, `${id}/`])("by %s is refused", async (wrong) => {
    await expect(importing(wrong, new Keys())).rejects.toThrow(
      "does not name an agent API key: an AgentApiKey is imported by <projectId>/<keyId>. The function getAgentApiKeys lists the ids of a project.",
    );
  });

  test("of an unknown key or project finds nothing", async () => {
    expect(await importing(id, new Keys())).toBeUndefined();
    expect(await importing(id, new Keys(refusing("GET", 404, "GROUP_NOT_FOUND")))).toBeUndefined();
  });

  test("finds a key among others, however the service spells its id", async () => {
    const others = ["5f00000000000000000000f2", "5f00000000000000000000f3"].map((one) =>
      entry(one, "others"),
    );
    const [first, last] = others;
    const keys = new Keys().set(first, entry(keyId.toUpperCase(), "agents"), last);
    expect(await importing(id, keys)).toMatchObject({ id, state: { keyId }, inputs: declared });
  });

  test.each([
    [401, "USER_UNAUTHORIZED"],
    [403, "NOT_ALLOWED"],
    [404, "RESOURCE_NOT_FOUND"],
  ])("fails if the keys of the project cannot be read (%d %s)", async (status, errorCode) => {
    const keys = new Keys(refusing("GET", status, errorCode)).set(entry(keyId, "agents"));
    await expect(importing(id, keys)).rejects.toThrow(`${status} ${errorCode}`);
  });
});

describe("a deletion", () => {
  const deleting = (keys: Keys, oldInputs: Properties = declared) =>
    agentApiKey.delete({ id, state, oldInputs, context: keys.context });

  test("fails without a read if the service did not respond", async () => {
    const keys: Keys = new Keys({
      DELETE: () => {
        throw new Error("The connection was closed.");
      },
    });
    await expect(deleting(keys)).rejects.toThrow("The connection was closed.");
    expect(keys.requests).toEqual([`DELETE ${keyId}`]);
  });

  test("finds a key in the list, however the service spells its id", async () => {
    const keys = new Keys(refusing("DELETE", 404, "RESOURCE_NOT_FOUND"));
    keys.set(entry("5f00000000000000000000f2", "others"), entry(keyId.toUpperCase(), "agents"));
    await expect(deleting(keys)).rejects.toThrow("404 RESOURCE_NOT_FOUND");
  });

  test("fails if the list still has the key, or cannot be read", async () => {
    const existing = new Keys(refusing("DELETE", 404, "RESOURCE_NOT_FOUND")).set(entry(keyId, "agents"));
    await expect(deleting(existing)).rejects.toThrow("404 RESOURCE_NOT_FOUND");
    const unreadable = { ...refusing("DELETE", 404, "RESOURCE_NOT_FOUND"), ...refusing("GET", 403, "NO") };
    await expect(deleting(new Keys(unreadable))).rejects.toThrow("404 RESOURCE_NOT_FOUND");
  });

  test("succeeds if the project was deleted, and fails if its organization still shows it", async () => {
    const deleted = {
      ...refusing("DELETE", 404, "GROUP_NOT_FOUND"),
      ...refusing("GET", 404, "GROUP_NOT_FOUND"),
    };
    const without = new Keys(deleted);
    without.projects = [];
    await deleting(without);
    await expect(deleting(new Keys(deleted))).rejects.toThrow("404 GROUP_NOT_FOUND");
  });
});

describe("a difference", () => {
  const diff = (inputs: Properties, oldInputs = declared, recorded = state, ignoreChanges: string[] = []) =>
    agentApiKey.diff({ id, state: recorded, oldInputs, inputs, ignoreChanges, context: new Keys().context });

  test("is none if nothing changed, also if a description was written in another form by the service", () => {
    expect(diff(declared)).toEqual([]);
    expect(diff({ ...declared, triggers: {} })).toEqual([]);
    expect(diff({ ...declared, onDestroy: "remove" })).toEqual([]);
    expect(diff(declared, declared, { ...state, description: "AGENTS" })).toEqual([]);
  });

  test.each([
    ["projectId", { projectId: "5f0000000000000000000002" }, { kind: "update", byProgram: true }],
    ["description", { description: "other" }, { kind: "update" }],
    ["triggers", { triggers: { renewed: "2026" } }, { kind: "add" }],
  ])("in %s replaces the key", (property, change, difference) => {
    expect(diff({ ...declared, ...change })).toEqual([{ path: [property], replace: true, ...difference }]);
    expect(diff({ ...declared, ...change }, declared, state, [property])).toEqual([]);
  });

  test("in a trigger replaces the key, and their order is none", () => {
    const before = { ...declared, triggers: { a: "1", b: "2" } };
    expect(diff({ ...declared, triggers: { b: "2", a: "1" } }, before)).toEqual([]);
    expect(diff({ ...declared, triggers: { a: "1", b: "3" } }, before)).toEqual([
      { path: ["triggers"], kind: "update", replace: true },
    ]);
    expect(diff(declared, before)).toEqual([{ path: ["triggers"], kind: "delete", replace: true }]);
  });

  test("in an unknown value is an update until the value is known", () => {
    expect(diff({ ...declared, triggers: { a: UNKNOWN } })).toEqual([
      { path: ["triggers"], kind: "add", replace: false },
    ]);
  });

  test("in onDestroy is an update, which changes the state alone", async () => {
    const inputs = { ...declared, onDestroy: "release" };
    expect(diff(inputs)).toEqual([{ path: ["onDestroy"], kind: "update" }]);
    const { context } = new Keys();
    const request = { id, state, oldInputs: declared, inputs, ignoreChanges: [], preview: false, context };
    expect(await agentApiKey.update(request)).toEqual({ ...state, onDestroy: "release" });
  });

  // The plugin would take a record with these properties for one of the dynamic provider in each run.
  test("in a record of the dynamic provider is written without the properties of that provider", async () => {
    const moved = { ...state, __declared: declared, __secrets: [], __provider: "exports.handler" };
    const { context } = new Keys();
    const request = { id, state: moved, oldInputs: declared, inputs: declared, ignoreChanges: [], context };
    expect(await agentApiKey.update({ ...request, preview: false })).toEqual(state);
  });

  test("replaces a created key that has no secret, and leaves an imported one unchanged", () => {
    const { key: _, ...withoutKey } = state;
    expect(diff(declared, declared, withoutKey)).toEqual([{ path: ["key"], kind: "add", replace: true }]);
    expect(diff(declared, declared, { ...withoutKey, origin: "imported" })).toEqual([]);
  });
});

describe("a check", () => {
  const check = (inputs: Properties) => agentApiKey.check({ inputs, context: new Keys().context });

  test("writes ids in lower case and drops what is null", () => {
    const given = { projectId: projectId.toUpperCase(), description: "agents", onDestroy: null };
    expect(check({ ...given, triggers: { a: "1", b: null } })).toEqual({
      inputs: { projectId, description: "agents", triggers: { a: "1" } },
      failures: [],
    });
  });

  test.each([
    [{ description: "" }, "description must not be empty."],
    [{ description: "x".repeat(1001) }, "description must have at most 1000 characters."],
    [{ projectId: "payments" }, "projectId must be the id of a project: 24 hexadecimal digits."],
    [{ triggers: { a: 1 } }, "triggers.a must be text."],
    [{ onDestroy: "delete" }, 'onDestroy must be "remove" or "release".'],
    [{ key: secretKey }, "key is not a property."],
  ])("rejects %j", (change, reason) => {
    expect(check({ ...declared, ...change } as Properties).failures.map((failure) => failure.reason)).toEqual(
      [reason],
    );
  });

  test("accepts a description of 1,000 characters", () => {
    expect(check({ ...declared, description: "x".repeat(1000) }).failures).toEqual([]);
  });
});
