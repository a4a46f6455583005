/** Which roles own projects, for policy packs and other programs: `pulumi-opsmanager/access`. */
export * from "./rights";
