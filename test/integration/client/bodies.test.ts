/** The body of a response: its size, its compression, its text, its JSON, and other content. */
import { brotliCompressSync, gzipSync } from "node:zlib";
import { createProject, deleteProject, getProject } from "../../../provider/api/projects";
import { always, clientFactory, failureOf } from "./with-client";

const start = clientFactory();
const id = "5f00000000000000000000a1";
const project = { id, name: "payments", orgId: "5f00000000000000000000b1" };
const json = { "content-type": "application/json" };
const limit = 32 * 1024 * 1024;

/** A client of a service that returns 200 with these bytes. */
async function serving(
  body: Buffer | string,
  headers: Readonly<Record<string, string>> = json,
  status = 200,
) {
  return start.server((_, response) => {
    response.writeHead(status, headers);
    response.end(body);
  });
}

async function unexpected(...parts: Parameters<typeof serving>): Promise<string> {
  const { client } = await serving(...parts);
  const error = await failureOf(getProject(client, id));
  expect(error).toMatchObject({ code: "OPSMANAGER_UNEXPECTED_RESPONSE" });
  return error.message;
}

const text = JSON.stringify(project);
describe("a compressed response", () => {
  test.each(["gzip", "x-gzip", "GZIP", "identity, gzip"])(
    "with content-encoding %s is unpacked",
    async (encoding) => {
      const { client } = await serving(gzipSync(text), { ...json, "content-encoding": encoding });
      expect((await getProject(client, id)).name).toBe("payments");
    },
  );

  test("is requested as gzip", async () => {
    const received: unknown[] = [];
    const { client } = await start.server((request, response) => {
      received.push(request.headers["accept-encoding"]);
      always(200, project)(request, response);
    });
    await getProject(client, id);
    expect(received).toEqual(["gzip"]);
  });

  test("of an error is unpacked too", async () => {
    const body = gzipSync(JSON.stringify({ errorCode: "GROUP_NOT_FOUND", detail: "No group." }));
    const { client } = await serving(body, { ...json, "content-encoding": "gzip" }, 404);
    expect(await failureOf(getProject(client, id))).toMatchObject({ errorCode: "GROUP_NOT_FOUND" });
  });

  test("may be empty: nothing is unpacked", async () => {
    const { client } = await serving("", { "content-encoding": "gzip" }, 200);
    await expect(deleteProject(client, id)).resolves.toBeUndefined();
  });

  test("that was not requested is named", async () => {
    const headers = { ...json, "content-encoding": "br" };
    expect(await unexpected(brotliCompressSync(text), headers)).toContain(
      "the response (status 200) is compressed in a way that was not requested (br)",
    );
  });

  test.each([
    ["is none", Buffer.from(text)],
    ["ends too early", gzipSync(text).subarray(0, -12)],
    ["is damaged", Buffer.concat([gzipSync(text).subarray(0, 15), Buffer.from("x".repeat(40))])],
  ])("that %s cannot be unpacked, and reports it", async (_, body) => {
    expect(await unexpected(body, { ...json, "content-encoding": "gzip" })).toContain(
      "the response (status 200) is declared as gzip and cannot be decompressed",
    );
  });
});

describe("the limit of 32 MiB", () => {
  // `{"id":…,"x":"aaa…"}` of exactly so many bytes.
  const ofSize = (bytes: number) => {
    const frame = JSON.stringify({ ...project, x: "" });
    return frame.replace('"x":""', `"x":"${"a".repeat(bytes - frame.length)}"`);
  };

  test("holds for what is unpacked: a small response cannot fill the memory", async () => {
    const bomb = gzipSync(Buffer.alloc(256 * 1024 * 1024, " "));
    expect(bomb.length).toBeLessThan(1024 * 1024);
    expect(await unexpected(bomb, { ...json, "content-encoding": "gzip" })).toContain(
      `the response (status 200) is longer than ${limit} bytes`,
    );
  });

  test("is reached by the last byte and not by the one before, packed or not", async () => {
    const [whole, more] = [ofSize(limit), ofSize(limit + 1)];
    const packed = { ...json, "content-encoding": "gzip" };
    for (const [body, headers] of [
      [whole, json],
      [gzipSync(whole), packed],
    ] as const) {
      const { client } = await serving(body, headers);
      expect((await getProject(client, id)).name).toBe("payments");
    }
    expect(await unexpected(more)).toContain(`is longer than ${limit} bytes`);
    expect(await unexpected(gzipSync(more), packed)).toContain(`is longer than ${limit} bytes`);
  });

  test("ends an exchange whose header announces more, before any of it comes", async () => {
    const { client } = await start.server((_, response) => {
      response.writeHead(200, { "content-length": limit + 1 }).flushHeaders();
    });
    expect((await failureOf(getProject(client, id))).message).toContain(`is longer than ${limit} bytes`);
  });
});

