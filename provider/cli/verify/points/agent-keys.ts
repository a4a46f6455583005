/**
 * Points about the agent keys of the throw-away project: the list of them, whose keys are masked.
 */
import { isRecord } from "../../../resources/values";
import { type Entry, entriesOf } from "../service";
import type { Trial } from "../trial";
import { good, Undetermined } from "../undetermined";
import type { Points } from "./point";
import { theProject } from "./project";

const LIST = "GET /groups/{id}/agentapikeys of the throw-away project";

async function listed(trial: Trial): Promise<unknown> {
  const { id } = await theProject(trial);
  return good(await trial.read(["groups", id, "agentapikeys"])).body;
}

/** The key that the project started with. */
async function original(trial: Trial): Promise<Entry> {
  const body = await trial.run(listed);
  const [key] = entriesOf(isRecord(body) ? body.results : body);
  if (key === undefined) throw new Undetermined("The project has no agent key.");
  return key;
}

export const agentKeyPoints: Points = {
  agentKeyList: [LIST, async (trial) => (Array.isArray(await trial.run(listed)) ? "array" : "results")],
  agentKeyId: [LIST, async (trial) => ("_id" in (await trial.run(original)) ? "_id" : "id")],
  agentKeyTime: [
    LIST,
    async (trial) => (typeof (await trial.run(original)).createdTime === "number" ? "number" : "text"),
  ],
  originalAgentKey: [
    LIST,
    async (trial) => {
      const { createdBy } = await trial.run(original);
      if (createdBy === "PROVISIONING" || createdBy === "OLD_KEY") return createdBy;
      throw new Undetermined("The key has another origin than the documents name.");
    },
  ],
};
