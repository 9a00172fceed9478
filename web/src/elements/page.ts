/** Entry of `cdn/viewer.js`: defines the elements on a page without a bundler. */
import { useConfigReader } from "./raster/config-reader.js";

export { configure } from "../loading/files.js";
export { define } from "./define.js";
export { formatLink, parseLink } from "./link/link.js";
export { openPlace } from "./open/open-place.js";
export { ViewerController } from "./session/controller.js";

// Loaded lazily, since the parser is larger than its panel.
useConfigReader(async (text) => (await import("../yaml.js")).parseConfig(text));
