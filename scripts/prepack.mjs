/**
 * Stops `npm pack` and `npm publish` in this repository: the package would contain the manifest with our tools and
 * scripts. Other package managers run `prepack` when they install a git address, which must work.
 */
if (["pack", "publish"].includes(process.env.npm_command ?? "")) {
  console.error(
    "This folder is not what users install. Run `npm run pack`, which writes the package as a file.",
  );
  process.exitCode = 1;
}
