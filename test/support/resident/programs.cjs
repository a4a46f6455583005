"use strict";
/** The language host of `nodejs`: evaluates each program in this process, with the SDK's own script `cmd/run`. */
const { StringDecoder } = require("node:string_decoder");
const grpc = require("@grpc/grpc-js");
const { Empty } = require("google-protobuf/google/protobuf/empty_pb");
const { EngineClient } = require("@pulumi/pulumi/proto/engine_grpc_pb");
const { LogRequest, LogSeverity } = require("@pulumi/pulumi/proto/engine_pb");
const { LanguageRuntimeService } = require("@pulumi/pulumi/proto/language_grpc_pb");
const language = require("@pulumi/pulumi/proto/language_pb");
const { PluginInfo } = require("@pulumi/pulumi/proto/plugin_pb");
const { version } = require("@pulumi/pulumi/version");
const {
  EmulatedProcess,
  channelOptions,
  openResources,
  repairSdk,
  runScript,
} = require("./emulated-process.cjs");

/** @typedef {{ environment: Record<string, string>, cwd: string }} Command */

/** Jest's own limit is 120 s and does not name what the program waits for. */
const limit = 110_000;

/** The exit code of a program whose errors were logged. */
const errorsWereLogged = 32;

/** The address of the engine by connection, as the engine announces it in Handshake. @type {Map<string, string>} */
const engineAddresses = new Map();

/** @type {Command} */
let command = { environment: /** @type {Record<string, string>} */ ({ ...process.env }), cwd: process.cwd() };

/** @type {EmulatedProcess | undefined} */
let program;

/** Starts the gRPC server. @returns {Promise<number>} its port */
function servePrograms() {
  // The SDK's inspector session is opened here, so that it belongs to no program.
  const hooks = /** @type {{ isInitializedAsync(): Promise<void> }} */ (
    /** @type {unknown} */ (require("@pulumi/pulumi/runtime/closure/v8Hooks"))
  );
  const server = new grpc.Server({ "grpc.max_receive_message_length": 400 * 1024 * 1024 });
  server.addService(/** @type {grpc.ServiceDefinition} */ (LanguageRuntimeService), handlers);
  return hooks.isInitializedAsync().then(
    () =>
      new Promise((resolve, reject) => {
        const credentials = grpc.ServerCredentials.createInsecure();
        server.bindAsync("127.0.0.1:0", credentials, (error, port) =>
          error ? reject(error) : resolve(port),
        );
      }),
  );
}

/** Ends what an interrupted command has left, and sets what the programs of the next one see. @param {Command} next */
function beginCommand(next) {
  program?.kill();
  program = undefined;
  engineAddresses.clear();
  command = next;
}

/** Methods that are missing here are answered with the status Unimplemented, which the engine accepts. */
const handlers = {
  /** @param {UnaryCall<language.LanguageHandshakeRequest>} call @param {Callback<unknown>} callback */
  handshake(call, callback) {
    engineAddresses.set(call.getPeer(), call.request.getEngineAddress());
    callback(null, new language.LanguageHandshakeResponse());
  },

  /** @param {UnaryCall<unknown>} _call @param {Callback<unknown>} callback */
  getPluginInfo(_call, callback) {
    const info = new PluginInfo();
    info.setVersion(version);
    callback(null, info);
  },

  /** @param {UnaryCall<unknown>} _call @param {Callback<unknown>} callback */
  getRequiredPackages(_call, callback) {
    callback(null, new language.GetRequiredPackagesResponse());
  },

  /** @param {UnaryCall<unknown>} _call @param {Callback<unknown>} callback */
  getRequiredPlugins(_call, callback) {
    callback(null, new language.GetRequiredPluginsResponse());
  },

  /** @param {UnaryCall<unknown>} _call @param {Callback<unknown>} callback */
  getProgramDependencies(_call, callback) {
    callback(null, new language.GetProgramDependenciesResponse());
  },

  /** @param {UnaryCall<unknown>} _call @param {Callback<unknown>} callback */
  about(_call, callback) {
    const about = new language.AboutResponse();
    about.setExecutable(process.execPath);
    about.setVersion(process.version);
    callback(null, about);
  },

  /** @param {grpc.ServerWritableStream<unknown, unknown>} call */
  installDependencies(call) {
    call.end();
  },

  /** @param {UnaryCall<unknown>} _call @param {Callback<unknown>} callback */
  cancel(_call, callback) {
    callback(null, new Empty());
  },

  /** @param {UnaryCall<language.RunRequest>} call @param {Callback<language.RunResponse>} callback */
  run(call, callback) {
    const engineAddress = engineAddresses.get(call.getPeer());
    if (engineAddress === undefined) {
      return callback({ code: grpc.status.FAILED_PRECONDITION, details: "Run was called before Handshake" });
    }
    if (program !== undefined) {
      return callback({ code: grpc.status.FAILED_PRECONDITION, details: "another program is still running" });
    }
    runProgram(call, engineAddress).then((response) => callback(null, response), callback);
  },
};

