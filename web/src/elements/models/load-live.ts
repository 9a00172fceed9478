import { loaderOf } from "../../base/loader.js";

/** Loads the code of live models. */
export const loadLive = loaderOf(() => import("./live.js"));
