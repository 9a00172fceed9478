#pragma once

#include <exception>
#include <utility>

namespace bev::wasm {

/// Throws the exception that is being handled on, as JavaScript's. One function for all
/// guards, each of which would otherwise be three catches longer.
[[noreturn]] void throw_on();

/// `Guarded<&f>::call` is `f`, except that whatever it throws arrives in JavaScript
/// as an `Error` with a `code`; "internal" means a bug of ours.
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
