import { hasGlobalRole } from "./access";
import type { Clock } from "./clock";
import { type EventFacts, observeEvents } from "./events";
import { newId } from "./ids";
import type { ApiKey, ServiceAccount } from "./model";
import type { Store } from "./store";
import type { Switches } from "./switches";

/** Who makes a change, and from which address. Without a name it is the service itself. */
export interface Actor {
  readonly userId?: string;
  readonly username?: string;
  readonly apiKeyId?: string;
  readonly publicKey?: string;
  readonly isGlobalAdmin?: boolean;
  readonly remoteAddress?: string | undefined;
}

/** A person who makes direct changes, such as in the web pages. */
export interface DirectActor {
  readonly username: string;
  /** Left out: `192.0.2.1`. */
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
  /^(GROUP_NAME_CHANGED|GROUP_TAGS_MODIFIED|API_KEY_|AGENT_API_KEY_|\w+_INVITATION_DELETED)/;

/** Names of Atlas for documented events. */
const atlasNames: Readonly<Record<string, string>> = {
  ORG_API_KEY_ADDED: "API_KEY_CREATED",
  ORG_API_KEY_DELETED: "API_KEY_DELETED",
};

/** The actor of a call. The documentation describes no fields for service accounts. */
export const callingActor = (key: ApiKey | ServiceAccount, remoteAddress: string): Actor => ({
  ...("publicKey" in key ? { apiKeyId: key.id, publicKey: key.publicKey } : {}),
  isGlobalAdmin: hasGlobalRole(key, "GLOBAL_OWNER"),
  remoteAddress,
});

/** The newest events of all organizations, in memory only: a restart of the sandbox forgets them. */
export class EventLog {
  private readonly events = new Map<string, RecordedEvent>();
  private actor: Actor = {};

  /** Records each change of the store from now on. `switches` returns those of the moment. */
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly switches: () => Switches,
  ) {
    this.actAs({ username: "owner@example.com" });
    observeEvents(store, (facts) => {
      for (const one of facts) this.record(one);
    });
  }

  /** Later direct changes are those of this person. A username without an account gets an ID of its own. */
  actAs({ username, remoteAddress = "192.0.2.1" }: DirectActor): void {
    const userId = this.store.userByName(username)?.id ?? newId();
    this.actor = { userId, username, remoteAddress };
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

  private record(facts: EventFacts): void {
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
