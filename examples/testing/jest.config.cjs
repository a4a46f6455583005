module.exports = {
  roots: ["<rootDir>/jest"],
  transform: { "\\.ts$": "@swc/jest" },
  testTimeout: 120_000,
};
