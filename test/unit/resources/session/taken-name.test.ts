import type { Context } from "../../../../provider/resources/contract/resource";
import { type Observation, ObservationLog } from "../../../../provider/resources/session/observations";
import { heldByOther, nameIsTaken } from "../../../../provider/resources/session/taken-name";
import { newSession, urnOf } from "../checker";

const orgId = "5f00000000000000000000b1";
const id = "5f00000000000000000000a1";
const other = "5f00000000000000000000a2";

interface Circumstances {
  readonly kind?: "Project" | "Team";
  readonly urn?: string;
  readonly ids?: readonly string[];
  /** The URN of a resource that holds the object of the first ID. */
  readonly holder?: string;
  readonly refreshBeforeUpdate?: boolean;
}

function contextOf({ kind = "Project", urn = urnOf(kind, "new"), ...more }: Circumstances): Context {
  const session = newSession({ refreshBeforeUpdate: more.refreshBeforeUpdate ?? true });
  if (more.holder !== undefined) {
    const heldId = kind === "Team" ? `${orgId}/${id}` : id;
    const held = { kind, id: heldId, origin: "created", names: [], recorded: [] } as Observation;
    session.of(ObservationLog).record(more.holder, held);
  }
  return { session, urn } as Context;
}

function refusal({ kind = "Project", ids = [id], ...more }: Circumstances): string {
  return nameIsTaken({ kind, orgId, name: "ledger", ids }, contextOf({ kind, ...more })).message;
}

describe("a name that an object has already is refused", () => {
  test("with the ways to give it up, to rename the resource and to adopt the project", () => {
    expect(refusal({})).toBe(
      [
        `Organization ${orgId} already has a project named "ledger": ${id}. Nothing was written.`,
        "If this resource was renamed in the program, give it an alias: aliases: [{ name: <old name> }]; in a project file, write key: <old name>.",
        "If another resource of the program gives up the name, make this resource depend on it, or run pulumi up without this resource first.",
        `To adopt an existing project, set projectId: "${id}", or import it: pulumi import opsmanager:index:Project new ${id}`,
      ]
        .join(" ")
        .concat("."),
    );
  });

  test("with the ids of all that have it, of which the program chooses one", () => {
    const text = refusal({ ids: [id, other] });
    expect(text).toContain(`already has 2 projects named "ledger": ${id}, ${other}.`);
    expect(text).toContain("set projectId: <one of these>");
    expect(text).toContain("opsmanager:index:Project new <id>.");
  });

  test("with the id of a team that an import takes", () => {
    const text = refusal({ kind: "Team" });
    expect(text).toContain(`already has a team named "ledger": ${id}.`);
    expect(text).toContain(`set teamId: "${id}", or import it: pulumi import opsmanager:index:Team new`);
    expect(text).toContain(` new ${orgId}/${id}.`);
    expect(text).not.toContain("project file");
  });

  test("with the flag that a replacement needs, if no read precedes an update", () => {
    const hint = "If this run replaces the resource (--replace), add --refresh.";
    expect(refusal({ refreshBeforeUpdate: false })).toContain(` ${hint} `);
    expect(refusal({})).not.toContain(hint);
    // The host of dynamic providers gives no URN, cannot import, and knows no such flag.
    const dynamic = refusal({ refreshBeforeUpdate: false, urn: "Project ledger" });
    expect(dynamic).not.toContain(hint);
    expect(dynamic).toMatch(new RegExp(`set projectId: "${id}"\\.$`));
  });

  test("with the alias of the resource of the stack that holds the project", () => {
    const holder = urnOf("Project", "old");
    expect(refusal({ holder })).toBe(
      [
        `Organization ${orgId} already has a project named "ledger": ${id}. Nothing was written.`,
        `This stack holds it as ${holder}. If that is this resource under its old name or parent, declare the alias:`,
        `in the program by aliases: ["${holder}"], in a project file by key: old.`,
        "If old gives up the name, make this resource depend on it, or run pulumi up without this resource first.",
        "If both are meant to exist, give this project another name.",
      ].join(" "),
    );
    const moved = refusal({ holder: holder.replace("::opsmanager", "::folder$opsmanager"), urn: holder });
    expect(moved).toContain("for a project file by transforms of its ProjectFolder.");
  });

  test("as if no resource held it, if the stack's own resource holds it or the holder has no URN", () => {
    expect(refusal({ holder: urnOf("Project", "new") })).toBe(refusal({}));
    expect(refusal({ holder: "Project old" })).toBe(refusal({}));
  });
});

describe("a team that the program adopts by its id", () => {
  test("is refused if another resource of the stack holds it", () => {
    const holder = urnOf("Team", "old");
    const refused = heldByOther(orgId, id, contextOf({ kind: "Team", holder }));
    expect(refused?.message).toBe(
      `Team ${id} cannot be adopted, and nothing was written. This stack holds it as ${holder}. If that is this resource under its old name or parent, declare the alias: in the program by aliases: ["${holder}"], in a team file by key: old. Otherwise remove teamId from this resource.`,
    );
  });

  test("is not refused if no resource holds it, or one without a URN", () => {
    expect(heldByOther(orgId, id, contextOf({ kind: "Team" }))).toBeUndefined();
    expect(heldByOther(orgId, id, contextOf({ kind: "Team", holder: "Team old" }))).toBeUndefined();
    const holder = urnOf("Team", "old");
    expect(heldByOther(orgId, other, contextOf({ kind: "Team", holder }))).toBeUndefined();
  });
});
