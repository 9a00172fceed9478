// What stands in for the parts of Embind that no door needs, so that nothing else is
// linked for their sake: a tenth of the loader, and printf.
#include <cstdarg>
#include <cstdint>
#include <cstring>
#include <string>

extern "C" {

/// In the place of the registration of wide strings, for which the loader has code of
/// its own: what calls it is told otherwise by --wrap (bev_embind in
/// wasm/CMakeLists.txt). A door that takes or gives one fails at its first call.
void bev_no_wide_strings(const void* type, std::size_t size, const char* name) __asm__(
    "__wrap__embind_register_std_wstring");
void bev_no_wide_strings(const void* /*type*/, std::size_t /*size*/,
                         const char* /*name*/) {}

/// In the place of the C library's function of this name, of which Embind makes the
/// name of a type without one: its address, in decimal. There is no other call in a
/// module: core/ does not print (tests/house.test.mjs).
int bev_address(char* out, const char* format, ...) __asm__("siprintf");
int bev_address(char* out, const char* format, ...) {
  std::va_list given;
  va_start(given, format);
  const auto text = std::to_string(va_arg(given, std::uintptr_t));
  va_end(given);
  std::memcpy(out, text.c_str(), text.size() + 1);
  return static_cast<int>(text.size());
}

}  // extern "C"
