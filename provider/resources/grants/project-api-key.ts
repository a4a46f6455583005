/** The roles of one API key in one project. */
import { z } from "zod";
import { setRolesOfApiKey, unassignApiKey } from "../../api/api-keys";
import { getProject } from "../../api/projects";
import { joinId } from "../../text/object-id";
import { nameText, objectId, projectIdInput, requiredText } from "../contract/fields";
import { defineListing } from "../contract/listing";
import { removeByDefault } from "../contract/on-destroy";
import { roleList } from "../contract/people-inputs";
import type { ProjectContext } from "../contract/resource";
import { untilInput } from "../contract/until";
import { Refusal } from "../evidence/refusal";
import { orReached } from "../evidence/reread";
import {
  ApiKeyCache,
  apiKeyIn,
  findApiKey,
  isReplacedKey,
  keysOfProject,
  publicKeyToRecord,
  refuseForOwnKey,
} from "../reads/api-keys";
import { Claims } from "../session/claims";
import { Writes } from "../session/writes";
import { grantOutputs } from "./declared";
import { grantResource } from "./engine";
import type { FoundHolder, GrantPort, HolderIdentity } from "./port";

const onDestroy = removeByDefault(
  "What destroying does: `remove` takes all roles in the project from the key; `release` only removes the resource from the state. The key itself stays in either case.",
);

const inputs = z.strictObject({
  projectId: objectId("the id of a project").meta({
    description:
      "ID of the project, 24 hexadecimal digits. If it changes, the key gets its roles in the new project first and loses those in the old one last.",
  }),
  keyId: objectId("the id of an API key").optional().meta({
    description: "ID of the key, 24 hexadecimal digits. Exactly one of `keyId` and `publicKey` is needed.",
  }),
  publicKey: nameText().optional().meta({
    description:
      "Public key of the key, in place of `keyId`. The key must be one of the project's organization.",
  }),
  roles: roleList("a key").meta({
    description:
      "Project roles of the key, a set with at least one entry, such as `GROUP_READ_ONLY`. They replace the roles that the key has in this project. Its roles in other projects and in the organization are not changed.",
  }),
  until: untilInput(
    "the roles of the key in the project",
    "takes them away, whoever gave them, and so does each later update if somebody gives them again",
    "gives the roles again",
  ),
  onDestroy: onDestroy.input,
});

const outputs = z.object({
  keyId: requiredText("ID of the key, 24 hexadecimal digits."),
  publicKey: requiredText("The public key of the key."),
  ...grantOutputs(
    onDestroy,
    "Whether this resource gave the key its first role in the project, adopted it there, or imported it.",
  ),
});

const keyOf = ({ id, name }: HolderIdentity) => ({ keyId: id, publicKey: name });

const subjectOf = (projectId: string, identity: HolderIdentity) => apiKeyIn(projectId, keyOf(identity));

const port: GrantPort = {
  noun: "API key",
  unread: "keys",
  keepsName: true,
  newName: () => undefined,
  nameToRecord: (recorded, shown) => (shown === undefined ? recorded : publicKeyToRecord(recorded, shown)),
  toHolder: (identity) => ({ kind: "API key", ...keyOf(identity) }),
  claim(declared, found, { session, urn, projectId }) {
    const [claims, subject] = [session.of(Claims), subjectOf(projectId, declared)];
    return found === undefined
      ? claims.claim(subject, urn)
      : claims.claimFound(subject, subjectOf(projectId, found));
  },
  declarerOf: (holder, { session, urn, projectId }) =>
    session.of(Claims).declarerOf(subjectOf(projectId, holder), urn),
  async grants(purpose, { session, projectId, signal }) {
    const keys = await session.of(ApiKeyCache).ofProject.read(projectId, purpose, signal);
    if (keys instanceof Refusal) return keys;
    return keys.map(({ keyId, publicKey, roles }) => ({ id: keyId, name: publicKey, roles }));
  },
  isPlanned: async () => false,
  async find({ id, name }, orgId, purpose, context) {
    if (orgId === undefined) return undefined;
    const found =
      id === undefined
        ? await context.session.of(ApiKeyCache).ofOrganization.read(orgId, purpose, context.signal)
        : await findApiKey(orgId, id, context, purpose);
    if (found instanceof Refusal) throw found.error;
    const key = Array.isArray(found) ? found.find(({ publicKey }) => publicKey === name) : found;
    return key && { id: key.keyId, name: key.publicKey };
  },
  refuseLoss: ({ name = "" }, change, context) => refuseForOwnKey({ publicKey: name }, change, context),
  isReplaced: ({ id, roles }, context) =>
    isReplacedKey({ keyId: id, roles }, { kind: "project", id: context.projectId }, context),
  async write({ holder, orgId, roles, goal }, context) {
    const { session, projectId, signal } = context;
    const change = () => setRolesOfApiKey(session.client, projectId, holder.id, roles, signal);
    await beside(holder, orgId, context, () => orReached(change(), goal, signal));
    return "written";
  },
  remove: ({ holder, orgId, goal }, context) =>
    beside(holder, orgId, context, () => orReached(unassign(holder, context), goal, context.signal)),
};

/** Runs a write beside no write of the key itself, and discards what was read of the key before. */
function beside<T>(
  { id }: FoundHolder,
  orgId: string | undefined,
  { session, projectId }: ProjectContext,
  write: () => Promise<T>,
): Promise<T> {
  return session.of(Writes).beside(id, () =>
    write().finally(() => {
      const cache = session.of(ApiKeyCache);
      cache.ofProject.written(projectId);
      if (orgId !== undefined) cache.ofOrganization.written(orgId);
    }),
  );
}

async function unassign({ id }: FoundHolder, { session, projectId, signal }: ProjectContext): Promise<void> {
  // With the ID of an organization, some documented forms of the path delete the key itself.
  const confirmed = await getProject(session.client, projectId, signal);
  await unassignApiKey(session.client, confirmed.id, id, signal);
}

export const projectApiKey = grantResource(
  {
    name: "ProjectApiKey",
    description: `The roles of one programmatic API key in one project. The key belongs to the project's organization, where \`ApiKey\` creates it. Its roles elsewhere and other keys are left alone.

Creating gives the key its roles, or adopts a key that has roles in the project already. Destroying takes all roles in the project from it, unless \`onDestroy\` is \`release\`; the key stays in its organization. The key with which the provider itself authenticates never loses a role.`,
    inputs,
    outputs,
    listing: defineListing(
      z.strictObject({ projectId: projectIdInput }),
      async ({ projectId }, { session, signal }) => {
        const keys = await keysOfProject(session.client, projectId, signal);
        return keys.map(({ keyId, description, publicKey }) => ({
          id: joinId(projectId, keyId),
          name: description ?? publicKey,
        }));
      },
    ),
    duties: {
      whenRemoved:
        'The key itself stays and loses its roles in the project. With `onDestroy: "release"` it keeps them.',
      counted: "the key, unless the resource has given the same roles to another key",
      whenDeletedFirst: "The key loses its roles in the project and gets them again.",
      withFourOperations: "Cannot be created.",
      identifiedBy: ["projectId", "keyId", "publicKey"],
    },
    identity: ["keyId", "publicKey"],
    onDestroy,
  },
  port,
);
