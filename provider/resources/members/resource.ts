/** The methods of a resource that the engine has for every kind of members. */

import type { Resource } from "../contract/resource";
import { check, diff } from "./compare";
import { remove } from "./delete";
import type { MemberPort } from "./port";
import { read } from "./read";
import { create, update } from "./write";

export function memberMethods(port: MemberPort) {
  return {
    inputs: port.inputs,
    check: (request) => check(port, request),
    diff: (request) => diff(port, request),
    create: (request) => create(port, request),
    read: (request) => read(port, request),
    update: (request) => update(port, request),
    delete: (request) => remove(port, request),
    // The person is added or invited again.
    restoredBy: () => "update",
    changesByItself: ({ status }) => status === "pending",
  } satisfies Partial<Resource>;
}
