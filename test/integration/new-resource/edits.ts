/**
 * The edits of the first steps of "A new resource" and of "A new property" in CONTRIBUTING.md, one for each step. The resource is a note
 * on a project, at an address that only this copy of the sandbox has. The property is the region of a project.
 */

export interface Edit {
  /** From the root of the repository. */
  readonly path: string;
  /** The new text of the file. @param text the present one, empty if there is no such file */
  apply(text: string): string;
}

/** The text with an addition before or after its only occurrence of a line. */
function addition(
  text: string,
  { before, after, add }: { before?: string; after?: string; add: string },
): string {
  const anchor = before ?? after ?? "";
  if (text.split(anchor).length !== 2) throw new Error(`Not exactly one place has: ${anchor}`);
  return text.replace(anchor, () => (before === undefined ? anchor + add : add + anchor));
}

const created = (content: string) => () => content;

/** "A new resource" */
export const resourceEdits: readonly Edit[] = [
  {
    path: "provider/resources/kinds.ts",
    apply: (text) => addition(text, { after: "resourceKinds = [", add: '"ProjectNote", ' }),
  },
  {
    path: "provider/resources/project-note/index.ts",
    apply: created(`/** A note on a project. */
import { z } from "zod";
import { getNote, putNote } from "../../api/notes";
import { checkedAs, type KnownOf, type StateOf, toProperties } from "../contract/border";
import { shapeFailures } from "../contract/check";
import { nameText, objectId } from "../contract/fields";
import { defineListing } from "../contract/listing";
import type { Resource } from "../contract/resource";
import { UNKNOWN } from "../contract/values";

const inputs = z.strictObject({
  projectId: objectId("the id of a project").meta({ description: "Id of the project." }),
  text: nameText().meta({ description: "Text of the note." }),
});

const outputs = z.object({
  length: z.int().meta({ description: "Number of characters." }),
  origin: z.enum(["created"]).meta({ description: "How the note came into this stack." }),
});

const listing = defineListing(inputs.pick({ projectId: true }), async ({ projectId }, { session, signal }) => {
  const { text } = await getNote(session.client, projectId, signal);
  return text === "" ? [] : [{ id: projectId, name: text }];
});

const asInputs = checkedAs<KnownOf<typeof inputs>>;

function stateOf(projectId: string, text: string): StateOf<typeof inputs, typeof outputs> {
  return { projectId, text, length: text.length, origin: "created" };
}

export const projectNote: Resource<"ProjectNote"> = {
  name: "ProjectNote",
  description: "A note on a project.",
  inputs,
  listing,
  outputs,
  check: (request) => ({ inputs: request.inputs, failures: shapeFailures(inputs, request.inputs) }),
  diff: (request) => (request.inputs.text === request.state.text ? [] : [{ path: ["text"], kind: "update" }]),
  declares: () => [],
  deletes: () => undefined,
  async create({ inputs: properties, preview, context }) {
    if (preview) return { id: "", state: { ...properties, length: UNKNOWN, origin: "created" } };
    const { projectId, text } = asInputs(properties);
    await putNote(context.session.client, projectId, text, context.signal);
    return { id: projectId, state: toProperties(stateOf(projectId, text)) };
  },
  async read({ id, context }) {
    const { text } = await getNote(context.session.client, id, context.signal);
    if (text === "") return undefined;
    return { id, state: toProperties(stateOf(id, text)), inputs: { projectId: id, text } };
  },
  async update({ id, inputs: properties, context }) {
    const { text } = asInputs(properties);
    await putNote(context.session.client, id, text, context.signal);
    return toProperties(stateOf(id, text));
  },
  async delete({ id, context }) {
    await putNote(context.session.client, id, "", context.signal);
  },
  duties: {
    whenRemoved: "Nothing is removed.",
    counted: "nothing",
    whenDeletedFirst: "Nothing happens.",
    withFourOperations: "Cannot be created.",
    identifiedBy: ["projectId"],
  },
  subject: ({ projectId }) => String(projectId),
  restoredBy: () => "update",
};
`),
  },
  {
    path: "provider/resources/index.ts",
    apply: (text) =>
      addition(text, {
        after: "const byKind: { readonly [Kind in ResourceKind]: () => Resource<Kind> } = {\n",
        add: '  ProjectNote: () => (require("./project-note") as typeof import("./project-note")).projectNote,\n',
      }),
  },
  {
    path: "provider/api/notes.ts",
    apply: created(`/** The note on a project. */
import { z } from "zod";
import type { ApiClient } from "./client";

const noteResponse = z.object({ text: z.string() });

export function getNote(client: ApiClient, projectId: string, signal?: AbortSignal) {
  return client.call({
    action: \`Reading the note on project \${projectId}\`,
    method: "GET",
    path: ["groups", projectId, "note"],
    shape: noteResponse,
    signal,
  });
}

export function putNote(client: ApiClient, projectId: string, text: string, signal?: AbortSignal) {
  return client.call({
    action: \`Writing the note on project \${projectId}\`,
    method: "PATCH",
    path: ["groups", projectId, "note"],
    body: { text },
    shape: noteResponse,
    signal,
  });
}
`),
  },
  {
    path: "cli/lib/own-resources.ts",
    apply: (text) =>
      addition(text, {
        after: "const entries: Readonly<Record<ResourceKind, KindEntry>> = {\n",
        add: `  ProjectNote: {
    namesOfPeople: {},
    subjects: ["project"],
    inFile: undefined,
  },
`,
      }),
  },
  {
    path: "sandbox/routes/projects.ts",
    apply: (text) =>
      addition(
        addition(text, {
          before: "export const projectRoutes",
          add: `const notes = new Map<string, string>();

function readNote(call: Call): Reply {
  return { status: 200, body: { text: notes.get(requestedProject(call).id) ?? "" } };
}

function writeNote(call: Call): Reply {
  const { id } = requestedProject(call);
  const body = readBody(call.body, [], (fields) => ({ text: fields.required("text", fields.text("text")) }));
  notes.set(id, body.text);
  return { status: 200, body };
}

`,
        }),
        {
          after: '  { method: "DELETE", pattern: "/groups/{groupId}", handle: deleteProject },\n',
          add: `  { method: "GET", pattern: "/groups/{groupId}/note", handle: readNote },
  { method: "PATCH", pattern: "/groups/{groupId}/note", handle: writeNote },
`,
        },
      ),
  },
  {
    path: "provider/schema-examples/ProjectNote-1.yaml",
    apply: created(`# A note on a project
resources:
  note:
    type: opsmanager:ProjectNote
    properties:
      projectId: 5f0000000000000000000001
      text: Belongs to the payments team.
`),
  },
];

