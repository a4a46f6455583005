import { drawSettings, keepDefault, settingsOfTest } from "../../support/drawn-settings";

const titles = Array.from({ length: 200 }, (_, index) => `a story, number ${index}`);
const drawAll = (env: NodeJS.ProcessEnv) => titles.map((title) => JSON.stringify(drawSettings(title, env)));
const both = { refreshBeforeUpdate: false, readCacheSeconds: 0 };

describe("the drawn settings of a test", () => {
  it("are the same in each run, and another seed draws others", () => {
    expect(drawAll({})).toEqual(drawAll({}));
    expect(drawAll({ OPSMANAGER_TEST_SETTINGS_SEED: "1" })).not.toEqual(drawAll({}));
    expect(new Set(drawAll({}))).toEqual(
      new Set(
        [{}, { refreshBeforeUpdate: false }, { readCacheSeconds: 0 }, both].map((each) =>
          JSON.stringify(each),
        ),
      ),
    );
  });

  it("can be forced, and a setting that is not drawn is an error", () => {
    const forced = (text: string) => drawSettings("a story", { OPSMANAGER_TEST_SETTINGS: text });
    expect(forced("refreshBeforeUpdate=false,readCacheSeconds=0")).toEqual(both);
    expect(forced("default")).toEqual({});
    expect(() => forced("maxRetries=0")).toThrow("maxRetries=0");
  });

  it("leave out the settings of which the test keeps the default", () => {
    const { OPSMANAGER_TEST_SETTINGS: before } = process.env;
    try {
      process.env.OPSMANAGER_TEST_SETTINGS = "refreshBeforeUpdate=false,readCacheSeconds=0";
      expect(settingsOfTest()).toEqual(both);
      keepDefault("refreshBeforeUpdate", "this test reads what is left");
      expect(settingsOfTest()).toEqual({ readCacheSeconds: 0 });
    } finally {
      if (before === undefined) delete process.env.OPSMANAGER_TEST_SETTINGS;
      else process.env.OPSMANAGER_TEST_SETTINGS = before;
    }
  });
});
