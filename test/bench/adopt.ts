/** `opsmanager adopt` of a whole organization, as a person starts it, on a service that is 20 ms away. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Seed, type SeedProject, startSandbox } from "../../sandbox";
import { repositoryRoot } from "../support";
import { figure, type Row, timed } from "./row";

const latencyMs = 20;
const reach = 60;

const command = join(repositoryRoot, "dist", "cli", "main.js");

export const adopt: Row = {
  name: "adopt",
  async run({ quick, print }) {
    const size = quick ? { projects: 5, people: 3, teams: 2 } : { projects: 500, people: 20, teams: 40 };
    const { projects, people, teams } = size;
    const text = `${projects} projects with ${people} people each and ${teams} teams`;
    const rounds = quick ? 1 : 3;
    const [seconds, requests]: [number[], number[]] = [[], []];
    for (let round = 1; round <= rounds; round++) {
      print(`adopt of ${text}, round ${round}`);
      const sample = await measure(size);
      seconds.push(sample.seconds);
      requests.push(sample.requests);
    }
    const title = `adopt, ${text}, ${latencyMs} ms away`;
    return [figure(title, "s", seconds, { target: reach }), figure(title, "requests", requests)];
  },
};

interface Size {
  readonly projects: number;
  readonly people: number;
  readonly teams: number;
}

async function measure(size: Size): Promise<{ seconds: number; requests: number }> {
  const sandbox = await startSandbox({ latencyMs, seed: seedOf(size) });
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
      promisify(execFile)(process.execPath, [command, "adopt"], { cwd, env }),
    );
    for (const kind of ["projects", "teams"] as const) {
      const { length } = await readdir(join(cwd, kind));
      if (length !== size[kind]) throw new Error(`${length} of ${size[kind]} files of ${kind} were written.`);
    }
    return { seconds: elapsed / 1000, requests: sandbox.requests.length };
  } finally {
    await rm(cwd, { recursive: true, force: true });
    await sandbox.close();
  }
}

/** Each team has three people. */
function seedOf({ projects, people, teams }: Size): Seed {
  const username = (index: number) => `person-${index % projects}@example.com`;
  return {
    projects: projectsOf(projects, people),
    teams: Array.from({ length: teams }, (_, index) => ({
      name: `Team ${index}`,
      usernames: [index, index + 1, index + 2].map(username),
    })),
  };
}

/** As many accounts as projects, each in as many projects as a project has people; one in ten is invited and has not come yet. */
function projectsOf(projects: number, people: number): SeedProject[] {
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
