import { ApiServer } from "./api-server";
import { Clock } from "./clock";
import { startControlServer } from "./control-server";
import { Controls } from "./controls";
import { DataFile, readJsonFile } from "./data-file";
import { DigestGate } from "./digest-server";
import { EventLog } from "./event-log";
import { observeEvents } from "./events";
import { FaultRules } from "./injected-faults";
import { RateLimits } from "./rate-limit";
import { RequestLog } from "./request-log";
import { buildStore, readSeed, type Seed } from "./seed";
import type { World } from "./store";
import { checkSwitches, defaultSwitches, type Switches } from "./switches";
import { type TlsFacts, type TlsMode, tlsParts } from "./tls";
import { TokenGate } from "./token-server";

/** How a sandbox is started. Every switch of `switches.ts` is an option too. */
export interface SandboxOptions extends Partial<Switches> {
  /** Port of the API; default 0, a free one. */
  readonly port?: number;
  /** Port of the control address; default 0, a free one. */
  readonly controlPort?: number;
  /** What it starts with, or the path of a JSON file of that form; default: one organization, one key, one account. */
  readonly seed?: Seed | string;
  /** File in which the state is kept. If it exists, it is loaded and the seed is not used; default: memory only. */
  readonly dataFile?: string;
  /** Serve the API over TLS, with certificates made at start; default: plain HTTP. */
  readonly tls?: TlsMode;
  /** Gets one line per request, without secrets; default: none. */
  readonly log?: (line: string) => void;
}

/** Where a sandbox is reached, and with what. */
export interface SandboxAddresses extends TlsFacts {
  /** `http://127.0.0.1:PORT`, or `https://` with TLS; the API begins at `/api/public/v1.0`. */
  readonly baseUrl: string;
  /** `http://127.0.0.1:PORT` of the control address. */
  readonly controlUrl: string;
  /** The first key of the seed. */
  readonly publicKey: string;
  readonly privateKey: string;
  /** The first organization of the seed. */
  readonly orgId: string;
}

/** A running sandbox. */
export type Sandbox = Controls &
  SandboxAddresses & {
    /** Ends all connections at once, saves the state and frees both ports. May be called twice. */
    close(): Promise<void>;
  };

function startingSeed({ seed = {}, dataFile }: SandboxOptions): { seed: Seed; source: string } {
  const path = dataFile !== undefined && DataFile.exists(dataFile) ? dataFile : seed;
  const [value, source] = typeof path === "string" ? [readJsonFile(path), path] : [path, "seed"];
  return { seed: readSeed(value, source), source };
}

function startingWorld(options: SandboxOptions): World {
  const { port: _, controlPort: _c, seed: _s, dataFile: _d, log: _l, tls: _t, ...switches } = options;
  const clock = new Clock();
  const frame = {
    clock,
    switches: { ...defaultSwitches, ...checkSwitches(switches) },
    ldapSyncedAt: clock.now(),
  };
  const { seed, source } = startingSeed(options);
  const store = buildStore(seed, frame, source);
  const events = new EventLog(clock, () => world.switches);
  observeEvents(store, (facts) => facts.forEach((one) => void events.record(one)));
  const world: World = { ...frame, store, events };
  return world;
}

/**
 * Starts the sandbox: the simulated API and its control address, both on the loopback address only.
 *
 * @example
 * const sandbox = await startSandbox({ ldap: true });
 * const project = sandbox.addProject({ name: "payments" });
 * sandbox.changeProject(project.id, { tags: ["BY-HAND"] });
 * await sandbox.close();
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const world = startingWorld(options);
  const { dataFile } = options;
  const tls = tlsParts(options.tls ?? false);
  const file = dataFile === undefined ? undefined : new DataFile(dataFile, () => world.store.snapshot());
  const saved = async (): Promise<void> => file?.save();
  // A direct change cannot wait for the disk; a failed save shows at the next request and at close().
  const changed = (): void => void saved().catch(() => undefined);
  const limits = new RateLimits(world);
  const parts = {
    world,
    gate: new DigestGate(world),
    limits,
    tokens: new TokenGate(world, limits),
    faults: new FaultRules(),
    log: new RequestLog(options.log),
  };
  const controls = new Controls({ ...parts, changed });
  await saved();

  const api = new ApiServer({ ...parts, saved });
  await api.start(options.port ?? 0, tls.server);
  const control = await startControlServer(controls, options.controlPort ?? 0, saved).catch(async (error) => {
    await api.close();
    throw error;
  });

  const close = async (): Promise<void> => {
    await Promise.all([api.close(), control.close()]);
    await saved();
  };
  const urls = { baseUrl: api.url, controlUrl: control.url };
  return Object.assign(controls, { ...addresses(world), ...urls, ...tls.facts, close });
}

function addresses({ store }: World): Pick<SandboxAddresses, "publicKey" | "privateKey" | "orgId"> {
  const [key] = store.keys.all();
  const [org] = store.orgs.all();
  if (key === undefined || org === undefined) throw new Error("The sandbox has no key or no organization.");
  return { publicKey: key.publicKey, privateKey: key.privateKey, orgId: org.id };
}
