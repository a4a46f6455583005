import { describeComparison } from "./comparison";
import { peopleStory, projectStory } from "./stories";

describeComparison({
  "a project through the dynamic provider": projectStory("dynamic"),
  "people through the dynamic provider": peopleStory("dynamic"),
});
