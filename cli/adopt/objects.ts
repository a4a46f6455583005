/** What has a file of its own: the objects of the service and the files that exist, alike for every kind. */
import type { FileKindName } from "../../projects/access-files";
import type { DeclaredFile } from "../../projects/declared-file";
import type { Invitation } from "../../provider/access/person";
import type { LiveKey, LivePerson, LiveTeam, ProjectOutput } from "../lib/organization";

/** A project, a team or an organization. */
export interface AdoptedObject
  extends Partial<Pick<ProjectOutput, "tags" | "ldapGroupMappings" | "idpGroupMappings">> {
  /** Its ID at the service. */
  readonly id: string;
  readonly name: string;
  readonly orgId: string;
}

/** What the folder has of a team or an API key. */
interface InFolder {
  /** The name by which project files mean it, if a file of the folder declares it. */
  readonly nameInFolder?: string | undefined;
}

export interface AccessTeam extends LiveTeam, InFolder {}

/** An API key, and for the file of an organization the addresses from which it may be used. */
export interface AccessKey extends LiveKey, InFolder {
  readonly accessList?: readonly string[] | undefined;
}

export interface AccessPerson extends Pick<LivePerson, "username" | "status" | "roles"> {
  /** What is pending for the person there. */
  readonly invitations?: readonly Pick<Invitation, "roles">[] | undefined;
}

/** Who has access to an object; `undefined` if not requested or not readable. */
export interface Access {
  readonly people?: readonly AccessPerson[] | undefined;
  readonly teams?: readonly AccessTeam[] | undefined;
  readonly keys?: readonly AccessKey[] | undefined;
}

/** A file that exists, of any origin. */
export interface ExistingFile<File extends DeclaredFile = DeclaredFile> {
  readonly file: File;
  /** In lower case; empty if neither the file nor the setting names it. */
  readonly orgId: string;
  /** The ID of the object, if the file itself gives it. */
  readonly objectId?: string | undefined;
}

export interface NewFile {
  /** Logical name of its resource, or the first part of the logical names. */
  readonly key: string;
  /** Name of the file in the folder of its kind. */
  readonly file: string;
  readonly object: AdoptedObject;
}

/**
 * How a file and an object identify each other without an ID: by organization and name. An organization has one file,
 * whatever it is called.
 */
export function identityOf(kind: FileKindName, orgId: string, name: string): string {
  return kind === "organizations" ? orgId.toLowerCase() : `${orgId.toLowerCase()} ${name}`;
}

export function objectOfProject({ projectId: id, ...facts }: ProjectOutput): AdoptedObject {
  return { id, ...facts };
}
