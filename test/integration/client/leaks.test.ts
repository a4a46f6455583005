/** Every source from which a key could get into a message: all messages pass one function. */
import type { IncomingMessage, RequestListener } from "node:http";
import { UNREAD_BODY } from "../../../provider/api/client";
import { createProject, getProject, updateProject } from "../../../provider/api/projects";
import { toServiceError } from "../../../provider/plugin/status";
import { createSettingsRedact } from "../../../provider/transport";
import { makeCertificate } from "../../../sandbox/certificate";
import { type LittleProxy, type ProxyWishes, startProxy } from "../../support/little-proxy";
import { always, clientFactory, failureOf } from "./with-client";

const start = clientFactory();
const id = "5f00000000000000000000a1";
const orgId = "5f00000000000000000000b1";
const { certificate: clientCert, privateKey: clientKey } = makeCertificate({ subject: "Client" });
const privateKey = 'a "private" key, 100% long';
const password = "hush hush/100";
const credentials = `agent:${encodeURIComponent(password)}`;
const basic = Buffer.from(`agent:${password}`).toString("base64");

/** As others may write them down. */
const echo = [privateKey, clientKey, `http://${credentials}@proxy.example.com`, password, basic].join(" | ");
const spellings = [echo, JSON.stringify(echo), encodeURIComponent(echo)].join("\n");
const remains = [
  /private/,
  /100% long/,
  new RegExp(clientKey.slice(40, 60).replace(/\W/g, "\\$&")),
  /hush/,
  new RegExp(basic),
];

const proxies: LittleProxy[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  for (const proxy of proxies.splice(0)) await proxy.close();
});

type Call = (client: Parameters<typeof getProject>[0]) => Promise<unknown>;
const read: Call = (client) => getProject(client, id);

/** All messages of one call, as the provider plugin prints them: log, remarks, warnings and the error. */
async function printedBy(listener: RequestListener, call: Call, wishes: ProxyWishes = {}): Promise<string> {
  jest.spyOn(Math, "random").mockReturnValue(0);
  const proxy = await startProxy(wishes);
  proxies.push(proxy);
  const proxyUrl = `http://${credentials}@${proxy.host}`;
  const keys = { privateKey, clientCert, clientKey, proxyUrl, maxRetries: 1 };
  const { client, lines, warnings, messages, settings } = await start.server(listener, keys);
  const { details } = toServiceError(await failureOf(call(client)), createSettingsRedact(settings));
  return [details, ...lines, ...warnings, ...messages].join("\n");
}

const refusing = (body: unknown, status = 400) => always(status, body);
const plain = (status: number, body: string) => always(status, body, { "content-type": "text/plain" });
const hears: RequestListener = (request, response) =>
  refusing({ error: 400, detail: JSON.stringify((request as IncomingMessage).rawHeaders) })(
    request,
    response,
  );
const challenged: RequestListener = (request, response) => {
  const isSigned = request.headers.authorization !== undefined;
  const realm = JSON.stringify(inLatin(echo));
  if (!isSigned) response.setHeader("www-authenticate", `Digest realm=${realm}, nonce="n", qop="auth"`);
  (isSigned ? hears : always(401, { error: 401 }))(request, response);
};
const inLatin = (text: string) => text.replace(/[^ -~]/g, " ").replaceAll('"', "'");

describe("no key, client key or proxy's password is printed", () => {
  test.each<[string, RequestListener, Call, ProxyWishes?]>([
    ["that is in an error's detail", refusing({ errorCode: "X", detail: spellings }), read],
    ["that is in its reason", refusing({ reason: spellings }), read],
    ["that is its code", refusing({ errorCode: spellings }), read],
    ["that is in its parameters", refusing({ errorCode: "X", parameters: [spellings] }), read],
    ["that is in a proxy's plain text", plain(400, privateKey), read],
    ["that is in a proxy's page", always(502, `<html>${spellings}`, { "content-type": "text/html" }), read],
    [
      "that is where a project's field should be",
      always(200, { id: 7, name: [spellings], [spellings]: 1 }),
      read,
    ],
    ["that is in a redirect", always(302, "", { location: `http://x/?${encodeURIComponent(echo)}` }), read],
    [
      "that is in the version's header",
      always(500, {}, { "x-mongodb-service-version": inLatin(echo) }),
      read,
    ],
    ["that a service returns as its realm, and as the signature it received", challenged, read],
    [
      "that is the name of what is made",
      refusing({ detail: spellings }),
      (client) => createProject(client, { name: privateKey, orgId }),
    ],
    [
      "that is the name of what is changed",
      refusing({ errorCode: "X" }),
      (client) => updateProject(client, id, { name: privateKey }),
    ],
    [
      "that is in an address",
      refusing({}),
      (client) =>
        client.call({ action: `Trying ${echo}`, method: "GET", shape: UNREAD_BODY, path: ["x", privateKey] }),
    ],
    [
      "that is sent in a query",
      refusing({}),
      (client) =>
        client.call({
          action: "Trying",
          method: "GET",
          shape: UNREAD_BODY,
          path: ["x"],
          query: { name: echo },
        }),
    ],
    ["when the proxy refuses them", always(200, {}), read, { status: 407 }],
    ["when the proxy hangs up", always(200, {}), read, { hangUp: true }],
    ["by a fault of the provider itself", always(200, {}), () => Promise.reject(new TypeError(spellings))],
  ])("%s", async (_, listener, call, ...[wishes]) => {
    const printed = await printedBy(listener, call, wishes);
    expect(printed.length).toBeGreaterThan(20);
    for (const trace of remains) expect(printed).not.toMatch(trace);
  });

  // The sentence is cut before its secrets are known; half a key was left at its end.
  test.each([
    ["a long detail", (text: string) => refusing({ errorCode: "X", detail: text }), 1000],
    ["a long plain text", (text: string) => plain(400, text), 200],
  ])("that is cut in two at the end of %s", async (_, listener, most) => {
    for (const left of [6, 12, 20]) {
      const printed = await printedBy(listener(`${"x".repeat(most - left)}${privateKey} and so on`), read);
      expect(printed).toMatch(/x\[secret\]…/);
      expect(printed).not.toMatch(/a "p|private/);
    }
  });
});
