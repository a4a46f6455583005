/** Asks all commands who has what where, and holds them against each other and against the service. */

import type { Sandbox } from "../../../../sandbox";
import type { Holds } from "../command";
import type { Commands } from "../commands";
import type { ServiceView } from "../service-view";
import { checkNamed, checkReview } from "./access-agrees";
import { checkAdopted } from "./adopt-agrees";
import { checkDeclared, checkDrifts } from "./drift-agrees";
import { checkOffboarded } from "./offboard";
import { askAccess, askAdopt, askDrift } from "./reports";
import type { Way } from "./ways";

export interface AgreementFacts {
  readonly service: ServiceView;
  /** Present and former names of people. */
  readonly names: readonly string[];
  /** An account has another name than at first. */
  readonly isRenamed: boolean;
  /** The state is what the program declares. */
  readonly isApplied: boolean;
  readonly pick: number;
  copyService(): Promise<Sandbox>;
  /** Whether a list of the program leaves the person in the project alone. */
  isAccepted(projectId: string, name: string): boolean;
  /** Whether the program declares the person in the project, and a refresh has taken that from the state. */
  isForgotten(projectId: string, name: string): boolean;
}

export async function checkAgreement(commands: Commands, facts: AgreementFacts, holds: Holds): Promise<void> {
  const { service, names, isRenamed } = facts;
  const review = await askAccess(commands);
  // `access` reads the state alone, and `drift` compares with the program.
  const isBeside = ({ place, holder }: Pick<Way, "place" | "holder">) => {
    const person = [place.replace("project ", ""), holder.replace("person ", "")] as const;
    return facts.isAccepted(...person) || facts.isForgotten(...person);
  };
  checkReview(review, service, holds);
  for (const name of names) checkNamed({ name, isRenamed }, await askAccess(commands, name), review, holds);
  // `access` searches every organization that the key can see, so `drift` is told to search them too.
  const orgIds = [...new Set([service.orgId, ...[...service.projects.values()].map(({ orgId }) => orgId)])];
  const [plain, whole] = [await askDrift(commands, false), await askDrift(commands, true, orgIds)];
  checkDrifts(plain, whole, isRenamed, holds);
  if (facts.isApplied) checkDeclared(whole, review, isBeside, holds);
  checkAdopted(await askAdopt(commands, namesIn(service)), service, holds);
  const [name] = names;
  if (name === undefined) return;
  const { pick, copyService } = facts;
  await checkOffboarded({ name, pick, folder: commands.apart, copyService }, holds);
}

function namesIn({ orgId, projects, teams, apiKeys }: ServiceView): Parameters<typeof askAdopt>[1] {
  const places = { project: [...projects.values()], team: [...teams.values()] };
  const named = (kind: keyof typeof places, name: string) =>
    places[kind].find((place) => place.name === name && place.orgId === orgId)?.id;
  return {
    orgId,
    idOf: (kind, name) => named(kind, name) ?? name,
    publicKeyOf: (id) => apiKeys.get(id)?.publicKey ?? id,
  };
}
