/** A project's agent API keys behind a client without a network, to test what the resource makes of responses. */
import type { Call } from "../../../../provider/api/client";
import type { Context } from "../../../../provider/resources/contract/resource";
import { UnexpectedResponseError } from "../../../../provider/text/errors";
import { newSession } from "../checker";

export const orgId = "5f00000000000000000000a1";
export const projectId = "5f0000000000000000000001";
export const keyId = "5f00000000000000000000f1";
export const secretKey = "0123456789abcdef0123456789abcdef";
const masked = "*".repeat(28);

/** An entry of the list, as the service masks it. */
export function entry(id: string, desc: string, key = secretKey) {
  return { _id: id, desc, key: masked + key.slice(-4), createdTime: 1_767_322_985_000, createdBy: "USER" };
}

type Responses = Readonly<Record<"GET" | "POST" | "DELETE", () => unknown>>;

/** Responses the calls below `/agentapikeys`; the project and its organization exist unless `projects` lacks it. */
export class Keys {
  readonly requests: string[] = [];
  readonly messages: string[] = [];
  projects: readonly { readonly id: string; readonly name: string; readonly orgId: string }[] = [
    { id: projectId, name: "payments", orgId },
  ];
  readonly context: Context;
  #list: readonly unknown[] = [];
  readonly #responses: Responses;

  constructor(responses: Partial<Responses> = {}) {
    this.#responses = {
      GET: () => this.#list,
      POST: () => {
        const created = entry(keyId, "agents");
        this.#list = [...this.#list, created];
        return { ...created, key: secretKey };
      },
      DELETE: () => undefined,
      ...responses,
    };
    const client = {
      origin: "https://ops-manager.example.com",
      call: async (call: Call<unknown>) => this.#respond(call),
      list: async () => this.projects,
      page: async () => ({ entries: this.projects, hasNext: false }),
      close: async () => undefined,
      now: () => Date.now(),
    };
    const log = (message: string) => void this.messages.push(message);
    this.context = {
      session: newSession({}, client),
      urn: "urn:pulumi:dev::proj::opsmanager:index:AgentApiKey::agents",
      log: { info: log, warn: log },
      signal: new AbortController().signal,
    };
  }

  /** The keys that the service has now. */
  set(...list: readonly unknown[]): this {
    this.#list = list;
    return this;
  }

  #respond({ method, path, shape, action }: Call<unknown>): unknown {
    if (path[2] !== "agentapikeys") return this.projects[0];
    this.requests.push([method, ...path.slice(3)].join(" "));
    const body = this.#responses[method as keyof Responses]();
    if (shape === undefined) return undefined;
    const parsed = shape.safeParse(body);
    if (parsed.success) return parsed.data;
    throw new UnexpectedResponseError(`${action} failed: ${parsed.error.issues[0]?.message}`);
  }
}
