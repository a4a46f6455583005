import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSandbox } from "../../../sandbox";
import { call } from "./client";
import { sandboxes } from "./with-sandbox";

const start = sandboxes();

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sandbox-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("a data file", () => {
  test("holds every answered write before the response, and brings it back after a restart", async () => {
    const dataFile = join(folder, "state.json");
    const first = await startSandbox({ dataFile });
    const { json } = await call(first, "POST", "/groups", { name: "payments", orgId: first.orgId });
    expect(JSON.parse(readFileSync(dataFile, "utf8")).projects).toMatchObject([
      { id: json.id, name: "payments" },
    ]);
    first.addInvitation(json.id, { username: "n@example.com", roles: ["GROUP_READ_ONLY"] });
    await first.close();

    const second = await start({ dataFile });
    expect(second.state).toEqual(first.state);
    expect([second.publicKey, second.privateKey, second.orgId]).toEqual([
      first.publicKey,
      first.privateKey,
      first.orgId,
    ]);
    expect((await call(second, "GET", `/groups/${json.id}/invites`)).json).toHaveLength(1);
  });

  test("is complete after many writes at once, private to its owner, and has no remains beside it", async () => {
    const dataFile = join(folder, "state.json");
    const sandbox = await start({ dataFile });
    const names = Array.from({ length: 20 }, (_, index) => `p${index}`);
    await Promise.all(names.map((name) => call(sandbox, "POST", "/groups", { name, orgId: sandbox.orgId })));
    const saved = JSON.parse(readFileSync(dataFile, "utf8"));
    expect(saved.projects.map(({ name }: { name: string }) => name).sort()).toEqual([...names].sort());
    expect(statSync(dataFile).mode & 0o077).toBe(0);
    expect(readdirSync(folder)).toEqual(["state.json"]);
  });

  test("wins over the seed once it exists", async () => {
    const dataFile = join(folder, "state.json");
    const options = { dataFile, seed: { projects: [{ name: "seeded" }] } };
    const first = await startSandbox(options);
    first.changeProject(first.state.projects[0]?.id ?? "", { name: "changed" });
    await first.close();
    expect((await start(options)).state.projects.map(({ name }) => name)).toEqual(["changed"]);
  });

  test("that cannot be written is an error of the request, not a silent loss", async () => {
    const dataFile = join(folder, "state.json");
    const sandbox = await startSandbox({ dataFile });
    rmSync(folder, { recursive: true });
    const response = await call(sandbox, "POST", "/groups", { name: "a", orgId: sandbox.orgId });
    expect([response.status, response.json.errorCode]).toEqual([500, "UNEXPECTED_ERROR"]);
    expect(sandbox.requests.at(-1)?.internalError).toContain("ENOENT");
    await expect(sandbox.close()).rejects.toThrow("ENOENT");
  });
});

describe("a seed", () => {
  test("fills in what it leaves out, and makes the people its projects name", async () => {
    const sandbox = await start({
      seed: {
        keys: [{ publicKey: "demo", privateKey: "secret" }],
        teams: [{ name: "platform", usernames: ["t@example.com"] }],
        projects: [
          {
            name: "payments",
            tags: ["PROD"],
            members: { "a@example.com": ["GROUP_OWNER"] },
            invitations: [{ username: "b@example.com", roles: ["GROUP_READ_ONLY"] }],
          },
        ],
      },
    });
    expect([sandbox.publicKey, sandbox.privateKey]).toEqual(["demo", "secret"]);
    const names = sandbox.state.users.map(({ username }) => username);
    expect(names).toEqual(["owner@example.com", "t@example.com", "a@example.com"]);
    const [project] = (await call(sandbox, "GET", "/groups?tag=PROD")).json.results;
    expect((await call(sandbox, "GET", `/groups/${project.id}/invites`)).json).toHaveLength(1);
  });

  test("is read from a file", async () => {
    const seed = join(folder, "seed.json");
    writeFileSync(seed, JSON.stringify({ orgs: [{ name: "Mine" }] }));
    expect((await start({ seed })).state.orgs).toMatchObject([{ name: "Mine" }]);
  });

  test.each([
    ["{", "is not JSON"],
    ["[]", "the whole must be an object"],
    ['{"colour":1}', "colour is not known"],
    ['{"projects":{}}', "projects must be a list of objects"],
    ['{"projects":[{}]}', "projects[0].name is missing"],
    ['{"projects":[{"name":"a","tags":"x"}]}', "projects[0].tags must be a list of text"],
    [
      '{"projects":[{"name":"a","members":{"x":"GROUP_OWNER"}}]}',
      "projects[0].members must be an object of lists",
    ],
    ['{"projects":[{"name":"a","orgId":"x"}]}', "there is no organization x, named by project a"],
    ['{"projects":[{"name":"a","teams":[{"teamId":"x","roleNames":[]}]}]}', "there is no team x"],
    [
      '{"users":[{"username":"u","roles":[{"groupId":"x","roleName":"r"}]}]}',
      "there is no project x, named by user u",
    ],
    ['{"keys":[{"roles":[{"orgId":"x"}]}]}', "keys[0].roles[0].roleName is missing"],
  ])("%s is refused with the location and the reason", async (text, words) => {
    const seed = join(folder, "seed.json");
    writeFileSync(seed, text);
    await expect(startSandbox({ seed })).rejects.toThrow(`${seed}: ${words}`.replace(": is", " is"));
  });

  test("that is not there is refused by name", async () => {
    await expect(startSandbox({ seed: join(folder, "none.json") })).rejects.toThrow(
      /none\.json cannot be read: ENOENT/,
    );
  });
});
