/** Events of the throw-away project: whether they are offered, and how they are listed. */
import { type Entry, listEntries } from "../service";
import type { Trial } from "../trial";
import { good, InconclusiveResponse, resultOf, Undetermined, valueByCode } from "../undetermined";
import { requireApiKey } from "./digest";
import type { Points } from "./point";
import { renamed, theProject } from "./project";

const EVENT_LIST = "GET /groups/{id}/events of the throw-away project";

async function readEvents(trial: Trial, eventType: readonly string[] = []) {
  const { id } = await theProject(trial);
  return trial.read(["groups", id, "events"], { query: { itemsPerPage: 500, eventType } });
}

async function events(trial: Trial): Promise<string> {
  const response = await readEvents(trial);
  if (response.isGood) return "on";
  if (response.isNotOffered) return "off";
  if (response.isRefused) return "refused";
  throw new InconclusiveResponse(response);
}

const CREATION = "GROUP_CREATED";

const typeOf = ({ eventTypeName }: Entry): string => String(eventTypeName);

/** The events after the project was renamed, if the service accepts that. They hold its creation. */
async function listedEvents(trial: Trial): Promise<readonly Entry[]> {
  await resultOf(trial.run(renamed));
  const entries = listEntries(good(await readEvents(trial)).body);
  if (entries.some((event) => typeOf(event) === CREATION)) return entries;
  throw new Undetermined("The list does not contain the creation of the project.");
}

async function eventOrder(trial: Trial): Promise<string> {
  const types = (await trial.run(listedEvents)).map(typeOf);
  if (types.length > 1 && types[0] === CREATION) return "oldest";
  if (types.length > 1 && types.at(-1) === CREATION) return "newest";
  throw new Undetermined("The creation of the project is neither the first event nor the last.");
}

async function repeatedEventType(trial: Trial): Promise<string> {
  const other = (await trial.run(listedEvents)).map(typeOf).find((type) => type !== CREATION);
  if (other === undefined) throw new Undetermined("The list contains events of only one type.");
  const response = await readEvents(trial, [CREATION, other]);
  if (!response.isGood) return valueByCode(response, { INVALID_QUERY_PARAMETER: "refuse" });
  const types = new Set(listEntries(response.body).map(typeOf));
  if (!types.has(other)) throw new Undetermined("The list lacks events of the last type.");
  return types.has(CREATION) ? "all" : "last";
}

async function undocumentedEvents(trial: Trial): Promise<boolean> {
  const entries = await trial.run(listedEvents);
  if (!(await trial.run(renamed)).isGood) {
    throw new Undetermined("It requires a renamed project, and the service rejects renaming.");
  }
  return entries.some((event) => typeOf(event) === "GROUP_NAME_CHANGED");
}

async function eventActor(trial: Trial): Promise<string> {
  requireApiKey(trial);
  const creation = (await trial.run(listedEvents)).find((event) => typeOf(event) === CREATION);
  return creation?.publicKey === undefined && creation?.username === undefined ? "missing" : "named";
}

export const eventPoints: Points = {
  events: [EVENT_LIST, events],
  eventOrder: [EVENT_LIST, eventOrder],
  repeatedEventType: ["GET /groups/{id}/events with eventType twice", repeatedEventType],
  undocumentedEvents: [
    "GET /groups/{id}/events after PATCH /groups/{id} with another name",
    undocumentedEvents,
  ],
  eventActor: [EVENT_LIST, eventActor],
};
