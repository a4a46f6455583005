"use strict";
/**
 * Runs a main script of Pulumi's SDK inside this process as if it had a separate process. The
 * script has its own arguments, environment, working directory, output, error handlers and exit
 * code. Everything below `node_modules` stays loaded between two scripts, and so does what the plugin shares with the dynamic
 * provider. All other modules are evaluated again for each script.
 *
 * The environment, working directory and arguments are global to Node.js. If two emulated processes overlap, both see
 * those of the one that was started last.
 */
const { AsyncLocalStorage } = require("node:async_hooks");
const diagnosticsChannel = require("node:diagnostics_channel");
const { dirname, join, sep } = require("node:path");
const grpc = require("@grpc/grpc-js");

/**
 * @typedef {"beforeExit" | "exit" | "uncaughtException" | "unhandledRejection"} LifecycleEvent
 * @typedef {(...args: unknown[]) => unknown} Listener
 * @typedef {"stdout" | "stderr"} StreamName
 * @typedef {object} ProcessOptions
 * @property {readonly string[]} argv the script and its arguments
 * @property {Readonly<Record<string, string>>} environment
 * @property {string} cwd
 * @property {(stream: StreamName, chunk: Buffer) => void} write receives what the script prints
 * @property {(exitCode: number) => void} exited is called once, unless the process is killed
 */

const { random } = Math;

/** @type {ReadonlySet<unknown>} */
const lifecycleEvents = new Set(["beforeExit", "exit", "uncaughtException", "unhandledRejection"]);

/** @type {AsyncLocalStorage<EmulatedProcess>} */
const context = new AsyncLocalStorage();

/** @type {Set<EmulatedProcess>} */
const running = new Set();

/** Thrown by `process.exit` inside an emulated process, because its caller expects not to continue. */
class Exit extends Error {
  constructor() {
    super("process.exit was called");
  }
}

class EmulatedProcess {
  /** @param {ProcessOptions} options */
  constructor(options) {
    this.options = options;
    this.ended = false;
    /** @type {Map<unknown, Listener[]>} */
    this.listeners = new Map();
    /** @type {Set<grpc.Server>} */
    this.servers = new Set();
    /** @type {Set<import("node:net").Socket>} */
    this.sockets = new Set();
    /** @type {Set<NodeJS.Timeout>} */
    this.timers = new Set();
  }

  /**
   * Evaluates the script. Returns as soon as its synchronous part is over.
   *
   * @param {() => void} evaluate
   */
  start(evaluate) {
    const { argv, environment, cwd } = this.options;
    process.chdir(cwd);
    replaceEnvironment(environment);
    process.argv = [process.execPath, ...argv];
    process.exitCode = undefined;
    Math.random = random;
    forgetModules();
    forgetCompilers();
    // The SDK's registry of resource modules rejects a module that is registered twice.
    Reflect.deleteProperty(globalThis, "globalStore");
    running.add(this);
    context.run(this, () =>
      sdk().withLocalStorage(() => {
        try {
          evaluate();
        } catch (error) {
          this.reportError("uncaughtException", error);
        }
      }),
    );
  }

  /**
   * Ends the process as Node.js does when nothing is left to wait for: emits `beforeExit` until its listeners start no
   * further work, then `exit`.
   */
  exitWhenIdle() {
    const check = () => {
      if (this.ended) return;
      if (!isIdle()) return void setTimeout(check, 1).unref();
      // This immediate runs before those of the listeners, which count as work until then.
      setImmediate(() => {
        if (!this.ended && isIdle()) this.exit(exitCode());
        else check();
      }).unref();
      this.emit("beforeExit", exitCode());
    };
    context.exit(check);
  }

  /** @param {number} code */
  exit(code) {
    if (this.ended) return;
    process.exitCode = code;
    this.emit("exit", code);
    const finalCode = exitCode();
    process.exitCode = undefined;
    this.kill();
    this.options.exited(finalCode);
  }

  /** Ends the process at once and releases everything that it holds. Its listeners are not called. */
  kill() {
    if (this.ended) return;
    this.ended = true;
    running.delete(this);
    this.listeners.clear();
    for (const server of this.servers) server.forceShutdown();
    for (const socket of this.sockets) socket.destroy();
    // Libraries that stay loaded share timers between processes. Such timers do not keep a process alive.
    for (const timer of this.timers) if (timer.hasRef()) clearTimeout(timer);
  }

  /** @param {LifecycleEvent} event @param {unknown[]} args */
  emit(event, ...args) {
    const listeners = [...(this.listeners.get(event) ?? [])];
    context.run(this, () => {
      for (const listener of listeners) listener.apply(process, args);
    });
    return listeners.length > 0;
  }

  /** @param {"uncaughtException" | "unhandledRejection"} event @param {unknown} error @param {unknown} [detail] */
  reportError(event, error, detail) {
    if (this.ended || error instanceof Exit) return;
    if (this.emit(event, error, detail)) return;
    this.options.write("stderr", Buffer.from(`${stackOf(error)}\n`));
    this.exit(1);
  }
}

