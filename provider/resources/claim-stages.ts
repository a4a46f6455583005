/** Tells the claims which resources have only been checked, for Delete. */
import type { Resource } from "./resource";

export function withClaimStages<Name extends string>(resource: Resource<Name>): Resource<Name> {
  return {
    ...resource,
    check(request) {
      const { session, urn } = request.context;
      session.claims.declares(urn);
      return resource.check(request);
    },
    diff(request) {
      const differences = resource.diff(request);
      request.context.session.claims.holds(request.context.urn);
      return differences;
    },
    create(request) {
      request.context.session.claims.holds(request.context.urn);
      return resource.create(request);
    },
    update(request) {
      request.context.session.claims.holds(request.context.urn);
      return resource.update(request);
    },
  };
}
