import { define } from "./registration.js";

export { define } from "./registration.js";

define();