/**
 * The parts of the SDK's runtime that its types leave out.
 *
 * @typedef {object} SdkRuntime
 * @property {() => { settings: object }} getStore
 * @property {(callback: () => void) => void} withLocalStorage
 * @property {object} grpcClientOptions
 */

function sdk() {
  const parts = { ...require("@pulumi/pulumi/runtime/state"), ...require("@pulumi/pulumi/runtime/settings") };
  return /** @type {SdkRuntime} */ (/** @type {unknown} */ (parts));
}

function exitCode() {
  return Number(process.exitCode ?? 0);
}

/** @param {unknown} error */
function stackOf(error) {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** @param {Readonly<Record<string, string>>} environment */
function replaceEnvironment(environment) {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
}

const modulesFolder = `${sep}node_modules${sep}`;
const provider = join(__dirname, "..", "..", "..", "dist", "provider") + sep;

/**
 * What the plugin shares with the dynamic provider serves many providers in one process there, so it may here. To evaluate it again
 * took half the time of a host.
 *
 * @param {string} file
 */
function isKept(file) {
  if (file.startsWith(provider)) return !file.startsWith(join(provider, "dynamic"));
  return file.includes(modulesFolder) || dirname(file) === __dirname;
}

/** Node.js evaluates again each module that is not in its cache. */
function forgetModules() {
  for (const file of Object.keys(require.cache)) {
    if (!isKept(file)) delete require.cache[file];
  }
  // The list of a module's children would keep each evaluation of a script in memory.
  for (const module of Object.values(require.cache)) {
    if (module === undefined) continue;
    module.children = module.children.filter((child) => require.cache[child.filename] === child);
  }
}

/** How Node.js itself loads files, by their extension. */
const ownExtensions = { ...require.extensions };

/** A program in TypeScript registers a compiler, which would also compile the files of the programs after it. */
function forgetCompilers() {
  for (const extension of Object.keys(require.extensions))
    if (!(extension in ownExtensions)) delete require.extensions[extension];
  Object.assign(require.extensions, ownExtensions);
}

/** Evaluates a main script of the SDK again, and the modules that are beside it. @param {string} name */
function runScript(name) {
  const file = require.resolve(name);
  forgetModulesBelow(dirname(file));
  require(file);
  // A main script has no parent, which would be in the error about a missing module.
  const module = require.cache[file];
  if (module !== undefined) module.parent = null;
}

/** @param {string} folder */
function forgetModulesBelow(folder) {
  for (const file of Object.keys(require.cache)) {
    if (file.startsWith(folder + sep)) delete require.cache[file];
  }
}

/**
 * The SDK sends its log messages one after the other, and never recovers from one that was neither sent nor rejected.
 * If an earlier program has left such a message, this loads the SDK again.
 */
async function repairSdk() {
  const log = require("@pulumi/pulumi/log");
  const { getStore, withLocalStorage } = sdk();
  let works = false;
  const engine = {
    /** @param {unknown} _request @param {() => void} callback */
    log(_request, callback) {
      works = true;
      callback();
    },
  };
  withLocalStorage(() => {
    Object.assign(getStore().settings, { engine });
    log.debug("");
  });
  await new Promise((resolve) => void setImmediate(resolve));
  if (works) return;
  forgetModulesBelow(dirname(require.resolve("@pulumi/pulumi/package.json")));
  require("@pulumi/pulumi");
  setChannelOptions();
}

/** Connections are not shared, and end soon after their last use. */
function setChannelOptions() {
  Object.assign(sdk().grpcClientOptions, channelOptions);
}

const channelOptions = {
  "grpc.client_idle_timeout_ms": 1000,
  "grpc.enable_channelz": 0,
  "grpc.use_local_subchannel_pool": 1, // Ports are used again by other engines.
};

/** @type {ReadonlyMap<string, number>} */
let resourcesOfHost = new Map();

/** What keeps this process alive from now on is its own, and does not keep an emulated process alive. */
function rememberResourcesOfHost() {
  resourcesOfHost = countResources();
}

function countResources() {
  const counts = new Map();
  for (const type of process.getActiveResourcesInfo()) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

function isIdle() {
  return openResources().length === 0;
}

/** The kinds of resources that an emulated process waits for. */
function openResources() {
  return [...countResources()]
    .filter(([type, count]) => count > (resourcesOfHost.get(type) ?? 0))
    .map(([type]) => type);
}

/** The emulated process that runs the current code, if it has not ended. */
function currentProcess() {
  const own = context.getStore();
  if (own !== undefined) return own.ended ? undefined : own;
  return onlyRunning();
}

/** Code without a context, such as a callback of a library that stays loaded, belongs to the only process there is. */
function onlyRunning() {
  const [first, second] = running;
  return second === undefined ? first : undefined;
}

/** Replaces parts of `process`, timers and gRPC by ones that find the emulated process they are called in. */
function install() {
  installListeners();
  installExit();
  installOutput("stdout");
  installOutput("stderr");
  installTimers();
  installSockets();
  installServers();
  setChannelOptions();
}

function installListeners() {
  for (const event of /** @type {const} */ (["uncaughtException", "unhandledRejection"])) {
    process.on(event, (/** @type {unknown} */ error, /** @type {unknown} */ detail) => {
      const own = context.getStore() ?? onlyRunning();
      if (own !== undefined) own.reportError(event, error, detail);
      else process.stderr.write(`${stackOf(error)}\n`);
    });
  }
  for (const name of /** @type {const} */ (["on", "addListener", "once", "prependListener"])) {
    replaceMethod(name, (original) => (event, listener) => {
      const own = context.getStore();
      if (own === undefined || !lifecycleEvents.has(event)) return original(event, listener);
      const listeners = own.listeners.get(event) ?? [];
      own.listeners.set(
        event,
        name === "prependListener" ? [listener, ...listeners] : [...listeners, listener],
      );
      return process;
    });
  }
  for (const name of /** @type {const} */ (["off", "removeListener"])) {
    replaceMethod(name, (original) => (event, listener) => {
      const own = context.getStore();
      if (own === undefined || !lifecycleEvents.has(event)) return original(event, listener);
      own.listeners.set(
        event,
        (own.listeners.get(event) ?? []).filter((other) => other !== listener),
      );
      return process;
    });
  }
}

/**
 * @typedef {(event: string, listener: Listener) => NodeJS.Process} ListenerMethod
 * @param {"on" | "addListener" | "once" | "prependListener" | "off" | "removeListener"} name
 * @param {(original: ListenerMethod) => ListenerMethod} replacement
 */
function replaceMethod(name, replacement) {
  const original = /** @type {ListenerMethod} */ (process[name].bind(process));
  Object.assign(process, { [name]: replacement(original) });
}

function installExit() {
  const exit = process.exit;
  Object.assign(process, {
    /** @param {number} [code] */
    exit(code) {
      const own = context.getStore();
      if (own === undefined) return exit(code);
      if (!own.ended) own.exit(code ?? exitCode());
      throw new Exit();
    },
  });
}

/**
 * Sends what an emulated process prints to its own output. All other output goes to stderr, because stdout carries the
 * protocol of the host.
 *
 * @param {StreamName} name
 */
function installOutput(name) {
  const toStderr = process.stderr.write.bind(process.stderr);
  Object.assign(process[name], {
    /**
     * @param {string | Uint8Array} chunk
     * @param {BufferEncoding | (() => void)} [encoding]
     * @param {() => void} [callback]
     */
    write(chunk, encoding, callback) {
      const own = currentProcess();
      const bytes = Buffer.from(
        /** @type {string} */ (chunk),
        typeof encoding === "string" ? encoding : undefined,
      );
      // The connections that carry the output are not part of the emulated process.
      if (own !== undefined) context.exit(() => own.options.write(name, bytes));
      else if (context.getStore() === undefined) toStderr(bytes);
      const done = typeof encoding === "function" ? encoding : callback;
      if (done !== undefined) process.nextTick(done);
      return true;
    },
  });
}

function installTimers() {
  for (const name of /** @type {const} */ (["setTimeout", "setInterval"])) {
    const original = globalThis[name];
    /** @param {Parameters<typeof setTimeout>} args */
    const replacement = (...args) => {
      const timer = original(...args);
      context.getStore()?.timers.add(timer);
      return timer;
    };
    // `util.promisify` reads a property of the function.
    Object.defineProperties(replacement, Object.getOwnPropertyDescriptors(original));
    Object.assign(globalThis, { [name]: replacement });
  }
}

function installSockets() {
  diagnosticsChannel.subscribe("net.client.socket", (message) => {
    const { socket } = /** @type {{ socket: import("node:net").Socket }} */ (message);
    const own = context.getStore();
    if (own === undefined) return;
    own.sockets.add(socket);
    socket.once("close", () => own.sockets.delete(socket));
    // The socket connects after this event, whether it was destroyed or not.
    if (own.ended) process.nextTick(() => socket.destroy());
  });
  // Connections of the engine keep no emulated process alive. The host itself waits for its standard input.
  diagnosticsChannel.subscribe("net.server.socket", (message) => {
    const { socket } = /** @type {{ socket: import("node:net").Socket }} */ (message);
    socket.unref();
  });
}

/** gRPC calls its handlers without the context in which the server was made. */
function installServers() {
  const { addService } = grpc.Server.prototype;
  /** @type {typeof addService} */
  grpc.Server.prototype.addService = function (service, implementation) {
    const own = context.getStore();
    if (own === undefined) return addService.call(this, service, implementation);
    own.servers.add(this);
    const inContext = AsyncLocalStorage.snapshot();
    const names = Object.entries(service).flatMap(([name, { originalName }]) => [name, originalName ?? name]);
    const handlers = names.flatMap((name) => {
      const handler = /** @type {Listener | undefined} */ (implementation[name]);
      if (typeof handler !== "function") return [];
      return [
        [name, (/** @type {unknown[]} */ ...args) => inContext(() => handler.apply(implementation, args))],
      ];
    });
    return addService.call(this, service, Object.fromEntries(handlers));
  };
}

module.exports = {
  EmulatedProcess,
  channelOptions,
  install,
  openResources,
  rememberResourcesOfHost,
  repairSdk,
  runScript,
};
