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
    const options = { dataFile, seed: { orgs: [{ name: "seeded" }] } };
    const first = await startSandbox(options);
    first.changeOrg(first.orgId, { name: "changed" });
    const { json } = await call(first, "POST", "/groups", { name: "payments", orgId: first.orgId });
    expect(JSON.parse(readFileSync(dataFile, "utf8")).projects).toMatchObject([
      { id: json.id, name: "payments" },
    ]);
    first.addInvitation(json.id, { username: "n@example.com", roles: ["GROUP_READ_ONLY"] });
    await first.close();

    // The file wins over the seed once it exists.
    const second = await start(options);
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

  const user = { username: "u", roles: [{ groupId: "x", roleName: "r" }] };
  test.each([
    { text: "{", is: "is not JSON" },
    { text: '{"colour":1}', is: "colour is not known" },
    { text: '{"projects":[{}]}', is: "projects[0].name is missing" },
    {
      text: '{"projects":[{"name":"a","members":{"x":"GROUP_OWNER"}}]}',
      is: "projects[0].members must be an object of lists",
    },
    { text: '{"projects":[{"name":"a","orgId":"x"}]}', is: "there is no organization x, named by project a" },
    {
      text: '{"projects":[{"name":"a","teams":[{"teamId":"x","roleNames":[]}]}]}',
      is: "there is no team x",
    },
    { text: JSON.stringify({ users: [user] }), is: "there is no project x, named by user u" },
    { text: '{"keys":[{"roles":[{"orgId":"x"}]}]}', is: "keys[0].roles[0].roleName is missing" },
  ])("of a file, $text is refused with the location and the reason", async ({ text, is }) => {
    const seed = join(folder, "seed.json");
    await expect(startSandbox({ seed })).rejects.toThrow(`${seed} cannot be read: ENOENT`);
    writeFileSync(seed, text);
    await expect(startSandbox({ seed })).rejects.toThrow(`${seed}: ${is}`.replace(": is", " is"));
    writeFileSync(seed, '{"orgs":[{"name":"Mine"}]}');
    expect((await start({ seed })).state.orgs).toMatchObject([{ name: "Mine" }]);
  });
});
