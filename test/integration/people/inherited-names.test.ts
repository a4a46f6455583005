/** People, roles and properties with names that every object of JavaScript inherits are as any others. */
import { membershipsIn } from "../../engine/support/people-program";
import { bothProviders, errorsOf, messagesOf } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { admins, allMembers, peopleWith, person, projectId, readers, setUpPayments } from "./payments";

afterEach(tearDownStacks);

const names = ["constructor", "hasOwnProperty", "toString", "__proto__"];
/** The model of the engine cannot hold the last one in a map: \`test/engine/people/check\`. */
const listable = names.slice(0, -1);
const peopleNamed = (list: readonly string[], roles: readonly string[]) =>
  Object.fromEntries(list.map((name) => [name, roles]));

describe.each(bothProviders)("accounts with the names of inherited properties (%s)", (provider) => {
  it("stay while they are not declared, and are declared, changed and removed as any others", async () => {
    const members = peopleNamed(names, readers);
    const { sandbox, upWith, previewWith } = await setUpPayments({ provider, members });
    const undeclared = await succeeded(upWith({ people: allMembers({}) }));
    expect(membershipsIn(sandbox)).toEqual(peopleWith(members));
    for (const name of names) expect(messagesOf(undeclared)).toContain(name);

    const people = allMembers(peopleNamed(listable, admins));
    await succeeded(upWith({ people }));
    const changed = { ...members, ...peopleNamed(listable, admins) };
    expect(membershipsIn(sandbox)).toEqual(peopleWith(changed));
    expect((await succeeded(upWith({ people }))).changes).toEqual({ same: 1 });

    expect((await succeeded(previewWith({ people: allMembers({}) }))).changes).toEqual({ update: 1 });
    await succeeded(upWith({ people: allMembers({}) }));
    expect(membershipsIn(sandbox)).toEqual(peopleWith(peopleNamed(["__proto__"], readers)));
  });
});

it.each(listable)(
  "a property %s, a role of that name and a value of the wrong type are refused, each in a sentence",
  async (name) => {
    const { sandbox, previewWith } = await setUpPayments();
    const errors = await errorsOf(
      previewWith({
        people: allMembers({ [name]: 5 } as never, { [name]: 5 }),
        ada: person({ username: "ada", roles: [name] }),
        project: { type: "Project", properties: { projectId, [name]: [name], tags: [name, name] } },
      }),
    );
    expect(errors).toContain(`members.${name} must be a list.`);
    expect(errors.split(`${name} is not a property.`)).toHaveLength(3);
    expect(errors).toContain(`roles contains "${name}", which is not a role of a project.`);
    expect(errors).toContain(`tags contains "${name}" more than once.`);
    expect(errors).not.toMatch(/TypeError|fault of the provider/);
    expect(sandbox.requests).toEqual([]);
  },
);
