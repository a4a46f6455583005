/** What unit tests of resources share: sessions, URNs, error responses, and Check, which makes no request. */
import type { ApiClient } from "../../../provider/api/client";
import type { Resource } from "../../../provider/resources/contract/resource";
import { Session, type SessionSettings } from "../../../provider/resources/contract/session";
import type { Properties } from "../../../provider/resources/contract/values";
import { ApiError } from "../../../provider/text/errors";

/** @param client what the test needs of it */
export function newSession(settings: Partial<SessionSettings> = {}, client: object = {}): Session {
  return new Session(client as ApiClient, {
    ...{ refreshBeforeUpdate: true, readCacheSeconds: 30, maxRemovalsPerRun: 100 },
    ...settings,
  });
}

/** The error of a request that the service rejects. */
export function fault(status: number, errorCode?: string): ApiError {
  return new ApiError(`The request failed: ${status} ${errorCode}.`, { status, errorCode });
}

export function urnOf(type: string, name: string): string {
  return `urn:pulumi:dev::proj::opsmanager:index:${type}::${name}`;
}

/** Checks inputs of one type of resource, in a session of its own unless one is given. */
export function checker(type: string, check: Resource["check"]) {
  return (inputs: Properties, session = newSession(), name = "ada") => {
    const warnings: string[] = [];
    const log = (message: string) => void warnings.push(message);
    const result = check({
      inputs,
      context: { session, urn: urnOf(type, name), log: { info: log, warn: log } },
    });
    return { ...result, reasons: result.failures.map(({ reason }) => reason), warnings };
  };
}
