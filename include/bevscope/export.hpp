#pragma once

/// Marks what the shared library exports. Everything else is hidden.
#if defined(__GNUC__) && !defined(__EMSCRIPTEN__)
#define BEV_EXPORT __attribute__((visibility("default")))
#else
#define BEV_EXPORT
#endif
