/**
 * Minimum browser versions of the library and the viewer. Container queries determine
 * the minimum for Chrome, `:has` for Firefox, WebAssembly SIMD for Safari. Keep
 * README.md, ARCHITECTURE.md and the targets in `tools/bundle.mjs` in step.
 */
export const OLDEST_BROWSERS = "Chrome 105, Firefox 121, Safari 16.4";
