/** The last sentence of an error: the decisions that `integration/client/messages.test.ts` does not show in a whole message. */
import { type HintContext, hintFor } from "../../../provider/api/hints";
import type { ApiFault } from "../../../provider/text/errors";

const origin = "https://ops-manager.example.com";
const key = {
  publicKey: "abcdefgh",
  privateKey: "not-a-secret",
  keySource: "the provider's arguments",
  origin,
  method: "GET",
  refusal: undefined,
} satisfies HintContext;

test.each<{
  what: string;
  fault: ApiFault;
  context?: Partial<Pick<HintContext, "leastRole" | "method" | "refusal" | "wasThere">>;
  hint: string;
}>([
  {
    what: "names the role that the code means",
    fault: { status: 401, errorCode: "NOT_GROUP_USER_ADMIN" },
    hint: "The API key abcdefgh needs the role Project User Admin.",
  },
  {
    what: "says of a call without a known role what the code usually means",
    fault: { status: 403, errorCode: "USER_UNAUTHORIZED" },
    hint: "Tags require the role Project Automation Admin, in older versions Global Owner.",
  },
  {
    what: "says of an object that was there that it is deleted",
    fault: { status: 404, errorCode: "GROUP_NOT_FOUND" },
    context: { wasThere: true },
    hint: "It was there earlier in this run and has been deleted since. Run the command again.",
  },
  {
    what: "names whose address is meant if the response does not",
    fault: { status: 403, errorCode: "ORG_REQUIRES_ACCESS_LIST" },
    hint: `Add this machine's address, as ${origin} sees it, to the access list`,
  },
  {
    what: "takes a refused property for a missing login",
    fault: { status: 400, detail: "Unknown property idpGroupMappings." },
    hint: "Mappings of an identity provider's groups need Ops Manager 8.0.17 or later",
  },
  {
    what: "takes an unknown refusal for a missing role",
    fault: { status: 403, errorCode: "NOT_SOMETHING_NEW" },
    hint: "The API key abcdefgh lacks a role for this.",
  },
  {
    what: "takes an unknown path for a missing operation",
    fault: { status: 404, errorCode: "RESOURCE_NOT_FOUND" },
    hint: `Check baseUrl (${origin}) and the service's version.`,
  },
  {
    what: "thinks of a proxy where another method than GET is missing",
    fault: { status: 405 },
    context: { method: "PATCH" },
    hint: "and that a proxy lets PATCH through.",
  },
  {
    what: "says that the service failed",
    fault: { status: 500, errorCode: "UNEXPECTED_ERROR" },
    hint: "The service failed internally.",
  },
  {
    what: "says of nonces that are all refused that servers may not share them",
    fault: { status: 401 },
    context: { refusal: "nonce" },
    hint: `${origin} rejects each of its own nonces as stale.`,
  },
])("$what", ({ fault, context, hint }) => {
  expect(hintFor(fault, { ...key, ...context })).toContain(hint);
});

test("a code that is a name of Object.prototype has no sentence", () => {
  expect(hintFor({ status: 400, errorCode: "constructor" }, key)).toBe("");
});
