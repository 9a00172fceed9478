// What stands in for a part of Embind that no door needs: a tenth of the loader.
#include <cstddef>

extern "C" {

/// In the place of the registration of wide strings, for which the loader has code of
/// its own: what calls it is told otherwise by --wrap (bev_embind in
/// wasm/CMakeLists.txt). A door that takes or gives one fails at its first call.
void bev_no_wide_strings(const void* type, std::size_t size, const char* name) __asm__(
    "__wrap__embind_register_std_wstring");
void bev_no_wide_strings(const void* /*type*/, std::size_t /*size*/,
                         const char* /*name*/) {}

}  // extern "C"
