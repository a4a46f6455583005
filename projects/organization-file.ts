/**
 * The schema of one organization file: an organization with its people and API keys, made of the inputs of
 * Organization, OrganizationMember and ApiKey. Never a secret: Ops Manager makes the private keys.
 */

import { z } from "zod";
import { checkedAs } from "../provider/resources/contract/border";
import type { LocatedFailure } from "../provider/resources/contract/check";
import { roleFailures, roleList, usernameText } from "../provider/resources/contract/people-inputs";
import { organizationRoles } from "../provider/resources/contract/roles";
import { isRecord, type Properties, withoutUndefined } from "../provider/resources/contract/values";
import { accessListFailures } from "../provider/resources/keys/api-key-access-list";
import { apiKeyInputs } from "../provider/resources/keys/api-key-record";
import { mappingFailures, nestedInMappings } from "../provider/resources/managed/group-mappings";
import { organizationInputs } from "../provider/resources/organization/inputs";
import { memberFailures } from "../provider/resources/project-members/inputs";
import { own } from "../provider/text/own";
import {
  beginningOf,
  type DeclaredFile,
  type Draft,
  type FileKind,
  fileProperties,
  keyText,
  organizationOf,
  orgIdOfFile,
  sharedFaults,
  sharedKeyFaults,
} from "./declared-file";
import type { Fault } from "./faults";
import { keyLocationOf } from "./located";
import { minOwnersFaults, minOwnersInput } from "./owners";
import { emptyMembersFaults, otherSpelling } from "./project-file";

const { description, roles, accessList, triggers } = apiKeyInputs.shape;
const organizationProperties = organizationInputs.shape;

const apiKey = z.strictObject({ description, roles, accessList, triggers }, "must be a map of properties");

/** Every property is optional in one file: a file that it extends may have it. */
const organizationFileSource = z.strictObject({
  ...fileProperties("organization"),
  orgId: apiKeyInputs.shape.orgId.meta(orgIdOfFile),
  members: z
    .record(usernameText(), roleList("a person", organizationRoles), "must be a map from person to roles")
    .optional()
    .meta({
      description:
        "People of the organization: roles by username, an OrganizationMember each. Other people stay. A person who leaves `members` is removed from the organization, and so from its teams and projects.",
    }),
  minOwners: minOwnersInput("organization"),
  name: organizationProperties.name.meta({
    description: "Name of the organization in the service; not inherited. Left out means not managed.",
  }),
  ldapGroupMappings: organizationProperties.ldapGroupMappings,
  idpGroupMappings: organizationProperties.idpGroupMappings,
  apiKeys: z
    .record(keyText(), apiKey, "must be a map from the name of a key to its properties")
    .optional()
    .meta({
      description:
        "API keys of the organization by a name of your choice, an ApiKey each. A key that leaves `apiKeys` is deleted. Requires `key`.",
    }),
  complete: z.enum(["owners", "members"], 'must be "owners" or "members"').optional().meta({
    description:
      "What the file lists completely. `owners`: `opsmanager drift` reports every other owner of the organization, groups included. `members`: also, a person of the organization's project and team files who is not in `members` is a fault.",
  }),
});

/** An API key of an organization file. */
export interface DeclaredKey {
  readonly description: string;
  readonly roles: string[];
  /** An absent list is not managed. */
  readonly accessList?: string[];
  /** The key is replaced if one of them changes. */
  readonly triggers?: Record<string, string>;
}

/** One organization file with the files that it extends: checked and complete. */
export interface OrganizationFile extends DeclaredFile {
  /** An absent property is not managed, here and below. */
  readonly name?: string;
  readonly ldapGroupMappings?: { roleName: string; ldapGroups: string[] }[];
  readonly idpGroupMappings?: { roleName: string; idpGroups: string[] }[];
  /** Roles by username. */
  readonly members?: Record<string, string[]>;
  /** By the name that the file gives the key. */
  readonly apiKeys?: Record<string, DeclaredKey>;
  readonly complete?: "owners" | "members";
  readonly minOwners?: number;
}

export const organizationKind: FileKind<OrganizationFile> = {
  noun: "organization",
  folder: "organizations",
  sample: "complete: owners",
  source: organizationFileSource,
  endable: [{ property: "members", value: "roles" }, { property: "apiKeys" }],
  nested: { apiKeys: [...Object.keys(apiKey.shape), "until"], ...nestedInMappings },
  failuresIn: (values) => [
    ...memberFailures(values, organizationRoles),
    ...keyFailures(values),
    ...mappingFailures(values, organizationRoles),
  ],
  noteOn: otherSpelling,
  faultsIn: (draft, values) => [
    ...emptyMembersFaults(draft, values, "To remove nobody, delete the file or list who stays."),
    ...minOwnersFaults(draft, values, "organization"),
    ...missingFaults(draft, values),
  ],
  toFile: (declared, facts) => checkedAs<OrganizationFile>({ ...declared, ...facts }),
  shared: (files, locate) => [
    ...sharedKeyFaults(files, locate),
    ...sharedFaults(files, {
      identity: organizationOf,
      locationOf: (file) => locate(file, ["orgId"]),
      reason: ({ orgId }, other) =>
        `${orgId === undefined ? "The organization of the setting opsmanager:orgId" : "This organization"} is also declared by ${other}. Keep one file for each organization.`,
    }),
  ],
};

function keyFailures({ apiKeys }: Properties): LocatedFailure[] {
  if (!isRecord(apiKeys)) return [];
  return Object.entries(apiKeys as Properties).flatMap(([name, key]) => {
    if (!isRecord(key)) return [];
    const { roles, accessList } = key as Properties;
    return [
      ...roleFailures(roles, ["apiKeys", name, "roles"], organizationRoles),
      ...accessListFailures(accessList, ["apiKeys", name, "accessList"]),
    ];
  });
}

const DECLARING = ["members", "apiKeys", "ldapGroupMappings", "idpGroupMappings", "name"] as const;

/** What the file declares of the organization itself; `undefined` if nothing. */
export function organizationArgs(file: OrganizationFile) {
  const { name, ldapGroupMappings, idpGroupMappings } = file;
  const given = withoutUndefined({ name, ldapGroupMappings, idpGroupMappings });
  return Object.keys(given).length === 0 ? undefined : given;
}

function missingFaults(draft: Draft, values: Properties): Fault[] {
  const { key, members, apiKeys } = values;
  const { content, isComplete, defaultKey, isSound = () => true } = draft;
  if (!isComplete) return [];
  const faults: Fault[] = [];
  if (DECLARING.every((property) => own(values, property) === undefined && isSound(property))) {
    const reason = `The file declares nothing. Add one of ${DECLARING.join(", ")}, or delete the file.`;
    faults.push({ location: beginningOf(draft), reason });
  }
  for (const property of ["complete", "minOwners"]) {
    const location = keyLocationOf(content, [property]);
    const isForOthers = property === "minOwners" && location.file !== draft.file;
    if (members !== undefined || !isSound("members") || own(values, property) === undefined || isForOthers)
      continue;
    faults.push({
      location,
      reason: `${property} requires members. List the people, or remove ${property}.`,
    });
  }
  if (apiKeys !== undefined && key === undefined && isSound("key")) {
    const reason = `key is missing, and a renamed file would create every API key again. Write key: ${defaultKey}.`;
    faults.push({ location: keyLocationOf(content, ["apiKeys"]), reason });
  }
  return faults;
}
