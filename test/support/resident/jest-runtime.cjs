/**
 * Jest evaluates each module again for each test file. For the packages that the provider depends on, this took longer than most files. So a
 * worker loads these packages once, as Node.js does.
 */
const { default: Runtime } = require("jest-runtime");
const { dependencies } = require("../../../package.json");

const packages = Object.keys(dependencies);

/** @param {string} name */
function isOfPackage(name) {
  return packages.some((one) => name === one || name.startsWith(`${one}/`));
}

module.exports = class extends Runtime {
  /** @override @template Exports @param {string} from @param {string} name @returns {Exports} */
  requireModuleOrMock(from, name) {
    return isOfPackage(name) ? require(name) : super.requireModuleOrMock(from, name);
  }
};
