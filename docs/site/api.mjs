/** Writes the TypeScript API reference of the package's entry points as Markdown pages. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Application, Converter, TSConfigReader } from "typedoc";
import { inRepository } from "../../scripts/lib/repository.mjs";
import { manifest } from "./contents.mjs";

/**
 * The entry points of `exports` in package.json that have types, and their sources.
 *
 * @param {string} folder for the sources that are written here
 */
function entryPoints(folder) {
  const { exports } = JSON.parse(readFileSync(inRepository("package.json"), "utf8"));
  const { name } = manifest();
  return Object.entries(exports).flatMap(([path, { types }]) => {
    if (types === undefined) return [];
    const source = inRepository(types.replace(/^\.\/dist\//, "").replace(/\.d\.ts$/, ".ts"));
    return [{ name: join(name, path), source: path === "." ? withoutLazyLoading(source, folder) : source }];
  });
}

/**
 * The generated SDK loads its modules when they are used, so its index declares each class as a type and as a variable. This source
 * exports the same modules directly. The variables of `config` are those of the page Settings.
 *
 * @param {string} index
 * @param {string} folder
 */
function withoutLazyLoading(index, folder) {
  const modules = readFileSync(index, "utf8").matchAll(/lazyLoad\(.*require\("\.\/(\w+)"\)/g);
  const sdk = "../../../sdk/nodejs";
  const lines = [...modules].map(([, name]) => `export * from "${sdk}/${name}.js";`);
  if (lines.length === 0) throw new Error(`${index} has no modules`);
  mkdirSync(folder, { recursive: true });
  const source = join(folder, "sdk.ts");
  const others = [
    `export * from "${sdk}/types/enums/index.js";`,
    `export * as types from "${sdk}/types/index.js";`,
  ];
  const comment = "/** The resources and functions of the provider plugin. @packageDocumentation */";
  writeFileSync(source, [comment, ...lines, ...others, ""].join("\n"));
  return source;
}

/**
 * @param {string} folder
 */
export async function writeApiReference(folder) {
  const points = entryPoints(join(folder, ".."));
  const app = await Application.bootstrapWithPlugins(
    {
      entryPoints: points.map(({ source }) => source),
      tsconfig: inRepository("docs", "site", "tsconfig.json"),
      plugin: ["typedoc-plugin-markdown"],
      name: "API reference",
      router: "module",
      readme: "none",
      entryPointStrategy: "resolve",
      sortEntryPoints: false,
      sort: ["alphabetical"],
      groupOrder: ["Classes", "Functions", "Enumerations", "Interfaces", "Type Aliases", "Variables", "*"],
      excludeExternals: true,
      excludePrivate: true,
      excludeProtected: true,
      excludeInternal: true,
      disableSources: true,
      skipErrorChecking: true, // `npm run check` has compiled the same sources.
      logLevel: "Warn",
      treatWarningsAsErrors: false,
      // Names may differ by case alone, as owningRight and OwningRight do, so the anchors of headings are not those of its links.
      ...{ useHTMLAnchors: true, anchorPrefix: "api-" },
      ...{ hidePageHeader: true, hideBreadcrumbs: true, entryFileName: "index" },
      ...{ parametersFormat: "table", interfacePropertiesFormat: "table", classPropertiesFormat: "table" },
      ...{ typeAliasPropertiesFormat: "table", enumMembersFormat: "table", typeDeclarationFormat: "table" },
      tableColumnSettings: {
        hideModifiers: true,
        hideOverrides: true,
        hideInherited: true,
        hideSources: true,
      },
      outputs: [{ name: "markdown", path: folder }],
    },
    [new TSConfigReader()],
  );
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const [index, module] of (project.children ?? []).entries())
      module.name = points[index]?.name ?? module.name;
    for (const reflection of Object.values(project.reflections)) {
      const text = reflection.comment?.summary;
      // The page of the resource has the examples.
      const examples =
        text?.findIndex((part) => part.kind === "text" && part.text.includes("## Example Usage")) ?? -1;
      if (text && examples >= 0) {
        const last = text[examples];
        text.length = examples;
        if (last) text.push({ ...last, text: last.text.split("## Example Usage")[0] ?? "" });
      }
    }
  });
  const project = await app.convert();
  if (!project) throw new Error("TypeDoc cannot read the sources");
  await app.generateOutputs(project);
  if (app.logger.hasErrors()) throw new Error("TypeDoc reported errors");
}
