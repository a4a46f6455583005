/**
 * Records which resources have only been checked, and who has access through each resource. A claim of a
 * resource that has only been checked does not keep its own object from Delete.
 */

import type { Context, Resource } from "../contract/resource";
import type { Properties } from "../contract/values";
import { Claims, isUrn } from "./claims";
import { Declarations } from "./declarations";

export function withClaimStages<Name extends string>(resource: Resource<Name>): Resource<Name> {
  /** The host of dynamic providers names a resource by its ID once it exists, but not in Check. */
  const textOf = (urn: string, inputs: Properties) =>
    isUrn(urn) ? urn : `${resource.name} ${resource.subject(inputs)}`;
  /** What the program declares, with the identities that are recorded. */
  const declare = (
    { session, urn }: Pick<Context, "session" | "urn">,
    ...known: [Properties, Properties?]
  ) => {
    const declarations = session.of(Declarations);
    const access = resource.declares(...known);
    const by = textOf(urn, known[0]);
    if (isUrn(urn)) declarations.declare(by, access);
    else declarations.add(by, access, urn);
  };
  return {
    ...resource,
    check(request) {
      const { session, urn } = request.context;
      session.of(Claims).declares(urn);
      const result = resource.check(request);
      // A resource that has a fault keeps what it declared last from what would end it.
      const declared = result.failures.length === 0 ? result.inputs : request.oldInputs;
      if (declared !== undefined) declare(request.context, declared);
      return result;
    },
    diff(request) {
      const { context, inputs, state } = request;
      const differences = resource.diff(request);
      const claims = context.session.of(Claims);
      const isReplaced = differences.some(({ replace }) => replace);
      if (isReplaced) claims.replaces(context.urn, textOf(context.urn, inputs));
      // A refresh compares what no program declares. The record of a replaced object is of another one.
      else if (context.session.of(Declarations).isDeclaring(textOf(context.urn, inputs)))
        declare(context, inputs, state);
      claims.holds(context.urn);
      return differences;
    },
    async create(request) {
      request.context.session.of(Claims).holds(request.context.urn);
      const result = await resource.create(request);
      declare(request.context, request.inputs, result.state);
      return result;
    },
    async update(request) {
      request.context.session.of(Claims).holds(request.context.urn);
      const state = await resource.update(request);
      declare(request.context, request.inputs, state);
      return state;
    },
  };
}
