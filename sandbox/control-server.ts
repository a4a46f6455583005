import type { IncomingMessage, ServerResponse } from "node:http";
import { controlRoutes } from "./control-routes";
import type { Controls } from "./controls";
import { NoSuchObject } from "./direct-changes";
import { type Listening, listen, receive, send } from "./http";
import { findRoute } from "./router";

/** A request that the control address refuses; the message reports what to change. */
class ControlError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = "ControlError";
  }
}

function run(controls: Controls, method: string, path: string, text: string | undefined): unknown {
  const match = findRoute(controlRoutes, method, path);
  if (match.found !== "route") {
    const [status, problem] = match.found === "path" ? [405, "has no"] : [404, "does not know"];
    throw new ControlError(status, `The control address ${problem} ${method} ${path}.`);
  }
  const param = (name: string): string => match.params.get(name) ?? "";
  return match.route.handle({ controls, param, body: parse(text) }) ?? {};
}

function parse(text: string | undefined): unknown {
  if (text === undefined) throw new ControlError(413, "The body is too large.");
  if (text === "") return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ControlError(400, "The body is not JSON.");
  }
}

const statusOf = (error: unknown): number =>
  error instanceof ControlError ? error.status : error instanceof NoSuchObject ? 404 : 400;

/** Starts the control address: JSON over HTTP on the loopback address, without keys. */
export function startControlServer(
  controls: Controls,
  port: number,
  saved: () => Promise<void>,
): Promise<Listening> {
  return listen(port, async (request: IncomingMessage, response: ServerResponse) => {
    const { method, path, text } = await receive(request);
    const reply = (status: number, body: unknown): void =>
      send(response, { status, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    try {
      const result = run(controls, method, path, text);
      await saved();
      reply(200, result);
    } catch (error) {
      reply(statusOf(error), { error: (error as Error).message });
    }
  });
}
