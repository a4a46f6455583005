import { AccessFolder } from "../../../projects";

const advice =
  'Write provider: "plugin" for the provider plugin, or provider: "dynamic" for the dynamic provider.';
const other = `the option provider has another value than the name of a provider. ${advice}`;

it.each([
  { args: { folder: "none" }, problem: `the option provider is missing. ${advice}` },
  { args: { folder: "none", provider: {} }, problem: other },
  { args: { folder: "none", provider: "toString" }, problem: other },
  {
    args: { folder: 1, provider: "plugin" },
    problem: "the option folder must be the path of the folder with the files.",
  },
])("the component rejects $args", ({ args, problem }) => {
  expect(() => new AccessFolder("access", args as never)).toThrow(`AccessFolder "access": ${problem}`);
});
