/**
 * The oldest browsers in which the library and the viewer run. Container queries set it for
 * Chrome, `:has` for Firefox, WebAssembly SIMD for Safari. README.md, ARCHITECTURE.md and the
 * targets of `tools/bundle.mjs` say the same.
 */
export const OLDEST_BROWSERS = "Chrome 105, Firefox 121, Safari 16.4";
