#pragma once

#include <exception>
#include <utility>

namespace bev::wasm {

/// Rethrows the current C++ exception as a JavaScript Error. Shared by all guards, so
/// that each needs only one catch clause.
[[noreturn]] void throw_on();

/// `Guarded<&f>::call` calls `f` and converts every exception to a JavaScript `Error`
/// with a `code`; "internal" indicates a bug in bevscope.
template <auto Fn>
struct Guarded;

template <class R, class... A, R (*Fn)(A...)>
struct Guarded<Fn> {
  static R call(A... args) {
    try {
      return Fn(std::forward<A>(args)...);
    } catch (const std::exception&) {
      throw_on();
    }
  }
};

}  // namespace bev::wasm
