/**
 * The sandbox: a real HTTP server that simulates the project administration API, for examples, tests and CI.
 * See README.md beside this file for what it is and is not.
 */
export { type DirectActor, type InvitationFacts, NoSuchObject, type Person } from "./direct-changes";
export type { AccountChange, ProjectChange, TeamChange } from "./facts";
export type { DelayFault, FaultRule, InjectedFault, OutageFault, StatusFault } from "./injected-faults";
export type { AccountFacts, KeyFacts, OrgFacts, ProjectFacts, TeamFacts } from "./make";
export type * from "./model";
export type { RequestRecord } from "./request-log";
export { type Sandbox, type SandboxAddresses, type SandboxOptions, startSandbox } from "./sandbox";
export type { Seed, SeedInvitation, SeedProject, SeedTeam } from "./seed";
export { defaultSwitches, type Switches, type SwitchName, switchTable } from "./switches";
export type { TlsFacts, TlsMode } from "./tls";
