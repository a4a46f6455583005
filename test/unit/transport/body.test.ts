/** The body of a response: its length, its compression and its text. */
import { brotliCompressSync, gzipSync } from "node:zlib";
import { readBody, tooLong } from "../../../provider/transport/body";

const text = JSON.stringify({ name: "payments" });
const packed = gzipSync(text);
const umlaut = Buffer.from("Zürich", "latin1");
const limit = 32 * 1024 * 1024;

/** What is read of these bytes, or why they cannot be used. */
async function read(bytes: Buffer, headers: Record<string, string> = {}, status = 200): Promise<string> {
  const half = Math.floor(bytes.length / 2);
  const chunks = [bytes.subarray(0, half), bytes.subarray(half)];
  return readBody({ status, headers }, chunks);
}

const latin = { "content-type": "text/plain;charset=ISO-8859-1" };

test.each([
  ...["gzip", "x-gzip", "GZIP", "identity, gzip"].map((encoding) => ({
    headers: { "content-encoding": encoding },
    bytes: packed,
    is: text,
  })),
  { headers: { "content-encoding": "identity" }, bytes: Buffer.from(text), is: text },
  { headers: { "content-encoding": "gzip" }, bytes: Buffer.alloc(0), is: "" },
  { headers: {}, bytes: Buffer.from(`\uFEFF${text}`), is: text },
  { headers: latin, bytes: umlaut, is: "Zürich" },
  { headers: latin, bytes: Buffer.from("Zürich"), is: "Zürich" },
])("the text of a body with $headers is $is", async ({ headers, bytes, is }) => {
  expect(await read(bytes, headers)).toBe(is);
});

test("the text of an error may hold replacement characters", async () => {
  expect(await read(umlaut, {}, 400)).toBe("Z\uFFFDrich");
});

test.each([
  {
    what: "another compression",
    encoding: "br",
    bytes: brotliCompressSync(text),
    why: "is compressed in a way that was not requested (br)",
  },
  {
    what: "an early end",
    encoding: "gzip",
    bytes: packed.subarray(0, -12),
    why: "is declared as gzip and cannot be decompressed",
  },
  // A small response could fill the memory.
  {
    what: "more than the limit, unpacked",
    encoding: "gzip",
    bytes: gzipSync(Buffer.alloc(limit + 1, " ")),
    why: `is longer than ${limit} bytes`,
  },
  // A name with replacement characters would be recorded.
  { what: "no text in UTF-8", encoding: "identity", bytes: umlaut, why: "is not text in UTF-8" },
])("$what makes a response unusable", async ({ encoding, bytes, why }) => {
  await expect(read(bytes, { "content-encoding": encoding })).rejects.toMatchObject({
    kind: "unusable",
    sent: true,
    message: `the response (status 200) ${why}`,
  });
});

test.each([
  { announced: String(limit + 1), received: 0, isTooLong: true },
  { announced: "0", received: limit + 1, isTooLong: true },
  { announced: String(limit), received: limit, isTooLong: false },
])("announced $announced and received $received bytes", ({ announced, received, isTooLong }) => {
  const fault = tooLong({ status: 200, headers: { "content-length": announced } }, received);
  expect(fault?.kind === "unusable").toBe(isTooLong);
});
