/** Former names of types; removed in 0.4. */
import type { CacheStats } from "./core/options.js";
import type { TypedArray } from "./core/types.js";
import type { FrameMinima, SelectionRules } from "./samples/options.js";

/** @deprecated The former name of `TypedArray`. */
export type CoreView = TypedArray;
/** @deprecated The former name of `CacheStats`. */
export type CoreCacheStats = CacheStats;
/** @deprecated The former name of `FrameMinima`. */
export type CoreMinima = FrameMinima;
/** @deprecated The former name of `SelectionRules`. */
export type CoreSelectionRules = SelectionRules;