describe("the text of a response", () => {
  const spelled = (name: string, encoding: BufferEncoding) =>
    Buffer.from(JSON.stringify({ ...project, name }), encoding);

  test("may begin with a byte order mark", async () => {
    const { client } = await serving(Buffer.from(`\uFEFF${text}`, "utf8"));
    expect((await getProject(client, id)).name).toBe("payments");
  });

  test("is UTF-8, even if the header names ISO-8859-1", async () => {
    const headers = { "content-type": "application/json;charset=ISO-8859-1" };
    const { client } = await serving(spelled("Zürich 東京 🛰", "utf8"), headers);
    expect((await getProject(client, id)).name).toBe("Zürich 東京 🛰");
  });

  test("is ISO-8859-1 where the header reports it and the bytes are no UTF-8", async () => {
    const headers = { "content-type": "application/json;charset=ISO-8859-1" };
    const { client } = await serving(spelled("Zürich", "latin1"), headers);
    expect((await getProject(client, id)).name).toBe("Zürich");
  });

  test("that is neither is refused: a name with replacement characters would be recorded", async () => {
    expect(await unexpected(spelled("Zürich", "latin1"))).toContain(
      "the response (status 200) is not text in UTF-8",
    );
  });

  test("of an error may be anything: it is only shown", async () => {
    const { client } = await serving(
      Buffer.from("fehlgeschlagen für", "latin1"),
      { "content-type": "text/plain" },
      400,
    );
    expect(await failureOf(getProject(client, id))).toMatchObject({ status: 400 });
  });

  test("may come in pieces that part a letter in two", async () => {
    const bytes = spelled("東京", "utf8");
    const { client } = await start.server((_, response) => {
      response.writeHead(200, json);
      const cut = bytes.indexOf(Buffer.from("東")) + 1;
      response.write(bytes.subarray(0, cut), () => setImmediate(() => response.end(bytes.subarray(cut))));
    });
    expect((await getProject(client, id)).name).toBe("東京");
  });
});

describe("the content type", () => {
  test.each(["application/vnd.example+json", "text/plain", "application/octet-stream"])(
    "%s does not matter where the body is the JSON that was requested",
    async (contentType) => {
      const { client } = await serving(text, { "content-type": contentType });
      expect((await getProject(client, id)).name).toBe("payments");
    },
  );
});

test.each([200, 201, 204])(
  "a POST that is answered %i without a body has an unknown outcome",
  async (status) => {
    const { client } = await serving("", {}, status);
    const error = await failureOf(createProject(client, { name: "orders", orgId: "1" }));
    expect(error).toMatchObject({ code: "OPSMANAGER_OUTCOME_UNKNOWN" });
  },
);

describe("deep nesting", () => {
  const deep = (open: string, close: string) => open.repeat(1_000_000) + close.repeat(1_000_000);

  test.each([
    ["brackets that are never closed", "[".repeat(1_000_000), "is not JSON"],
    ["brackets", deep("[", "]"), "the whole response (invalid_type)"],
    [
      "an envelope in an envelope and so on",
      `{"status":200,"content":${deep("[", "]")}}`,
      "the whole response (invalid_type)",
    ],
    ["a name", `{"id":"${id}","orgId":"b1","name":${deep("[", "]")}}`, "name (invalid_type)"],
  ])("of %s is an unexpected response and not the end of the process", async (_, body, message) => {
    expect(await unexpected(body)).toContain(message);
  });

  test("in a field that the client does not use is ignored", async () => {
    const { client } = await serving(`${text.slice(0, -1)},"x":${deep('{"a":[', "]}")}}`);
    expect((await getProject(client, id)).name).toBe("payments");
  });

  test("in an error's parameters is an error of that status", async () => {
    const { client } = await serving(`{"errorCode":"X","parameters":[${deep("[", "]")}]}`, json, 400);
    expect(await failureOf(getProject(client, id))).toMatchObject({ status: 400, errorCode: "X" });
  });
});

describe("what is reported of a response", () => {
  test("names the first wrong clientFactory and counts the others", async () => {
    const tags = Array.from({ length: 50_000 }, () => 7);
    const message = await unexpected(JSON.stringify({ ...project, tags }));
    expect(message).toContain("tags.0 (invalid_type), tags.1 (invalid_type)");
    expect(message.slice(-20)).toContain("and 49995 more.");
    expect(message.length).toBeLessThan(500);
  });

  test("quotes no more than a person reads of a long detail", async () => {
    const { client } = await serving(
      JSON.stringify({ errorCode: "X", detail: "y".repeat(5_000_000) }),
      json,
      400,
    );
    expect((await failureOf(getProject(client, id))).message.length).toBeLessThan(2000);
  });
});
