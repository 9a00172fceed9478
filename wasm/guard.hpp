#pragma once

#include <emscripten/val.h>

#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"

namespace bev::wasm {

/// Throws a JavaScript `Error` that carries `code`.
[[noreturn]] inline void throw_js(std::string_view code, const char* message) {
  using emscripten::val;
  val error = val::global("Error").new_(std::string(message));
  error.set("code", std::string(code));
  error.throw_();
}

/// `Guarded<&f>::call` is `f`, except that whatever it throws arrives in JavaScript
/// as an `Error` with a `code`; "internal" means a bug of ours.
template <auto Fn>
struct Guarded;

template <class R, class... A, R (*Fn)(A...)>
struct Guarded<Fn> {
  static R call(A... args) {
    try {
      return Fn(std::forward<A>(args)...);
    } catch (const Error& error) {
      throw_js(to_string(error.code()), error.what());
    } catch (const std::bad_alloc&) {
      throw_js("out_of_memory", "out of memory: WebAssembly has no more to give");
    } catch (const std::exception& error) {
      throw_js("internal", error.what());
    }
  }
};

}  // namespace bev::wasm
