/** Entry of `cdn/viewer.js`: defines the elements on a page without a bundler. */
import { useConfigReader } from "./raster-controller.js";

export { ViewerController } from "./controller.js";
export { define } from "./define.js";
export { openPlace } from "./open-place.js";
export { formatLink, parseLink } from "./pure/link.js";

// Loaded lazily, since the parser is larger than its panel.
useConfigReader(async (text) => (await import("../yaml.js")).parseConfig(text));
