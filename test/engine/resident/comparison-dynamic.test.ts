import { testComparison } from "./comparison";
import { storyOf } from "./stories";

testComparison(storyOf("dynamic"));
