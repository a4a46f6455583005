/** One programmatic API key of an organization, which this stack created or imported. */
import { allOf, textIn } from "../contract/declared";
import type { Resource } from "../contract/resource";
import { remove } from "./delete";
import { diff } from "./diff";
import { apiKeyInputs, check, declares } from "./inputs";
import { apiKeyListing } from "./list";
import { read } from "./read";
import { apiKeyOutputs } from "./state";
import { create, update } from "./write";

export const apiKey: Resource<"ApiKey"> = {
  name: "ApiKey",
  description: `A programmatic API key of an organization: its description, its roles in the organization and its access list. \`ProjectApiKey\` gives it roles in a project.

The service returns the private key once, when the key is created. The output \`privateKey\` is a secret and is in the state only, encrypted. A change of \`orgId\` or \`triggers\` creates another key first and deletes the old one last. The key with which the provider itself authenticates is never deleted, demoted or locked out by its access list.

The resource never changes keys that others created.`,
  inputs: apiKeyInputs,
  listing: apiKeyListing,
  outputs: apiKeyOutputs,
  maps: ["triggers"],
  check,
  diff,
  declares,
  deletes: (state) =>
    allOf({ kind: "API key", keyId: textIn(state, "keyId"), publicKey: textIn(state, "publicKey") }, state),
  create,
  read,
  update,
  delete: remove,
  duties: {
    whenRemoved:
      'the key is deleted, with its roles in all projects, and programs that use it are refused; with `onDestroy: "release"` it stays',
    counted:
      "the key, in its organization and in each project; not if a replacement with the same roles follows",
    whenDeletedFirst:
      "the key is deleted and created again, with another public and private key; one that has roles in projects stays, with an error",
    withFourOperations: "cannot be created",
    identifiedBy: ["orgId"],
  },
  subject: ({ orgId, description }) => `${JSON.stringify(description)} in ${String(orgId)}`,
  restoredBy: () => ({ replacing: "orgId" }),
};
