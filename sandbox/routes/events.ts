import { readableOrg, readableProject } from "../access";
import { refuse } from "../errors";
import type { RecordedEvent } from "../event-log";
import { page, queryFlag } from "../paging";
import type { Call, Reply, Route } from "../router";
import type { World } from "../store";
import { eventView } from "../views";

/** Refuses a request for events if the service does not offer them, or not to the calling key. */
function checkOffer({ world, path }: Call): void {
  if (world.switches.events === "off") throw refuse.resourceNotFound(path);
  if (world.switches.events === "refused") throw refuse.eventsDenied();
}

/** Selects the events of the project or of the organization in the path. */
type Scope = (call: Call) => (event: RecordedEvent) => boolean;

const ofProject: Scope = (call) => {
  const { id } = readableProject(call.world, call.key, call.param("groupId"));
  return ({ groupId }) => groupId === id;
};

const ofOrganization: Scope = (call) => {
  const { id } = readableOrg(call.world, call.key, call.param("orgId"));
  return ({ orgId }) => orgId === id;
};

const isoDate = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?Z?)?$/;

/** A date of the query in milliseconds since 1970. Dates are UTC. */
function queryDate({ query }: Call, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const time = Date.parse(text.includes("T") && !text.endsWith("Z") ? `${text}Z` : text);
  if (!isoDate.test(text) || Number.isNaN(time)) throw refuse.invalidQuery(name);
  return time;
}

function eventTypes({ query, world }: Call): string[] {
  const types = query.getAll("eventType");
  const { repeatedEventType } = world.switches;
  if (types.length > 1 && repeatedEventType === "refuse") throw refuse.invalidQuery("eventType");
  return repeatedEventType === "last" ? types.slice(-1) : types;
}

const isShown = ({ clock, switches }: World, { createdMs }: RecordedEvent): boolean =>
  createdMs + switches.eventDelayMs <= clock.now();

/** The events that the query selects. */
function queryFilter(call: Call): (event: RecordedEvent) => boolean {
  const types = eventTypes(call);
  const [from, to] = [queryDate(call, "minDate") ?? -Infinity, queryDate(call, "maxDate") ?? Infinity];
  return ({ eventTypeName, created }) => {
    const time = Date.parse(created);
    return (types.length === 0 || types.includes(eventTypeName)) && time >= from && time <= to;
  };
}

function listEvents(call: Call, scope: Scope): Reply {
  checkOffer(call);
  const { events, switches } = call.world;
  const isIn = scope(call);
  const fits = queryFilter(call);
  const withRaw = queryFlag(call.query, "includeRaw");
  const found = events.all().filter((event) => isShown(call.world, event) && isIn(event) && fits(event));
  if (switches.eventOrder === "newest") found.reverse();
  return page(call, found, (event) => eventView(call, event, `${call.path}/${event.id}`, withRaw));
}

function getEvent(call: Call, scope: Scope): Reply {
  checkOffer(call);
  const isIn = scope(call);
  const id = call.param("eventId");
  const event = call.world.events.get(id.toLowerCase());
  if (event === undefined || !isShown(call.world, event) || !isIn(event)) throw refuse.eventNotFound(id);
  return { status: 200, body: eventView(call, event, call.path, queryFlag(call.query, "includeRaw")) };
}

const routesBelow = (path: string, scope: Scope): Route[] => [
  { method: "GET", pattern: `${path}/events`, handle: (call) => listEvents(call, scope) },
  { method: "GET", pattern: `${path}/events/{eventId}`, handle: (call) => getEvent(call, scope) },
];

export const eventRoutes: readonly Route[] = [
  ...routesBelow("/groups/{groupId}", ofProject),
  ...routesBelow("/orgs/{orgId}", ofOrganization),
];
