import fs, { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareFile } from "../../../cli/adopt/files";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "opsmanager-adopt-"));
});
afterEach(async () => {
  jest.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

/** `undefined` is a file system that has hard links. */
const responsesToLink = [undefined, "EPERM", "ENOTSUP", "EXDEV", "ENOSYS"];

describe.each(responsesToLink)("a file system that returns %s to a hard link", (code) => {
  beforeEach(() => {
    if (code === undefined) return;
    jest.spyOn(fs, "link").mockRejectedValue(Object.assign(new Error(code), { code }));
  });

  it("gets the new file", async () => {
    const path = join(folder, "payments.yaml");
    await (await prepareFile(path, "key: payments\n"))();
    expect(await readFile(path, "utf8")).toBe("key: payments\n");
    expect(await readdir(folder)).toEqual(["payments.yaml"]);
  });

  it("keeps a file that has appeared meanwhile", async () => {
    const path = join(folder, "payments.yaml");
    const create = await prepareFile(path, "key: payments\n");
    await writeFile(path, "mine\n");
    await expect(create()).rejects.toThrow("another process created a file with this name");
    expect(await readFile(path, "utf8")).toBe("mine\n");
    expect(await readdir(folder)).toEqual(["payments.yaml"]);
  });
});
