/** Entry of `cdn/viewer.js`: defines the elements on a page without a bundler. */
import { useConfigReader } from "./raster/config-reader.js";
import { define } from "./registration.js";

export { configure } from "../loading/files.js";
export { formatLink, parseLink } from "./link/link.js";
export { openPlace } from "./open/open-place.js";
export { define } from "./registration.js";
export { ViewerController } from "./session/controller.js";

define();
// Loaded lazily, since the parser is larger than its panel.
useConfigReader(async (text) => (await import("../yaml.js")).parseConfig(text));
