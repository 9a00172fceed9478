// Seen by c-blosc before all else (cmake/wasm_codecs.cmake). It prints what goes wrong
// besides returning it: here it only returns it, for the messages of the core name the
// chunk, and printing costs a module several kilobytes.
#ifndef BEV_WASM_BLOSC_SILENT_H
#define BEV_WASM_BLOSC_SILENT_H

#include <stdio.h>

#define printf(...) ((void)0)
#define fprintf(...) ((void)0)

#endif
