/** Flags of the `pulumi` command in camel case: `{ expectNoChanges: true, target: [urn] }`. */
export type Flags = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export function toArguments(flags: Flags): string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === undefined) return [];
    if (value === true) return [flag];
    return [value].flat().map((item) => `${flag}=${item}`);
  });
}
