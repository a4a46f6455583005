/**
 * Records which resources have only been checked. Such a claim does not keep the resource's own object
 * from Delete.
 */

import type { Resource } from "../contract/resource";
import { Claims } from "./claims";

export function withClaimStages<Name extends string>(resource: Resource<Name>): Resource<Name> {
  return {
    ...resource,
    check(request) {
      const { session, urn } = request.context;
      session.of(Claims).declares(urn);
      return resource.check(request);
    },
    diff(request) {
      const differences = resource.diff(request);
      request.context.session.of(Claims).holds(request.context.urn);
      return differences;
    },
    create(request) {
      request.context.session.of(Claims).holds(request.context.urn);
      return resource.create(request);
    },
    update(request) {
      request.context.session.of(Claims).holds(request.context.urn);
      return resource.update(request);
    },
  };
}
