import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import { type Connected, EngineConnections } from "../../../provider/plugin/connections";

interface Provider extends Connected {
  isOver: boolean;
}

function provider(name: string, calls: string[]): Provider {
  const handlers = { check: () => void calls.push(name) };
  return { handlers, isOver: false, redact: (text) => text, close: () => void calls.push(`${name} closed`) };
}

/** A process with a provider of its own, and one more, named after the engine's address, for each Attach. */
function connections() {
  const calls: string[] = [];
  const attached = new Map<string, Provider>();
  const all = new EngineConnections(provider("own", calls), (address) => {
    const made = provider(address, calls);
    attached.set(address, made);
    return made;
  });
  const call = (method: string, peer: string, request?: unknown) => {
    const handler = all.handlers[method] as (call: unknown, callback: () => void) => void;
    handler({ getPeer: () => peer, request }, () => undefined);
  };
  return {
    calls,
    attached,
    attach: (peer: string, address: string) => call("attach", peer, new PluginAttach().setAddress(address)),
    check: (peer: string) => call("check", peer),
  };
}

// grpc-go closes a connection after 30 idle minutes. If another resource of the program took
// longer, the engine called a provider that had never been configured.
test("a connection that comes back from another port continues with the only provider there is", () => {
  const { calls, attach, check } = connections();
  attach("peer-1", "first");
  check("peer-7");
  expect(calls).toEqual(["first"]);
});

test("each connection with Attach has a provider of its own; of several, or after their end, a new one cannot be determined", () => {
  const { calls, attached, attach, check } = connections();
  for (const peer of ["peer-1", "peer-2"]) attach(peer, `provider of ${peer}`);
  for (const peer of ["peer-2", "peer-1", "peer-7"]) check(peer);
  for (const one of attached.values()) one.isOver = true;
  check("peer-7");
  expect(calls).toEqual(["provider of peer-2", "provider of peer-1", "own", "own"]);
});

test("a provider whose operation is over is closed when the engine attaches again", () => {
  const { calls, attached, attach } = connections();
  attach("peer-1", "first");
  const [first] = attached.values();
  if (first) first.isOver = true;
  attach("peer-2", "second");
  expect(calls).toEqual(["first closed"]);
});
