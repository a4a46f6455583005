/** `opsmanager adopt --members` of a whole organization, as a person starts it, on a service that is 20 ms away. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type SeedProject, startSandbox } from "../../sandbox";
import { repositoryRoot } from "../support";
import { figure, type Row, timed } from "./row";

const latencyMs = 20;
const reach = 60;

const command = join(repositoryRoot, "dist", "cli", "main.js");

export const adopt: Row = {
  name: "adopt",
  async run({ quick, print }) {
    const [projects, people] = quick ? [5, 3] : [500, 20];
    const rounds = quick ? 1 : 3;
    const [seconds, requests]: [number[], number[]] = [[], []];
    for (let round = 1; round <= rounds; round++) {
      print(`adopt of ${projects} projects with ${people} people each, round ${round}`);
      const sample = await measure(projects, people);
      seconds.push(sample.seconds);
      requests.push(sample.requests);
    }
    const title = `adopt --members, ${projects} projects with ${people} people each, ${latencyMs} ms away`;
    return [figure(title, "s", seconds, { target: reach }), figure(title, "requests", requests)];
  },
};

async function measure(projects: number, people: number): Promise<{ seconds: number; requests: number }> {
  const sandbox = await startSandbox({ latencyMs, seed: { projects: seedOf(projects, people) } });
  const cwd = await mkdtemp(join(tmpdir(), "opsmanager-bench-"));
  // No Pulumi there: `adopt` is measured, not the start of `pulumi`.
  const env = {
    PATH: dirname(process.execPath),
    OPSMANAGER_BASE_URL: sandbox.baseUrl,
    OPSMANAGER_PUBLIC_KEY: sandbox.publicKey,
    OPSMANAGER_PRIVATE_KEY: sandbox.privateKey,
  };
  try {
    const elapsed = await timed(() =>
      promisify(execFile)(process.execPath, [command, "adopt", "--members"], { cwd, env }),
    );
    const files = await readdir(join(cwd, "projects"));
    if (files.length !== projects) throw new Error(`${files.length} of ${projects} files were written.`);
    return { seconds: elapsed / 1000, requests: sandbox.requests.length };
  } finally {
    await rm(cwd, { recursive: true, force: true });
    await sandbox.close();
  }
}

/** As many accounts as projects, each in as many projects as a project has people; one in ten is invited and has not come yet. */
function seedOf(projects: number, people: number): SeedProject[] {
  const roles = ["GROUP_READ_ONLY"];
  const positions = Array.from({ length: people }, (_, position) => position);
  return Array.from({ length: projects }, (_, index) => {
    const nameOf = (position: number) => `person-${(index + position * 7) % projects}@example.com`;
    const active = positions.filter((position) => position % 10 > 0).map(nameOf);
    const invited = positions.filter((position) => position % 10 === 0).map(nameOf);
    return {
      name: `Project ${index}`,
      tags: ["PROD"],
      members: Object.fromEntries(active.map((name) => [name, roles])),
      invitations: invited.map((username) => ({ username, roles })),
    };
  });
}
