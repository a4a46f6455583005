/** Writes what a new file has as YAML. Pure. */
import { Document, isMap, isScalar, isSeq, visit } from "yaml";
import { hasHidden, visibleText, visibleYaml } from "../../provider/text/visible-text";
import { type AdoptedKind, type Content, namesIn } from "./contents";
import type { Access, NewFile } from "./objects";

interface FileFacts {
  readonly file: NewFile;
  readonly content: Content;
  readonly access: Access;
  /** Path of the JSON Schema for editors, relative to the file, if there is one. */
  readonly schema: string | undefined;
  /** The file has its organization from defaults or from the setting. */
  readonly inheritsOrganization: boolean;
}

const defaultsHeader = " Written by `opsmanager adopt`. The files of all subfolders inherit these values.";

const keyComment = " Name in Pulumi. Do not change it when you rename the file.";
const additiveComment = " Groups add other people. Only the people below are managed.";

/** In a fixed order, so two runs write the same text. */
export function fileText(
  {
    files: { noun },
    unmanaged,
    isNamed,
  }: Pick<AdoptedKind<never>, "unmanaged" | "isNamed"> & {
    readonly files: { readonly noun: string };
  },
  { file: { key, object }, content, access, schema, inheritsOrganization }: FileFacts,
): string {
  const { name, orgId } = object;
  const whole = { key, ...(isNamed && { name }), ...(!inheritsOrganization && { orgId }), ...content };
  const header = ` Written by \`opsmanager adopt\` from the existing ${noun}. You can edit this file: adopt never replaces it.\n ${unmanaged}`;
  const document = documentOf(whole, header, schema);
  comment(document.get("key", true), keyComment);
  comment(document.get("membership", true), additiveComment);
  for (const property of ["tags", "members", "teams", "externalTeams", "apiKeys", "externalApiKeys"])
    listsInOneLine(document.get(property, true));
  describeKeys(document, content, access);
  quoteHidden(document);
  return visibleYaml(document.toString({ lineWidth: 0, flowCollectionPadding: false }));
}

/** The file of defaults of a folder whose files are of one organization. */
export function defaultsFileText(orgId: string): string {
  return documentOf({ orgId }, defaultsHeader, undefined).toString({ lineWidth: 0 });
}

function documentOf(content: object, header: string, schema: string | undefined): Document {
  // Texts that only YAML 1.1 reads as another type (`NO`, `1:30`) are quoted, because other tools
  // read these files too.
  const document = new Document(content, { compat: "yaml-1.1" });
  const schemaLine = schema === undefined ? "" : ` yaml-language-server: $schema=${schema}\n`;
  document.commentBefore = schemaLine + header;
  return document;
}

/** A public key says nothing about its purpose. */
function describeKeys(document: Document, { externalApiKeys }: Content, { keys = [] }: Access): void {
  const described = new Map(keys.map(({ publicKey, description }) => [publicKey, description]));
  for (const name of namesIn(externalApiKeys)) {
    const description = described.get(name);
    if (description) comment(document.getIn(["externalApiKeys", name], true), ` ${visibleText(description)}`);
  }
}

/** A reviewer of the file must see the name that is loaded, so hidden characters are escaped. */
function quoteHidden(document: Document): void {
  visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value === "string" && hasHidden(scalar.value)) scalar.type = "QUOTE_DOUBLE";
    },
  });
}

function comment(node: unknown, text: string): void {
  if (isScalar(node) || isSeq(node)) node.comment = text;
}

/** Lists of texts: of tags, of roles, of addresses. */
function listsInOneLine(node: unknown): void {
  if (isSeq(node)) node.flow = true;
  if (isMap(node)) for (const { value } of node.items) listsInOneLine(value);
}
