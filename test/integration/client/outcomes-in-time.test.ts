/** Faults that last: a service that restarts, that is slow, or that limits requests. */
import { createProject, deleteProject, getProject, updateProject } from "../../../provider/api/projects";
import { clientFactory, failureOf } from "./with-client";

const start = clientFactory();

afterEach(() => {
  jest.restoreAllMocks();
});

/** A client whose key has proven itself, of a service with one project. */
async function connected(settings: Readonly<Record<string, unknown>> = {}) {
  const connection = await start.sandbox({}, { maxRetries: 4, ...settings });
  const { id } = connection.sandbox.addProject({ name: "payments" });
  await getProject(connection.client, id);
  connection.sandbox.clearRequests();
  return { ...connection, id, wanted: { name: "orders", orgId: connection.sandbox.orgId } };
}

describe("a service that restarts", () => {
  /** Ends between the second attempt, after a tenth of a second, and the third one, after three tenths. */
  const outageMs = 200;
  const mockWaits = () => jest.spyOn(Math, "random").mockReturnValue(0.2);

  test("in the middle of a GET, a PATCH or a DELETE is waited for", async () => {
    mockWaits();
    const { sandbox, client, id, lines } = await connected();
    sandbox.addFault({ method: "PATCH", fault: { outageMs } });
    expect((await updateProject(client, id, { tags: ["NEW"] })).tags).toEqual(["NEW"]);
    expect(lines.filter((line) => /attempt \d of 5/.test(line)).length).toBeGreaterThanOrEqual(2);
    expect(lines.join("\n")).toContain("ECONNREFUSED");
    sandbox.addFault({ method: "DELETE", fault: { outageMs } });
    await deleteProject(client, id);
    expect(sandbox.project(id)).toBeUndefined();
  });

  test("before a POST could connect is waited for, and the POST arrives once", async () => {
    mockWaits();
    const { sandbox, client, id, wanted } = await connected({ maxConcurrentRequests: 1 });
    sandbox.addFault({ method: "GET", fault: { outageMs } });
    const [read, made] = await Promise.all([
      getProject(client, id),
      (async () => {
        while (sandbox.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
        const { baseUrl, publicKey, privateKey } = sandbox;
        const other = start.client({ baseUrl, publicKey, privateKey, maxRetries: 4 });
        return { lines: other.lines, project: await createProject(other.client, wanted) };
      })(),
    ]);
    expect([read.name, made.project.name]).toEqual(["payments", "orders"]);
    expect(made.lines.join("\n")).toContain("ECONNREFUSED");
    const posts = sandbox.requests.filter(({ method, authorized }) => method === "POST" && authorized);
    expect(posts.map(({ status }) => status)).toEqual([201]);
  });
});

describe("a service that closes idle connections without a word", () => {
  test("costs neither an attempt nor a POST", async () => {
    const { sandbox, client, id, wanted, lines } = await connected();
    sandbox.addFault({ times: 0, fault: "close-after-answer" });
    for (let count = 0; count < 10; count += 1) {
      await getProject(client, id);
      // Its end has arrived when another exchange has: a client that sends in the same moment is another story.
      await fetch(`${sandbox.controlUrl}/faults`);
    }
    await createProject(client, wanted);
    expect(lines.filter((line) => line.includes("attempt"))).toEqual([]);
    expect(sandbox.requests.filter(({ authorized }) => authorized)).toHaveLength(11);
  });
});

describe("a service that is slow", () => {
  // Each waits for its whole time limit, so both calls wait at the same time.
  let post: Awaited<ReturnType<typeof connected>> & { readonly error: Error };
  let get: Awaited<ReturnType<typeof connected>> & { readonly error: Error };

  beforeAll(async () => {
    jest.spyOn(Math, "random").mockReturnValue(0.5);
    const slowPost = async () => {
      const connection = await connected({ requestTimeoutSeconds: 1 });
      const { sandbox, client, wanted } = connection;
      sandbox.addFault({ method: "POST", fault: { delayMs: 60_000, afterWrite: true } });
      return { ...connection, error: await failureOf(createProject(client, wanted)) };
    };
    const slowGet = async () => {
      const connection = await connected({ requestTimeoutSeconds: 1, maxRetries: 9 });
      const { sandbox, client, id } = connection;
      sandbox.addFault({ method: "GET", times: 0, fault: { delayMs: 60_000 } });
      return { ...connection, error: await failureOf(getProject(client, id)) };
    };
    [post, get] = await Promise.all([slowPost(), slowGet()]);
  });

  test("to answer a POST that took effect leaves the outcome unknown, with one project made", () => {
    const { sandbox, error } = post;
    expect(error).toMatchObject({ code: "OPSMANAGER_OUTCOME_UNKNOWN" });
    expect(sandbox.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
    expect(sandbox.state.projects.filter(({ name }) => name === "orders")).toHaveLength(1);
  });

  test("at every attempt costs twice the time of one, whatever maxRetries is", () => {
    const { lines, error } = get;
    expect(error).toMatchObject({ code: "OPSMANAGER_TIMEOUT" });
    expect(error.message).toContain("within 2 s, the limit for all attempts of a call");
    expect(lines.filter((line) => /attempt \d+ of 10/.test(line))).toHaveLength(1);
  });
});
