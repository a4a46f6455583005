/** What the engine of keys asks of a kind. The service shows such a key once, in the response to its creation. */

import type { z } from "zod";
import type { Difference } from "../contract/difference";
import type { ListContext } from "../contract/listing";
import type { removeByDefault } from "../contract/on-destroy";
import type { Context, Resource, UpdateRequest } from "../contract/resource";
import type { Session } from "../contract/session";
import type { Properties } from "../contract/values";
import type { Refusal } from "../evidence/refusal";
import type { Subject } from "../session/claims";
import type { Purpose } from "../session/shared-reads";

/** A key as lists describe it. */
export interface ListedKey {
  readonly keyId: string;
  readonly description?: string | undefined;
}

/** What is recorded of every key, beside the ID of its place. */
export interface RecordedKey {
  readonly projectId?: string | undefined;
  readonly orgId?: string | undefined;
  readonly keyId: string;
  readonly description: string;
  readonly origin: "created" | "imported";
}

export interface KeyCreation<Listed extends ListedKey = ListedKey> {
  readonly noun: string;
  /** What has the keys: `project 5f…a1`. */
  readonly place: string;
  readonly description: string;
  /** The keys before the creation. */
  readonly before: readonly Listed[];
  list(signal: AbortSignal): Promise<readonly Listed[]>;
  /** How to delete a key, as a sentence. */
  readonly deletion: string;
}

/** A created key, before it is recorded. */
export interface NewKey {
  readonly keyId: string;
  /** Absent if the response lacks it. */
  readonly secret?: string | undefined;
  /**
   * Completes the key by what only reads show. It is recorded, also if they fail.
   *
   * @param reasons what is to be reported already
   */
  complete(reasons: readonly string[]): Promise<KeyToRecord>;
}

/** What to record of a key that was written, and what is to be reported nevertheless. */
export interface KeyToRecord {
  readonly state: Properties;
  readonly reasons: readonly string[];
}

/** What a kind declares: parts of its `Resource`, and what the engine has to know of its place and its secret. */
export interface KeyDeclaration<Name extends "AgentApiKey" | "ApiKey" = "AgentApiKey" | "ApiKey">
  extends Pick<
    Resource<Name>,
    "name" | "description" | "inputs" | "outputs" | "check" | "declares" | "deletes" | "duties" | "subject"
  > {
  /** `agent API key` */
  readonly noun: string;
  readonly place: {
    readonly noun: "project" | "organization";
    /** The input that has its ID, and that input of a listing. */
    readonly property: "projectId" | "orgId";
    readonly query: z.ZodType;
    /** What the warning about unreadable keys of the place is about. */
    readonly unread: "agent keys" | "organization keys";
  };
  readonly secret: {
    /** The output that has it. */
    readonly property: string;
    /** `private key` */
    readonly noun: string;
    /** What the service shows only once, and when. */
    readonly shown: string;
  };
  /** What another key means for the programs that use this one, as sentences. */
  readonly whenReplaced: string;
  readonly onDestroy: ReturnType<typeof removeByDefault>;
  /** What a state of an earlier version may lack, beside what every key has. */
  readonly defaults: Properties;
  /** The inputs that follow the service: a read records their live values, and an import declares them. */
  readonly followed: readonly string[];
}

export interface KeyPort<Recorded extends RecordedKey = RecordedKey, Listed extends ListedKey = ListedKey> {
  /** The path of the keys below the API's root: `groups/5f…a1/agentapikeys`. */
  pathOf(placeId: string): string;
  /** All keys of the place: for a write, by a read of its own. */
  list(placeId: string, purpose: Purpose, context: ListContext): Promise<readonly Listed[]>;
  /** Sends the creation, whose response may be lost. */
  create(inputs: Properties, creation: KeyCreation<Listed>, context: Context): Promise<NewKey>;
  /**
   * The key in the service; `undefined` if the service responds that there is none, or that its place no longer exists.
   *
   * @param recorded absent on import
   */
  find(
    placeId: string,
    keyId: string,
    context: Context,
    recorded?: Recorded,
  ): Promise<Listed | Refusal | undefined>;
  /**
   * What to record of a key that was read.
   *
   * @param inputs in the state; `undefined` on import
   */
  live(
    recorded: Recorded,
    found: Listed,
    inputs: Properties | undefined,
    context: Context,
  ): Promise<Recorded>;
  /** The differences of inputs that only this kind has, in the order of its schema. */
  differences(recorded: Recorded, inputs: Properties, oldInputs: Properties): readonly Difference[];
  /** The difference that replaces a key which no program can use. */
  unusable(recorded: Recorded, session: Session): Difference[];
  /** Refuses the replacement of a key that must stay. */
  refuseReplacement(recorded: Recorded, context: Pick<Context, "session">): void;
  /** Claims the key that the resource keeps. */
  keep(id: string, recorded: Recorded, context: Pick<Context, "session" | "urn">): void;
  /** The key as claims know it. @param id of the resource */
  subjectOf(id: string, recorded: Recorded): Subject;
  /** Changes what the service can change of the key. */
  update(recorded: Recorded, request: UpdateRequest): Promise<Properties>;
  /** Deletes the key; succeeds if it no longer exists. */
  remove(recorded: Recorded, context: Context): Promise<void>;
}

export type KeyKind = KeyDeclaration & KeyPort;
