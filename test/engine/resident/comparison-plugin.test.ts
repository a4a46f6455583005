import { describeComparison } from "./comparison";
import { peopleStory, projectStory } from "./stories";

describeComparison({
  "a project through the provider plugin": projectStory("plugin"),
  "people through the provider plugin": peopleStory("plugin"),
});
