/**
 * Points about the agent keys of the throw-away project: the list of them, whose keys are masked.
 */
import { isRecord } from "../../../provider/resources/contract/values";
import { type Entry, listEntries } from "../service";
import type { Trial } from "../trial";
import { good, Undetermined } from "../undetermined";
import type { Points } from "./point";
import { theProject } from "./project";

const KEY_LIST = "GET /groups/{id}/agentapikeys of the throw-away project";

async function listedKeys(trial: Trial): Promise<unknown> {
  const { id } = await theProject(trial);
  return good(await trial.read(["groups", id, "agentapikeys"])).body;
}

/** The key that the project started with. */
async function originalKey(trial: Trial): Promise<Entry> {
  const body = await trial.run(listedKeys);
  const [key] = listEntries(isRecord(body) ? body.results : body);
  if (key === undefined) throw new Undetermined("The project has no agent key.");
  return key;
}

export const agentKeyPoints: Points = {
  agentKeyList: [
    KEY_LIST,
    async (trial) => (Array.isArray(await trial.run(listedKeys)) ? "array" : "results"),
  ],
  agentKeyId: [KEY_LIST, async (trial) => ("_id" in (await trial.run(originalKey)) ? "_id" : "id")],
  agentKeyTime: [
    KEY_LIST,
    async (trial) => (typeof (await trial.run(originalKey)).createdTime === "number" ? "number" : "text"),
  ],
  originalAgentKey: [
    KEY_LIST,
    async (trial) => {
      const { createdBy } = await trial.run(originalKey);
      if (createdBy === "PROVISIONING" || createdBy === "OLD_KEY") return createdBy;
      throw new Undetermined("The key has an origin that the documentation does not name.");
    },
  ],
};
