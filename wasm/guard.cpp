#include "wasm/guard.hpp"

#include <emscripten/val.h>

#include <new>
#include <string>
#include <string_view>

#include "core/base/error.hpp"

namespace bev::wasm {

namespace {

/// Throws a JavaScript `Error` with property `code`.
[[noreturn]] void throw_js(std::string_view code, const char* message) {
  using emscripten::val;
  val error = val::global("Error").new_(std::string(message));
  error.set("code", std::string(code));
  error.throw_();
}

}  // namespace

void throw_on() {
  try {
    throw;
  } catch (const Error& error) {
    throw_js(to_string(error.code()), error.what());
  } catch (const std::bad_alloc&) {
    throw_js("out_of_memory", "out of memory: WebAssembly allocation failed");
  } catch (const std::exception& error) {
    throw_js("internal", error.what());
  }
}

}  // namespace bev::wasm