/**
 * @template Request
 * @typedef {grpc.ServerUnaryCall<Request, unknown>} UnaryCall
 */
/**
 * @template Response
 * @typedef {(error: Partial<grpc.ServiceError> | null, response?: Response) => void} Callback
 */

/**
 * @param {UnaryCall<language.RunRequest>} call
 * @param {string} engineAddress
 * @returns {Promise<language.RunResponse>}
 */
async function runProgram(call, engineAddress) {
  await repairSdk();
  const output = new OutputLog(engineAddress);
  /** @type {language.RunResponse} */
  const response = await new Promise((resolve) => {
    const emulated = new EmulatedProcess({
      argv: [require.resolve("@pulumi/pulumi/cmd/run"), ...argumentsOf(call.request, engineAddress)],
      environment: environmentOf(call.request, engineAddress),
      cwd: command.cwd,
      write: (stream, chunk) => output.write(stream, chunk),
      exited: (code) => end(responseTo(code)),
    });
    /** @param {language.RunResponse} response */
    const end = (response) => {
      clearTimeout(timer);
      emulated.kill();
      if (program === emulated) program = undefined;
      resolve(response);
    };
    const timer = setTimeout(() => end(failure(limitMessage())), limit).unref();
    // The engine cancels the call when the command ends early, and when its connection is lost.
    call.on("cancelled", () => end(failure("The engine canceled the program.")));
    program = emulated;
    emulated.start(() => runScript("@pulumi/pulumi/cmd/run"));
    emulated.exitWhenIdle();
  });
  await output.close();
  return response;
}

function limitMessage() {
  return `The program did not end within ${limit / 1000} s. It waits for: ${openResources().join(", ") || "nothing"}.`;
}

/** What the language host returns when the process of a program ends. @param {number} exitCode */
function responseTo(exitCode) {
  const response = new language.RunResponse();
  if (exitCode === errorsWereLogged) response.setBail(true);
  else if (exitCode !== 0) response.setError(`Program exited with non-zero exit code: ${exitCode}`);
  return response;
}

/** @param {string} message */
function failure(message) {
  const response = new language.RunResponse();
  response.setError(message);
  return response;
}

/** The arguments that the language host passes to the script. @param {language.RunRequest} request @param {string} engine */
function argumentsOf(request, engine) {
  const named = Object.entries({
    monitor: request.getMonitorAddress(),
    engine,
    organization: request.getOrganization(),
    project: request.getProject(),
    stack: request.getStack(),
    pwd: request.getPwd(),
    ...(request.getDryrun() && { "dry-run": true }),
    "query-mode": String(request.getQuerymode()),
    parallel: String(request.getParallel()),
  });
  const options = named.flatMap(([name, value]) => {
    if (value === true) return [`--${name}`];
    return value === "" ? [] : [`--${name}`, String(value)];
  });
  return [...options, request.getProgram() || ".", ...request.getArgsList()];
}

