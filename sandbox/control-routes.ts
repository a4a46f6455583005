import type { Controls } from "./controls";
import type { Person } from "./direct-changes";
import {
  readAccountChange,
  readAgentKey,
  readKey,
  readOrg,
  readProjectChange,
  readProjectTeam,
  readServiceAccount,
  readTeamChange,
} from "./facts";
import { type FieldFault, Fields, readObject } from "./fields";
import { isId } from "./ids";
import { type FaultRule, faultNames, type InjectedFault } from "./injected-faults";
import type { Address } from "./router";
import { checkSwitches, type Switches } from "./switches";

/** One request to the control address. */
interface ControlCall {
  readonly controls: Controls;
  readonly body: unknown;
  param(name: string): string;
}

interface ControlRoute extends Address {
  /** The response; undefined is answered as `{}`. */
  readonly handle: (call: ControlCall) => unknown;
}

const bodyFault: FieldFault = (field, problem, expected) => {
  if (field === "") return new Error("The body must be a JSON object.");
  if (problem === "unknown") return new Error(`The body has an unknown field: ${field}.`);
  return new Error(problem === "missing" ? `The body lacks ${field}.` : `${field} must be ${expected}.`);
};

function read<T>(call: ControlCall, reader: (fields: Fields) => T): T {
  return readObject(call.body, "", bodyFault, reader);
}

/** The body as switches; their names and values are checked. */
function readSwitches(call: ControlCall): Partial<Switches> {
  const body = new Fields({ switches: call.body }, "", bodyFault);
  return checkSwitches(body.record("switches") ?? {});
}

/** Reads with a reader whose fields are optional, and insists on one of them. */
const needing =
  <T, K extends string & keyof T>(reader: (fields: Fields) => T, name: K) =>
  (fields: Fields): T & { [P in K]: Exclude<T[P], undefined> } => {
    const facts = reader(fields);
    fields.required(name, facts[name]);
    return facts as T & { [P in K]: Exclude<T[P], undefined> };
  };

function readPerson(fields: Fields): Person {
  const id = fields.text("id");
  const username = fields.text("username");
  return id === undefined ? { username: fields.required("username", username) } : { id };
}

const readMember = (fields: Fields) => ({
  person: readPerson(fields),
  roles: fields.required("roles", fields.texts("roles")),
});

const readActor = (fields: Fields) => ({
  username: fields.required("username", fields.text("username")),
  remoteAddress: fields.text("remoteAddress"),
});

const readInvitationFacts = (fields: Fields) => ({
  username: fields.required("username", fields.text("username")),
  roles: fields.required("roles", fields.texts("roles")),
  teamIds: fields.texts("teamIds"),
  inviterUsername: fields.text("inviterUsername"),
});

function readHeaders(fields: Fields): Record<string, string> | undefined {
  const headers = fields.record("headers");
  const areText = Object.values(headers ?? {}).every((value) => typeof value === "string");
  return areText
    ? (headers as Record<string, string> | undefined)
    : fields.refuse("headers", "an object of text");
}

function readFault(value: unknown): InjectedFault {
  const name = faultNames.find((known) => known === value);
  if (name !== undefined) return name;
  if (typeof value !== "object")
    throw new Error(`fault must be one of ${faultNames.join(", ")}, or an object.`);
  return readObject(value, "fault", bodyFault, (fields): InjectedFault => {
    const delayMs = fields.number("delayMs");
    if (delayMs !== undefined) return { delayMs, afterWrite: fields.flag("afterWrite") };
    const outageMs = fields.number("outageMs");
    if (outageMs !== undefined) return { outageMs };
    return {
      status: fields.required("status", fields.number("status")),
      body: fields.any("body"),
      contentType: fields.text("contentType"),
      headers: readHeaders(fields),
      afterWrite: fields.flag("afterWrite"),
    };
  });
}

function readMeets(fields: Fields): "authorized" | "all" | undefined {
  const meets = fields.text("meets");
  if (meets === undefined || meets === "authorized" || meets === "all") return meets;
  return fields.refuse("meets", "authorized or all");
}

const readRule = (fields: Fields): FaultRule => ({
  method: fields.text("method"),
  pathPattern: fields.text("pathPattern"),
  bodyPattern: fields.text("bodyPattern"),
  times: fields.number("times"),
  meets: readMeets(fields),
  fault: readFault(fields.any("fault")),
});

/** The person a path names: an id of 24 hexadecimal digits, or a username. */
const pathPerson = (text: string): Person => (isId(text) ? { id: text } : { username: text });

const readSeconds = (fields: Fields): number =>
  fields.required("advanceSeconds", fields.number("advanceSeconds"));

