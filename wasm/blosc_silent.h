// Force-included before c-blosc (cmake/wasm_codecs.cmake). c-blosc prints errors
// besides returning them. Here it only returns them: the core's messages name the
// chunk, and printing adds several kilobytes to a module. It also asks for environment
// variables; there are none, and only this module would import functions for them.
#ifndef BEV_WASM_BLOSC_SILENT_H
#define BEV_WASM_BLOSC_SILENT_H

#include <stdio.h>
#include <stdlib.h>

#define printf(...) ((void)0)
#define fprintf(...) ((void)0)
#define getenv(name) ((char*)0)

#endif
