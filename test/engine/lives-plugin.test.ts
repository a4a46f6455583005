import { describeLives } from "./support/lives";

describeLives("plugin");
