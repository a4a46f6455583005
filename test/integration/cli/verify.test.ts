/** `opsmanager verify` against the sandbox: it finds out the switches that are set, and leaves nothing behind. */
import { unobservable } from "../../../cli/verify/points";
import { type Switches, type SwitchName, switchNames } from "../../../sandbox/switches";
import { sandboxes } from "../sandbox/with-sandbox";
import {
  effective,
  hasLdap,
  holdings,
  organizationOwner,
  randomSwitches,
  seedFor,
  unexpectedWrites,
  valuesOf,
  verifyAt,
} from "./verify-run";

const start = sandboxes();

const hasQop = ({ challenge, opAccepts }: Switches) =>
  challenge === "qop" || (challenge === "op" && opAccepts !== "rfc2069");
const hidesEvents = ({ events }: Switches) => events !== "on";
const hidesAccounts = ({ serviceAccountLists }: Switches) => serviceAccountLists !== "offered";
const hidesTags = ({ tagsWithoutGlobalRole }: Switches) => tagsWithoutGlobalRole !== "allow";
const refusesTags = ({ tagsWithoutGlobalRole }: Switches) => tagsWithoutGlobalRole === "refuse";

/** When the owner of an organization, who names an account without a project, cannot find out the value of a switch. */
const openWhen: { readonly [N in SwitchName]?: (switches: Switches) => boolean } = {
  opAccepts: ({ challenge }) => challenge !== "op",
  authenticationInfo: (all) => !hasQop(all),
  nonceCount: (all) => !hasQop(all) || all.nonceReuse !== "allow",
  versionOnErrors: ({ versionString }) => versionString === "",
  // The owner of an organization may read every project.
  orgProjects: () => true,
  ldapMappingsInPost: (all) => !hasLdap(all),
  requiredLdapRole: (all) => !hasLdap(all),
  ldapMappingRoles: (all) => !hasLdap(all),
  emptyLdapMappings: (all) => !hasLdap(all),
  maxNameLength: ({ renaming }) => renaming === "refuse",
  tagsInPost: (all) => all.tagsInPost !== "refuse" && hidesTags(all),
  tagFilter: hidesTags,
  lowerCaseTags: (all) => refusesTags(all) || (hidesTags(all) && all.lowerCaseTags !== "refuse"),
  tooManyTags: refusesTags,
  orgProjectFields: (all) => hidesTags(all) && !hasLdap(all),
  bypassInvitations: (all) => all.ldapPeople && !all.bypassInvitations,
  inviteMember: (all) => all.ldapPeople && all.inviteMember === "invite",
  deleteUserStatus: ({ bypassInvitations }) => !bypassInvitations,
  invitationDays: ({ ldapPeople }) => ldapPeople,
  reinvite: ({ ldapPeople }) => ldapPeople,
  deleteInvitationStatus: ({ ldapPeople }) => ldapPeople,
  deletionBody: ({ ldapPeople }) => ldapPeople,
  deleteGoneInvitation: ({ ldapPeople }) => ldapPeople,
  deletedProjectNameSeconds: ({ allowDuplicateNames }) => allowDuplicateNames,
  eventOrder: hidesEvents,
  repeatedEventType: hidesEvents,
  undocumentedEvents: (all) => hidesEvents(all) || all.renaming === "refuse",
  eventActor: hidesEvents,
  serviceAccountRoles: hidesAccounts,
  orgAccountsInProject: hidesAccounts,
};

const observable = switchNames.filter((name) => !(name in unobservable));

function expected(switches: Switches): Record<string, unknown> {
  const found = observable.filter((name) => !openWhen[name]?.(switches));
  return Object.fromEntries(found.map((name) => [name, effective(switches)[name]]));
}

const found = new Map<SwitchName, Set<unknown>>(switchNames.map((name) => [name, new Set()]));

test.each(Array.from({ length: 52 }, (_, index) => index + 1))(
  "finds out what is set, and only that, in random settings %i",
  async (seed) => {
    const switches = randomSwitches(seed);
    const sandbox = await start({ ...switches, seed: seedFor(organizationOwner) });
    const before = holdings(sandbox);
    const { values, failure, leftovers } = await verifyAt(sandbox);
    expect({ failure, leftovers }).toEqual({ failure: undefined, leftovers: [] });
    expect(values).toEqual(expected(switches));
    expect(holdings(sandbox)).toEqual(before);
    expect(unexpectedWrites(sandbox)).toEqual([]);
    for (const name of Object.keys(values) as SwitchName[]) found.get(name)?.add(values[name]);
  },
);

test("these settings have shown every value of every switch that can be found out", () => {
  const missing = observable
    .filter((name) => name !== "orgProjects")
    .flatMap((name) => valuesOf(name).map((value) => ({ name, value })))
    .filter(({ name, value }) => !found.get(name)?.has(value));
  expect(missing).toEqual([]);
});

test("a service account finds out all that needs no key, and the reason is given for the rest", async () => {
  const account = { clientId: "mdb_sa_id_5f0000000000000000000001", clientSecret: "mdb_sa_sk_not-a-secret" };
  const seed = {
    ...seedFor(organizationOwner),
    serviceAccounts: [{ ...account, roles: organizationOwner }],
  };
  const sandbox = await start({ seed });
  const credentials = { ...account, tokenUrl: `${sandbox.baseUrl}/api/oauth/token` };
  const { values, reasons, failure, leftovers } = await verifyAt(sandbox, {}, undefined, credentials);
  expect({ failure, leftovers }).toEqual({ failure: undefined, leftovers: [] });
  expect(values).toMatchObject({ challenge: "qop", digestAlgorithm: "MD5", emptyPatch: expect.any(String) });
  const why = "The provider authenticates as a service account, but the point requires";
  const skipped = Object.entries(reasons).filter(([, reason]) => reason.startsWith(why));
  expect(skipped.map(([name]) => name).sort()).toEqual([
    "accountLookup",
    "authenticationInfo",
    "deletedProjectListedSeconds",
    "eventActor",
    "nonceCount",
    "nonceLifetimeSeconds",
    "nonceReuse",
    "tagsWithoutGlobalRole",
  ]);
});
