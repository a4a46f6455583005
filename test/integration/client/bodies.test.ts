/** The body of a response: its size, its compression, its text, its JSON, and other content. */
import { brotliCompressSync, gzipSync } from "node:zlib";
import { createProject, getProject } from "../../../provider/api/projects";
import { clientFactory, failureOf } from "./with-client";

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
  test("holds for what is unpacked: a small response cannot fill the memory", async () => {
    const bomb = gzipSync(Buffer.alloc(256 * 1024 * 1024, " "));
    expect(bomb.length).toBeLessThan(1024 * 1024);
    expect(await unexpected(bomb, { ...json, "content-encoding": "gzip" })).toContain(
      `the response (status 200) is longer than ${limit} bytes`,
    );
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
});

describe("the content type", () => {});

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
});

describe("what is reported of a response", () => {});
