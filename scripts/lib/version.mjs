/**
 * @param {string} text Anything that holds a version, e.g. `v3.259.0` or `go version go1.26.8 linux/amd64`.
 * @returns {string | undefined}
 */
export function findVersion(text) {
  return /\d+\.\d+(\.\d+)?/.exec(text)?.[0];
}

/**
 * Compares by number, part by part; a missing part is 0.
 *
 * @param {string | undefined} version
 * @param {string} minimum
 * @returns {version is string}
 */
export function isAtLeast(version, minimum) {
  if (version === undefined) return false;
  const parts = version.split(".").map(Number);
  for (const [index, wanted] of minimum.split(".").map(Number).entries()) {
    const part = parts[index] ?? 0;
    if (part !== wanted) return part > wanted;
  }
  return true;
}
