/** The project `payments` with agent API keys: a program that declares one, and what the service has. */
import type { Sandbox } from "../../../sandbox";
import type { Program, Run } from "../../support";
import { paymentsId } from "../support/people-program";
import { messagesOf } from "../support/project-program";

export const seed = { projects: [{ name: "payments", members: { "owner@example.com": ["GROUP_OWNER"] } }] };

/** `agents` is a key of the project `payments`; an output of the stack repeats its text. */
export function keyProgram(service: Sandbox, inputs: object = {}): Program {
  const properties = { projectId: paymentsId(service), description: "agents", ...inputs };
  return {
    resources: { agents: { type: "AgentApiKey", properties } },
    outputs: { key: "${agents.key}" },
  };
}

/** Keys of the project, without the one that the service creates with it. */
export function keysOf(sandbox: Sandbox) {
  const keys = sandbox.project(paymentsId(sandbox))?.agentKeys ?? [];
  expect(keys[0]).toMatchObject({ createdBy: "PROVISIONING" });
  return keys.slice(1);
}

export function theKey(sandbox: Sandbox) {
  const [key, ...others] = keysOf(sandbox);
  if (key === undefined || others.length > 0) throw new Error(`Expected one key, found ${others.length}.`);
  return key;
}

/** The id is no secret: messages name a key by it. */
export const allOf = (run: Pick<Run, "output" | "diagnostics">) => `${run.output}\n${messagesOf(run)}`;
