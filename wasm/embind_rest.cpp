// Replaces a part of Embind that no binding uses, which saves a tenth of the loader.
// wasm/dispatcher.js limits linking to the Emscripten versions that this was tried with.
#include <cstddef>

extern "C" {

/// Replaces the registration of wide strings, for which the loader has special code.
/// Calls are redirected by --wrap (bev_embind in wasm/CMakeLists.txt). A binding that
/// passes a wide string fails at its first call.
void bev_no_wide_strings(const void* type, std::size_t size, const char* name) __asm__(
    "__wrap__embind_register_std_wstring");
void bev_no_wide_strings(const void* /*type*/, std::size_t /*size*/,
                         const char* /*name*/) {}

}  // extern "C"
