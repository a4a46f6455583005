/**
 * A world: a provider, the behavior of the sandbox, and the steps that happen one after the other. Data only, so that a world
 * can be generated, shortened, printed and kept as a regression test.
 *
 * A step that is not possible at its turn has no effect. Examples are a change of a resource that
 * the program does not have, and the removal of a person who is not in the project.
 */
import type { Switches } from "../../../sandbox";
import type { ResourceType } from "../engine-model";
import type { DeclareStep } from "./kinds";
import type { Misspelling, Person, Slot, TeamName, TeamResource, WorldFault } from "./names";
import type { OutsideStep } from "./outside";

/** Changes the program; `pick` chooses one of its resources. */
export type ProgramStep =
  | DeclareStep
  /** Two resources of one kind exchange their inputs. */
  | { readonly exchange: number; readonly with: number }
  /** A kind stands for its newest resource. `alone`: what refers to it stays, with its IDs as text. */
  | { readonly remove: number | ResourceType; readonly alone?: boolean }
  /** Removes all resources. */
  | { readonly remove: "all" }
  | { readonly rename: number; readonly alias: boolean }
  /** Until the end of the next command, a name in the resource is not the one that was meant. */
  | { readonly misspell: number; readonly as: Misspelling }
  /** Moves the people of a project from ProjectMember to ProjectMembers, or the other way. */
  | { readonly convert: Slot };

/** `pulumi import` of an object that exists, and its declaration in the program as the command prints it. */
export type ImportStep =
  | { readonly import: "AgentApiKey"; readonly slot: Slot; readonly pick: number }
  | { readonly import: "Team"; readonly resource: TeamResource; readonly team: TeamName }
  | { readonly import: "ProjectTeam"; readonly slot: Slot; readonly team: TeamName }
  | { readonly import: "Project"; readonly slot: Slot }
  | { readonly import: "ProjectMembers"; readonly slot: Slot }
  | { readonly import: "ProjectMember"; readonly slot: Slot; readonly person: Person };

/** A pulumi command. */
export type CommandStep =
  | {
      readonly run: "up";
      readonly fault?: WorldFault;
      /** The user interrupts when this many requests are answered. */
      readonly interruptAfter?: number;
      /** The user first runs a preview. */
      readonly previewed?: boolean;
      /** After a fault or an interruption, the user changes something before the next run. */
      readonly unrepeated?: boolean;
    }
  | { readonly run: "preview" }
  /** `opsmanager drift --unmanaged`; nothing if the program is not applied. */
  | { readonly run: "drift" }
  /** Commands that change nothing are asked who has what where, by name about one person. */
  | { readonly run: "ask"; readonly pick?: number }
  | { readonly run: "refresh"; readonly fault?: WorldFault };

/** Days pass by the clocks of this machine and of the service, or by one of them. With real commands, time cannot be moved. */
export interface ClockStep {
  readonly clock: "both" | "machine" | "service";
  readonly days: number;
}

export type Step = ProgramStep | OutsideStep | ImportStep | CommandStep | ClockStep;

/** Settings of the provider that change what an operation does. */
export interface Settings {
  readonly refreshBeforeUpdate?: boolean;
  readonly readCacheSeconds?: number;
  readonly maxRemovalsPerRun?: number;
}

export interface World {
  readonly provider: "plugin" | "dynamic";
  /** The API key owns the organizations and has no global role. Default: it has both. */
  readonly keyRoles?: "organization" | undefined;
  readonly switches: Partial<Switches>;
  readonly settings?: Settings;
  readonly steps: readonly Step[];
}
