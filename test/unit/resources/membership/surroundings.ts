/** What Check stands in: it makes no request, so a client that returns nothing is enough. */
import type { CheckFailure } from "../../../../provider/resources/check";
import type { CheckRequest, CheckResult } from "../../../../provider/resources/resource";
import { Session } from "../../../../provider/resources/session";
import type { Properties } from "../../../../provider/resources/values";

export class Surroundings {
  readonly warnings: string[] = [];
  readonly session: Session;

  constructor({ maxRemovalsPerRun = 100 } = {}) {
    const unused = () => Promise.reject(new Error("Check makes no request."));
    const client = {
      origin: "https://ops-manager.example.com",
      call: unused,
      list: unused,
      page: unused,
      close: unused,
      now: () => Date.now(),
    };
    this.session = new Session(client, {
      refreshBeforeUpdate: true,
      readCacheSeconds: 30,
      maxRemovalsPerRun,
    });
  }

  /** For the resource of this name, `ada` as a rule. */
  contextOf(type: string, name: string): CheckRequest["context"] {
    const say = (message: string) => void this.warnings.push(message);
    return { session: this.session, urn: urnOf(type, name), log: { info: say, warn: say } };
  }
}

export function urnOf(type: string, name: string): string {
  return `urn:pulumi:dev::proj::opsmanager:index:${type}::${name}`;
}

export interface Checked {
  readonly inputs: Properties;
  readonly failures: readonly CheckFailure[];
  readonly reasons: readonly string[];
  readonly warnings: readonly string[];
}

/** Checks inputs of one type of resource; with surroundings of their own unless they are given. */
export function checker(type: string, check: (request: CheckRequest) => CheckResult) {
  return (inputs: Properties, membership = new Surroundings(), name = "ada"): Checked => {
    const result = check({ inputs, context: membership.contextOf(type, name) });
    return { ...result, reasons: result.failures.map(({ reason }) => reason), warnings: membership.warnings };
  };
}
