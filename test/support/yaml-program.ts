import { functionToken, type Program, packageName, resourceToken } from "./program";
import { repositoryRoot } from "./repository";

/** Renders a program for the provider plugin. The text is JSON, which is YAML too. */
export function yamlProgram(project: string, program: Program): string {
  const { resources = {}, lookups = {}, outputs = {}, pluginFolder = repositoryRoot } = program;
  return JSON.stringify(
    {
      name: project,
      runtime: "yaml",
      ...(pluginFolder !== null && { plugins: { providers: [{ name: packageName, path: pluginFolder }] } }),
      variables: mapValues(lookups, (lookup) => ({
        "fn::invoke": { ...lookup, function: functionToken(lookup.function) },
      })),
      resources: mapValues(resources, (resource) => ({ ...resource, type: resourceToken(resource.type) })),
      outputs,
    },
    null,
    2,
  );
}

function mapValues<T, R>(record: Readonly<Record<string, T>>, map: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
