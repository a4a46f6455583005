/** The differences of a project as `pulumi` prints them. */
import { succeeded } from "../../support";
import { changedPaths, projectsProgram } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

describe("the difference of a set (plugin; the dynamic provider shows the whole property)", () => {
  const readOnly = (...ldapGroups: string[]) => ({ roleName: "GROUP_READ_ONLY", ldapGroups });
  const owner = (...ldapGroups: string[]) => ({ roleName: "GROUP_OWNER", ldapGroups });

  interface Change {
    readonly title: string;
    readonly from: Readonly<Record<string, unknown>>;
    readonly to: Readonly<Record<string, unknown>>;
    readonly paths: Readonly<Record<string, string>>;
    readonly shown: readonly RegExp[];
  }
  const changes: readonly Change[] = [
    {
      title: "an added tag at its new place",
      from: { tags: ["A", "C"] },
      to: { tags: ["A", "B", "C"] },
      paths: { "tags[1]": "add" },
      shown: [/\+ \[1\]: "B"/],
    },
    {
      title: "a removed tag at its old place",
      from: { tags: ["A", "B", "C"] },
      to: { tags: ["A", "C"] },
      paths: { "tags[1]": "delete" },
      shown: [/- \[1\]: "B"/],
    },
    {
      title: "a replaced tag as one change of it",
      from: { tags: ["A", "C"] },
      to: { tags: ["B", "C"] },
      paths: { "tags[0]": "update" },
      shown: [/~ \[0\]: "A" => "B"/],
    },
    {
      title: "an added group within its mapping",
      from: { ldapGroupMappings: [owner("cn=a"), readOnly("cn=c")] },
      to: { ldapGroupMappings: [owner("cn=a", "cn=b"), readOnly("cn=c")] },
      paths: { "ldapGroupMappings[0].ldapGroups[1]": "add" },
      shown: [/\+ \[1\]: "cn=b"/],
    },
    {
      title: "an added role as a whole mapping",
      from: { ldapGroupMappings: [owner("cn=a")] },
      to: { ldapGroupMappings: [owner("cn=a"), readOnly("cn=c")] },
      paths: { "ldapGroupMappings[1]": "add" },
      shown: [/\+ \[1\]: \{/, /\+ roleName\s*: "GROUP_READ_ONLY"/],
    },
    {
      title: "a property that is no longer declared as deleted",
      from: { tags: ["A"] },
      to: {},
      paths: { tags: "delete" },
      shown: [/- tags\s*: \[/],
    },
  ];

  /** What `preview --diff` prints about one resource. */
  const printedOf = (name: string, output: string) =>
    output
      .split(/\n(?=\s*[~+-] opsmanager:index:Project)/)
      .filter((block) => block.includes(`::${name}]`))
      .join("\n");

  it("is shown entry by entry, in text and in the engine's events", async () => {
    const programOf = (orgId: string, side: "from" | "to") =>
      projectsProgram(
        Object.fromEntries(
          changes.map((change, index) => [
            `case-${index}`,
            { properties: { orgId, name: `case-${index}`, ...change[side] } },
          ]),
        ),
      );
    const { sandbox, stack } = await setUpStack({
      sandbox: { ldap: true },
      program: ({ orgId }) => programOf(orgId, "from"),
    });
    await succeeded(stack.up());

    await stack.setProgram(programOf(sandbox.orgId, "to"));
    const preview = await succeeded(stack.preview({ diff: true }));
    expect(preview.changes).toEqual({ update: changes.length });
    const found = changes.map(({ title, shown }, index) => {
      const printed = printedOf(`case-${index}`, preview.output);
      const missing = shown.filter((line) => !line.test(printed));
      return { title, paths: changedPaths(preview, `case-${index}`), missing };
    });
    expect(found).toEqual(changes.map(({ title, paths }) => ({ title, paths, missing: [] })));
  });
});