/**
 * The environment of the command, with what the language host and the script add to it. The script adds its own part
 * too late for a store of the SDK that is made before the script is evaluated.
 *
 * @param {language.RunRequest} request
 * @param {string} engine
 */
function environmentOf(request, engine) {
  const config = Object.fromEntries(
    [...request.getConfigMap().toArray()].map(([key, value]) => [
      key.replace(/^([^:]*):(?:config:)?/, "$1:config:"),
      value,
    ]),
  );
  const options = {
    PULUMI_NODEJS_ORGANIZATION: request.getOrganization(),
    PULUMI_NODEJS_PROJECT: request.getProject(),
    PULUMI_NODEJS_STACK: request.getStack(),
    PULUMI_NODEJS_DRY_RUN: request.getDryrun() ? "true" : "",
    PULUMI_NODEJS_MONITOR: request.getMonitorAddress(),
    PULUMI_NODEJS_ENGINE: engine,
    PULUMI_NODEJS_TYPESCRIPT: isTypeScript(request) ? "true" : "",
  };
  return {
    ...command.environment,
    PULUMI_CONFIG: JSON.stringify(config),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
    ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== "")),
  };
}

/** The language host loads a compiler unless `options` of `Pulumi.yaml` has `typescript: false`. @param {language.RunRequest} request */
function isTypeScript(request) {
  const options = request.getInfo()?.getOptions()?.toJavaScript();
  return options?.typescript !== false;
}

/** Sends each line that a program prints to the engine, which shows it as it shows the output of a language host. */
class OutputLog {
  /** @param {string} engineAddress */
  constructor(engineAddress) {
    this.engineAddress = engineAddress;
    this.streams = {
      stdout: { id: 1_000_001, decoder: new StringDecoder("utf8"), text: "" },
      stderr: { id: 1_000_002, decoder: new StringDecoder("utf8"), text: "" },
    };
    /** @type {LogRequest[]} */
    this.waiting = [];
    /** @type {EngineClient | undefined} */
    this.engine = undefined;
    this.sent = Promise.resolve();
  }

  /** @param {"stdout" | "stderr"} name @param {Buffer} chunk */
  write(name, chunk) {
    const stream = this.streams[name];
    stream.text += stream.decoder.write(chunk);
    const lines = stream.text.split(/(?<=\n)/);
    stream.text = lines.at(-1)?.endsWith("\n") ? "" : (lines.pop() ?? "");
    for (const line of lines) this.add(stream.id, line);
    // A request keeps this process alive. If it started at once, a program that prints in `beforeExit` would never end.
    setTimeout(() => this.flush(), 1).unref();
  }

  /** Resolves when the engine has received all lines. */
  async close() {
    for (const { id, text } of Object.values(this.streams)) this.add(id, text);
    this.flush();
    await this.sent;
    this.engine?.close();
  }

  /** @param {number} streamId @param {string} line */
  add(streamId, line) {
    if (line.trim() === "") return;
    const request = new LogRequest();
    request.setSeverity(LogSeverity.INFO);
    request.setStreamid(streamId);
    request.setMessage(line);
    this.waiting.push(request);
  }

  flush() {
    for (const request of this.waiting.splice(0)) this.sent = this.sent.then(() => this.send(request));
  }

  /** @param {LogRequest} request @returns {Promise<void>} */
  send(request) {
    const credentials = grpc.credentials.createInsecure();
    this.engine ??= new EngineClient(this.engineAddress, credentials, channelOptions);
    const engine = this.engine;
    return new Promise((resolve) => {
      engine.log(request, (error) => {
        if (error) process.stderr.write(`Sending output failed: ${error.message}\n${request.getMessage()}`);
        resolve();
      });
    });
  }
}

module.exports = { beginCommand, servePrograms };