export const controlRoutes: readonly ControlRoute[] = [
  { method: "GET", pattern: "/state", handle: ({ controls }) => controls.state },
  { method: "GET", pattern: "/requests", handle: ({ controls }) => controls.requests },
  { method: "DELETE", pattern: "/requests", handle: ({ controls }) => controls.clearRequests() },

  {
    method: "POST",
    pattern: "/actor",
    handle: (call) => call.controls.actAs(read(call, readActor)),
  },

  {
    method: "POST",
    pattern: "/projects",
    handle: (call) => call.controls.addProject(read(call, needing(readProjectChange, "name"))),
  },
  {
    method: "POST",
    pattern: "/projects/{id}",
    handle: (call) => call.controls.changeProject(call.param("id"), read(call, readProjectChange)),
  },
  {
    method: "DELETE",
    pattern: "/projects/{id}",
    handle: ({ controls, param }) => controls.removeProject(param("id")),
  },
  {
    method: "POST",
    pattern: "/projects/{id}/users",
    handle: (call) => {
      const { person, roles } = read(call, readMember);
      return call.controls.setMember(call.param("id"), person, roles);
    },
  },
  {
    method: "DELETE",
    pattern: "/projects/{id}/users/{person}",
    handle: ({ controls, param }) => controls.removeMember(param("id"), pathPerson(param("person"))),
  },
  {
    method: "POST",
    pattern: "/projects/{id}/invitations",
    handle: (call) => call.controls.addInvitation(call.param("id"), read(call, readInvitationFacts)),
  },
  {
    method: "POST",
    pattern: "/projects/{id}/agent-keys",
    handle: (call) => call.controls.addAgentKey(call.param("id"), read(call, readAgentKey)),
  },
  {
    method: "DELETE",
    pattern: "/projects/{id}/agent-keys/{keyId}",
    handle: ({ controls, param }) => controls.removeAgentKey(param("id"), param("keyId")),
  },
  {
    method: "POST",
    pattern: "/projects/{id}/teams",
    handle: (call) => call.controls.setProjectTeam(call.param("id"), read(call, readProjectTeam)),
  },

  {
    method: "POST",
    pattern: "/invitations/{id}/accept",
    handle: ({ controls, param }) => controls.acceptInvitation(param("id")),
  },
  {
    method: "POST",
    pattern: "/invitations/{id}/expire",
    handle: ({ controls, param }) => controls.expireInvitation(param("id")),
  },
  {
    method: "DELETE",
    pattern: "/invitations/{id}",
    handle: ({ controls, param }) => controls.removeInvitation(param("id")),
  },

  {
    method: "POST",
    pattern: "/users",
    handle: (call) => call.controls.addUser(read(call, needing(readAccountChange, "username"))),
  },
  {
    method: "PATCH",
    pattern: "/users/{id}",
    handle: (call) => call.controls.changeUser(call.param("id"), read(call, readAccountChange)),
  },
  { method: "POST", pattern: "/teams", handle: (call) => call.controls.addTeam(read(call, readTeamChange)) },
  {
    method: "PATCH",
    pattern: "/teams/{id}",
    handle: (call) => call.controls.changeTeam(call.param("id"), read(call, readTeamChange)),
  },
  {
    method: "DELETE",
    pattern: "/teams/{id}",
    handle: ({ controls, param }) => controls.removeTeam(param("id")),
  },
  { method: "POST", pattern: "/ldap/sync", handle: ({ controls }) => controls.syncLdapPeople() },
  { method: "POST", pattern: "/orgs", handle: (call) => call.controls.addOrg(read(call, readOrg)) },
  {
    method: "PATCH",
    pattern: "/orgs/{id}",
    handle: (call) => call.controls.changeOrg(call.param("id"), read(call, readOrg)),
  },
  {
    method: "POST",
    pattern: "/orgs/{id}/invitations",
    handle: (call) => call.controls.addOrgInvitation(call.param("id"), read(call, readInvitationFacts)),
  },
  {
    method: "POST",
    pattern: "/orgs/{id}/users",
    handle: (call) => {
      const { person, roles } = read(call, readMember);
      return call.controls.setOrgMember(call.param("id"), person, roles);
    },
  },
  {
    method: "DELETE",
    pattern: "/orgs/{id}/users/{person}",
    handle: ({ controls, param }) => controls.removeOrgMember(param("id"), pathPerson(param("person"))),
  },
  { method: "POST", pattern: "/keys", handle: (call) => call.controls.addKey(read(call, readKey)) },
  {
    method: "PATCH",
    pattern: "/keys/{publicKey}",
    handle: (call) => call.controls.changeKey(call.param("publicKey"), read(call, readKey)),
  },
  {
    method: "DELETE",
    pattern: "/keys/{publicKey}",
    handle: ({ controls, param }) => controls.removeKey(param("publicKey")),
  },
  {
    method: "POST",
    pattern: "/service-accounts",
    handle: (call) => call.controls.addServiceAccount(read(call, readServiceAccount)),
  },
  {
    method: "PATCH",
    pattern: "/service-accounts/{clientId}",
    handle: (call) =>
      call.controls.changeServiceAccount(call.param("clientId"), read(call, readServiceAccount)),
  },
  {
    method: "DELETE",
    pattern: "/service-accounts/{clientId}",
    handle: ({ controls, param }) => controls.removeServiceAccount(param("clientId")),
  },

  { method: "GET", pattern: "/switches", handle: ({ controls }) => controls.switches },
  {
    method: "PATCH",
    pattern: "/switches",
    handle: (call) => call.controls.setSwitches(readSwitches(call)),
  },
  {
    method: "POST",
    pattern: "/clock",
    handle: (call) => {
      call.controls.advanceClock(read(call, readSeconds));
      return { time: call.controls.time };
    },
  },
  { method: "POST", pattern: "/nonces/expire", handle: ({ controls }) => controls.expireNonces() },
  { method: "POST", pattern: "/tokens/revoke", handle: ({ controls }) => controls.revokeTokens() },
  { method: "GET", pattern: "/faults", handle: ({ controls }) => controls.faults },
  {
    method: "POST",
    pattern: "/faults",
    handle: (call) => {
      call.controls.addFault(read(call, readRule));
      return call.controls.faults;
    },
  },
  { method: "DELETE", pattern: "/faults", handle: ({ controls }) => controls.clearFaults() },
];
