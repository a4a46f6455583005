import { create } from "../../../../provider/resources/agent-api-key/create";
import { UNKNOWN } from "../../../../provider/resources/contract/values";
import { ObservationLog } from "../../../../provider/resources/session/observations";
import { OutcomeUnknownError } from "../../../../provider/text/errors";
import { fault } from "../checker";
import { entry, Keys, keyId, projectId, secretKey } from "./keys";

const inputs = { projectId, description: "agents" };
const otherId = "5f00000000000000000000f2";

const deletion = `To delete a key, send DELETE /api/public/v1.0/groups/${projectId}/agentapikeys/<key id>, or use the list of agent API keys in the service's web interface.`;
const remaining = `The service does not show a key again, so no program can use them. Delete each of them that no other program created. Then run pulumi up again, which creates another key. ${deletion}`;

const run = (keys: Keys, preview = false) => create({ inputs, preview, context: keys.context });

/** The response to the POST is lost after the service has done this. */
function losing(change: (keys: Keys) => void, read?: () => unknown): Keys {
  let isLost = false;
  const keys: Keys = new Keys({
    POST: () => {
      change(keys);
      isLost = true;
      throw new OutcomeUnknownError("Creating an agent API key failed: no usable response.");
    },
    ...(read && { GET: () => (isLost ? read() : []) }),
  });
  return keys;
}

test("a preview only reads, and fails if the keys cannot be read", async () => {
  const keys = new Keys();
  expect((await run(keys, true)).state).toMatchObject({ ...inputs, key: UNKNOWN, keyId: UNKNOWN });
  expect(keys.requests).toEqual(["GET"]);
  const refusing = new Keys({
    GET: () => {
      throw fault(401, "USER_UNAUTHORIZED");
    },
  });
  await expect(run(refusing, true)).rejects.toThrow("401 USER_UNAUTHORIZED");
});

describe("after a lost response,", () => {
  test("several new keys of this description are all named", async () => {
    const keys = losing((service) => service.set(entry(otherId, "agents"), entry(keyId, "agents")));
    await expect(run(keys)).rejects.toThrow(`${otherId} ("agents"), ${keyId} ("agents")`);
  });

  test("a new key is named although the service stores the description in another form", async () => {
    const keys = losing((service) => service.set(entry(keyId, "AGENTS")));
    await expect(run(keys)).rejects.toThrow(`since then: ${keyId} ("AGENTS")`);
  });

  test("a list without a new key is reported", async () => {
    await expect(run(losing(() => undefined))).rejects.toThrow(
      'A read afterwards found no new agent API key with the description "agents"',
    );
  });

  test("a list that cannot be read is reported, with what to look for", async () => {
    const keys = losing(
      () => undefined,
      () => {
        throw fault(503);
      },
    );
    await expect(run(keys)).rejects.toThrow(
      /A read afterwards failed as well: The request failed: 503.*Check whether project .* has a new agent API key/,
    );
  });
});

describe("a response to the creation without", () => {
  test("an id is completed by the list, if one new key has the same last characters", async () => {
    const keys: Keys = new Keys({
      POST: () => {
        keys.set(entry(otherId, "agents", "another key: wxyz"), entry(keyId, "agents"));
        return { desc: "agents", key: secretKey };
      },
    });
    expect(await run(keys)).toMatchObject({ id: `${projectId}/${keyId}`, state: { keyId, key: secretKey } });
  });

  test("an id is an error that names the new keys and not the secret, if none or several fit", async () => {
    const keys: Keys = new Keys({
      POST: () => {
        keys.set(entry(otherId, "agents"), entry(keyId, "agents"));
        return { desc: "agents", key: secretKey };
      },
    });
    await expect(run(keys)).rejects.toMatchObject({
      message: `Creating an agent API key of project ${projectId} failed: the response did not contain the id of the new key, so the key is not recorded. New agent API keys of project ${projectId} since then: ${otherId} ("agents"), ${keyId} ("agents"). ${remaining}`,
    });
  });

  test("an id is an error that names of several new keys only those with the same last characters", async () => {
    const keys: Keys = new Keys({
      POST: () => {
        const another = entry("5f00000000000000000000f3", "agents", "another key: wxyz");
        keys.set(entry(otherId, "agents"), another, entry(keyId, "agents"));
        return { desc: "agents", key: secretKey };
      },
    });
    await expect(run(keys)).rejects.toThrow(`since then: ${otherId} ("agents"), ${keyId} ("agents"). The`);
  });

  test("an id is an error that names what to look for, if the keys cannot be read either", async () => {
    let isCreated = false;
    const keys = new Keys({
      POST: () => {
        isCreated = true;
        return { desc: "agents", key: secretKey };
      },
      GET: () => {
        if (isCreated) throw fault(503);
        return [];
      },
    });
    await expect(run(keys)).rejects.toThrow(
      `The request failed: 503 undefined. Check whether project ${projectId} has a new agent API key with the description "agents". If so, delete it before you run pulumi up again. ${deletion}`,
    );
  });

  test.each([
    ["other last characters", "another key: wxyz"],
    ["no characters", null],
  ])("an id is an error that names the new key, if the list shows %s of it", async (_, key) => {
    const keys: Keys = new Keys({
      POST: () => {
        keys.set({ ...entry(keyId, "agents"), key });
        return { desc: "agents", key: secretKey };
      },
    });
    await expect(run(keys)).rejects.toThrow(`since then: ${keyId} ("agents")`);
  });

  test("an id and a key is an error, although one new key has the description", async () => {
    const keys: Keys = new Keys({
      POST: () => {
        keys.set(entry(keyId, "agents"));
        return {};
      },
    });
    await expect(run(keys)).rejects.toThrow(`since then: ${keyId} ("agents")`);
  });
});

test("keys of one project are created one after the other, so each of them is told from the others", async () => {
  const keys: Keys = new Keys({
    POST: () => {
      const id = keys.requests.filter((request) => request === "POST").length === 1 ? keyId : otherId;
      return { ...entry(id, "agents"), key: secretKey };
    },
  });
  const created = await Promise.all([run(keys), run(keys)]);
  expect(created.map(({ id }) => id)).toEqual([`${projectId}/${keyId}`, `${projectId}/${otherId}`]);
  expect(keys.requests).toEqual(["GET", "POST", "GET", "GET", "POST", "GET"]);
});

test("a key that replaces another one is announced with the effects, in the preview and in the update", async () => {
  const { context, messages } = new Keys();
  const id = `${projectId}/${otherId}`;
  context.session
    .of(ObservationLog)
    .record(context.urn, { kind: "AgentApiKey", id, origin: "created", names: [] });
  for (const preview of [true, false]) await create({ inputs, preview, context });
  const announced = `Agent API key ${id} is replaced: the new key has another secret. If this run deletes the old key, agents that still use it are refused.`;
  expect(messages).toEqual([announced, announced]);
});

test("a key of the same description that no resource holds is reported, one that a resource holds is not", async () => {
  const keys = new Keys().set(entry(otherId, "agents"), entry("5f00000000000000000000f3", "agents"));
  keys.context.session.of(ObservationLog).record("another URN", {
    kind: "AgentApiKey",
    id: `${projectId}/5f00000000000000000000f3`,
    origin: "created",
    names: [],
  });
  await run(keys);
  expect(keys.messages).toEqual([
    `Project ${projectId} has other agent API keys with the description "agents": ${otherId}. If a failed run left one of them, delete it. ${deletion}`,
  ]);
});
