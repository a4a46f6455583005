/** `node dist/sandbox/main.js`: the sandbox as a command. See `--help`. */
import { runCommand } from "./command";

const stop = new AbortController();
// Once each: a second Ctrl-C ends the process at once if closing should hang.
process.once("SIGINT", () => stop.abort());
process.once("SIGTERM", () => stop.abort());

void runCommand(process.argv.slice(2), {
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  stop: stop.signal,
}).then((code) => {
  process.exitCode = code;
});
