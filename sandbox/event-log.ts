import type { Clock } from "./clock";
import { newId } from "./ids";
import type { Switches } from "./switches";

/** What an event is about: its name and the objects that it names. */
export interface EventFacts {
  readonly eventTypeName: string;
  readonly groupId?: string | undefined;
  readonly orgId?: string | undefined;
  readonly teamId?: string | undefined;
  readonly targetUsername?: string | undefined;
  readonly targetPublicKey?: string | undefined;
  readonly accessListEntry?: string | undefined;
}

/** Who makes a change, and from which address. Without a name it is the service itself. */
export interface Actor {
  readonly userId?: string;
  readonly username?: string;
  readonly apiKeyId?: string;
  readonly publicKey?: string;
  readonly isGlobalAdmin?: boolean;
  readonly remoteAddress?: string | undefined;
}

/** A recorded event. */
export interface RecordedEvent extends EventFacts, Actor {
  readonly id: string;
  /** ISO 8601, whole seconds. */
  readonly created: string;
  /** Milliseconds since 1970 of the sandbox's clock. */
  readonly createdMs: number;
}

/** Most events that are kept. */
const MOST_EVENTS = 20_000;

/** Names that the list of Atlas has and no document of Ops Manager. */
const undocumentedName =
  /^(GROUP_NAME_CHANGED|GROUP_TAGS_MODIFIED|API_KEY_|AGENT_API_KEY_|SERVICE_ACCOUNT_|\w+_INVITATION_DELETED)/;

/** Names of Atlas for documented events. */
const atlasNames: Readonly<Record<string, string>> = {
  ORG_API_KEY_ADDED: "API_KEY_CREATED",
  ORG_API_KEY_DELETED: "API_KEY_DELETED",
};

/** The newest events of all organizations, in memory only: a restart of the sandbox forgets them. */
export class EventLog {
  private readonly events = new Map<string, RecordedEvent>();
  private actor: Actor = {};

  /** @param switches returns the switches of the moment */
  constructor(
    private readonly clock: Clock,
    private readonly switches: () => Switches,
  ) {}

  /** Later changes are those of this actor, except during a call of the API. */
  actAs(actor: Actor): void {
    this.actor = actor;
  }

  /** Makes changes as another actor. `change` must be synchronous. */
  during<T>(actor: Actor, change: () => T): T {
    const before = this.actor;
    this.actor = actor;
    try {
      return change();
    } finally {
      this.actor = before;
    }
  }

  get(id: string): RecordedEvent | undefined {
    return this.events.get(id);
  }

  /** All events, the oldest first. */
  all(): RecordedEvent[] {
    return [...this.events.values()];
  }

  record(facts: EventFacts): void {
    const { undocumentedEvents } = this.switches();
    if (!undocumentedEvents && undocumentedName.test(facts.eventTypeName)) return;
    const name = undocumentedEvents ? atlasNames[facts.eventTypeName] : undefined;
    const id = newId();
    this.events.set(id, {
      ...this.actor,
      ...facts,
      eventTypeName: name ?? facts.eventTypeName,
      id,
      created: this.clock.iso(),
      createdMs: this.clock.now(),
    });
    if (this.events.size <= MOST_EVENTS) return;
    const [oldest = ""] = this.events.keys();
    this.events.delete(oldest);
  }
}
