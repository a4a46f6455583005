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
it.each([undefined, "EPERM", "ENOTSUP", "EXDEV", "ENOSYS"])(
  "a file system that returns %s to a hard link gets a new file, and keeps one that has appeared meanwhile",
  async (code) => {
    if (code) jest.spyOn(fs, "link").mockRejectedValue(Object.assign(new Error(code), { code }));
    const path = join(folder, "payments.yaml");
    await (await prepareFile(path, "key: payments\n"))();
    expect(await readFile(path, "utf8")).toBe("key: payments\n");
    const create = await prepareFile(join(folder, "billing.yaml"), "key: billing\n");
    await writeFile(join(folder, "billing.yaml"), "mine\n");
    await expect(create()).rejects.toThrow("another process created a file with this name");
    expect(await readFile(join(folder, "billing.yaml"), "utf8")).toBe("mine\n");
    expect((await readdir(folder)).sort()).toEqual(["billing.yaml", "payments.yaml"]);
  },
);