/** "A new property" */
export const propertyEdits: readonly Edit[] = [
  {
    path: "provider/api/projects.ts",
    apply: (text) =>
      addition(
        addition(text, {
          after: "export interface ChangeableFields extends GroupMappings {\n  readonly name: string;\n",
          add: "  readonly region: string;\n",
        }),
        { after: "  orgId: z.string(),\n", add: "  region: z.string().nullish(),\n" },
      ),
  },
  {
    path: "provider/resources/project/inputs.ts",
    apply: (text) =>
      addition(text, {
        before: "  onDestroy: onDestroySetting.input,\n});",
        add: '  region: nameText().optional().meta({ description: "Region of the project." }),\n',
      }),
  },
  {
    path: "provider/resources/project/managed.ts",
    apply: (text) =>
      addition(text, {
        before: "  ...managedMappings,\n",
        add: `  region: {
    empty: "",
    absentIsEmpty: true,
    listMayLackIt: true,
    shown: ({ region }) => region ?? undefined,
    same: (one, other) => one === other,
    differences: (recorded, declared) =>
      declared === recorded ? [] : [{ path: ["region"], kind: "update" }],
    isHidden: (_, shown) => shown === undefined,
    overwrites: (sent, live) => [\`region "\${live}" becomes "\${sent}"\`],
  },
`,
      }),
  },
  {
    path: "sandbox/model.ts",
    apply: (text) =>
      addition(text, {
        after: "export interface Project {\n  readonly id: string;\n",
        add: "  readonly region?: string | undefined;\n",
      }),
  },
  {
    path: "sandbox/views.ts",
    apply: (text) =>
      addition(text, {
        after: "    publicApiEnabled: project.publicApiEnabled,\n",
        add: "    ...(project.region === undefined ? {} : { region: project.region }),\n",
      }),
  },
  {
    path: "sandbox/routes/projects.ts",
    apply: (text) =>
      [
        {
          after: "interface ProjectPatch {\n  readonly name?: string | undefined;\n",
          add: "  readonly region?: string | undefined;\n",
        },
        {
          after: '    return {\n      name: fields.text("name"),\n',
          add: '      region: fields.text("region"),\n',
        },
        { after: "    name: name ?? project.name,\n", add: "    region: patch.region ?? project.region,\n" },
      ].reduce(addition, text),
  },
];
