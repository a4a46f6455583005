/** The roles of one API key in one project. */
import type { Resource } from "../contract/resource";
import { diff } from "./diff";
import { check, declares, projectApiKeyInputs } from "./inputs";
import { projectApiKeyListing } from "./list";
import { read } from "./read";
import { projectApiKeyOutputs } from "./state";
import { create, remove, update } from "./write";

export const projectApiKey: Resource<"ProjectApiKey"> = {
  name: "ProjectApiKey",
  description: `The roles of one programmatic API key in one project. The key is one of the project's organization; \`ApiKey\` creates it. Its roles in other projects and in the organization, and other keys, are not changed.

Creating gives the key its roles, or adopts a key that has roles in the project already. Destroying takes all roles in the project from it, unless \`onDestroy\` is \`release\`; the key stays in its organization. The key with which the provider itself authenticates never loses a role.`,
  importId: "`<projectId>/` and the id or the public key of the key",
  inputs: projectApiKeyInputs,
  listing: projectApiKeyListing,
  outputs: projectApiKeyOutputs,
  check,
  diff,
  declares,
  create,
  read,
  update,
  delete: remove,
  duties: {
    whenRemoved:
      'the key loses its roles in the project; with `onDestroy: "release"` it keeps them. The key itself stays',
    counted: "the key",
    whenDeletedFirst: "the key loses its roles in the project and gets them again",
    withFourOperations: "cannot be created",
    identifiedBy: ["projectId", "keyId", "publicKey"],
  },
  subject: ({ projectId }) => String(projectId),
  // The key gets its roles again.
  restoredBy: () => "update",
};
