/**
 * Faults of commit a66d0ce0. A search that does not find them in that version proves nothing about others:
 * `npm run worlds -- --provider a66d0ce0`.
 */
import type { Counterexample } from "./play";

export interface KnownFault {
  readonly name: string;
  isShownBy(found: Counterexample): boolean;
}

/** @param detail of the counterexample; default: any */
const fault = (name: string, invariant: string, detail = /(?:)/): KnownFault => ({
  name,
  isShownBy: (found) => found.invariant === invariant && detail.test(found.detail),
});

const deletion = "a deletion takes nothing away that the program declares below";

export const knownFaults: readonly KnownFault[] = [
  fault(
    "a person leaves the organization, and with it projects and teams that declare them",
    deletion,
    /^the person/,
  ),
  fault("an API key is deleted that a ProjectApiKey still declares", deletion, /^the API key/),
  fault("a Project is deleted while resources declare people and keys in it", deletion, /^the project/),
  fault(
    "the removal budget does not know what a deletion takes away",
    "a run removes no more than maxRemovalsPerRun allows",
  ),
  fault(
    "someone who owns a project by another door than the list of its people is no drift",
    "an undeclared owner of a project is a difference",
  ),
  fault(
    "an owner of the organization is drift in a new project",
    "an owner of the organization is no difference in its projects",
  ),
  fault("a mask of a private key is taken for another key", "a key that works is not replaced"),
  fault("an access list that was never read counts as empty", "the access list of a key is the declared one"),
  fault(
    "a mapping that others added keeps people from being removed",
    "nothing fails without a reason",
    /LDAP group mappings/,
  ),
  fault(
    "the preview refuses a name that another Project gives up in the same run",
    "an update does not do what its preview refuses",
    /already has a project named/,
  ),
  fault("a name with a hidden character is sent", "no name with a hidden character is sent"),
  fault("a summary does not name who loses access", "who loses access is named in the summary"),
  fault("a summary does not name who gets access", "who gets access is named in the summary"),
  fault("a summary names someone who keeps access", "who keeps access is not said to lose it"),
];
