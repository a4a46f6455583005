import { describeLives } from "./support/lives";

describeLives("dynamic");
