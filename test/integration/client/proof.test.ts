/** What shows that the server at baseUrl is the API, and what does not: the same bare 404 is "not offered" or an error. */
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { listAgentKeys } from "../../../provider/api/agent-keys";
import type { ApiClient } from "../../../provider/api/client";
import { getInvitation } from "../../../provider/api/invitations";
import { deleteProject, getProject } from "../../../provider/api/projects";
import { listTeamsOfProject } from "../../../provider/api/teams";
import { always, clientFactory, failureOf } from "./with-client";

const start = clientFactory();
const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

const id = "5f00000000000000000000a1";
const json = { "content-type": "application/json" };
const nonce = { "www-authenticate": 'Digest realm="r", nonce="n", qop="auth", algorithm=MD5' };
const version = (vendor: string, value = "gitHash=0a1b; versionString=8.0.0") => ({
  ...json,
  [`X-${vendor}-Service-Version`]: value,
});

/** The failure of a read, from a server that alone decides what every request gets. */
async function failureAt(
  listener: RequestListener,
  call = (client: ApiClient) => getProject(client, id) as Promise<unknown>,
) {
  const server = createServer((request, response) => {
    request.resume();
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  endings.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keys = { publicKey: "public", privateKey: "private-part" };
  const { client } = start.client({ baseUrl, ...keys });
  // The first response may show nothing that the second one needs.
  await getInvitation(client, id, id).catch(() => undefined);
  return failureOf(call(client));
}

const isSigned = ({ headers }: IncomingMessage) => headers.authorization !== undefined;
const isInvitation = ({ url = "" }: IncomingMessage) => url.includes("/invites/");
/** Not one of the requests by which the client asks who is there. */
const isOfObject = (request: IncomingMessage) => isInvitation(request) && request.url?.includes(id);

/** Demands a signature of each request that has none. */
const challenging =
  (signed: RequestListener): RequestListener =>
  (request, response) =>
    (isSigned(request) ? signed : always(401, "", { ...json, ...nonce }))(request, response);

const bare = always(404, "", {});
const shows: Readonly<Record<string, RequestListener>> = {
  "a challenge that the key has answered, before a 404": challenging(bare),
  "one before a 403": challenging((request, response) =>
    (isInvitation(request) ? always(403, "", {}) : bare)(request, response),
  ),
  "one before a 501": challenging((request, response) =>
    (isInvitation(request) ? always(501, "", {}) : bare)(request, response),
  ),
  "the version header of a success, whoever the vendor is": (request, response) =>
    (isInvitation(request) ? always(200, {}, version("Example")) : bare)(request, response),
  "an error of the API": (request, response) =>
    (isInvitation(request)
      ? always(404, { error: 404, errorCode: "GROUP_NOT_FOUND", reason: "Not Found" })
      : bare)(request, response),
};

test.each(Object.entries(shows))("%s shows the API", async (_, listener) => {
  expect(await failureAt(listener)).toMatchObject({ code: "OPSMANAGER_API", status: 404 });
});

const unchecked = { "authentication-info": 'rspauth="0", qop=auth-int' };
const wrongSignature = { "authentication-info": 'rspauth="00000000000000000000000000000000", qop=auth' };
const provesNothing: Readonly<Record<string, RequestListener>> = {
  "a bare 404": bare,
  "a challenge before the API's word that the path is unknown": challenging(
    always(404, { error: 404, errorCode: "RESOURCE_NOT_FOUND", reason: "Not Found" }),
  ),
  "a server that cannot have the key, by its wrong rspauth": challenging(always(404, "", wrongSignature)),
  "one whose rspauth cannot be checked": challenging(always(404, "", unchecked)),
  "a gateway that passes on only some requests, and ends those after the challenge of the API": (
    request,
    response,
  ) => (isOfObject(request) ? challenging(always(503, "", {})) : bare)(request, response),
  "the version header on an error": always(404, "", version("MongoDB")),
  "such a header without a version": (request, response) =>
    (isInvitation(request) ? always(200, {}, version("Envoy", "1.2")) : bare)(request, response),
  "JSON of another shape behind a challenge": (request, response) =>
    (isOfObject(request) ? challenging(always(200, { ok: true })) : bare)(request, response),
};

test.each(Object.entries(provesNothing))("%s does not show it", async (_, listener) => {
  expect(await failureAt(listener)).toMatchObject({ code: "OPSMANAGER_UNEXPECTED_RESPONSE" });
});

/** Successes that any server may give, before a response has shown the API by its content. */
const weak: Readonly<Record<string, readonly [RequestListener, (client: ApiClient) => Promise<unknown>]>> = {
  "an empty list": [always(200, { results: [] }), (client) => listTeamsOfProject(client, id)],
  "an empty list without pages": [always(200, []), (client) => listAgentKeys(client, id)],
  "a removal behind a challenge, without the version header": [
    challenging((request, response) =>
      (request.method === "DELETE" ? always(204, "", {}) : bare)(request, response),
    ),
    (client) => deleteProject(client, id),
  ],
};

test.each(Object.entries(weak))("%s is no success", async (_, [listener, call]) => {
  expect(await failureAt(listener, call)).toMatchObject({ code: "OPSMANAGER_UNEXPECTED_RESPONSE" });
});

test("a service that is down when it is first called shows itself by the challenge of a later request", async () => {
  let outages = 1;
  const failure = await failureAt(
    challenging((request, response) => {
      outages -= 1;
      (outages >= 0 ? always(503, "", {}) : bare)(request, response);
    }),
  );
  expect(failure).toMatchObject({ code: "OPSMANAGER_API", status: 404 });
});
