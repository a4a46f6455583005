import { describeModuleSystems } from "./support/module-systems";

describeModuleSystems("pnpm");
