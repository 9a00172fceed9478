#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/ops/outcome.hpp"
#include "core/ops/parameter.hpp"

namespace bev::ops {

/// One row of the table: what a host can ask the core.
struct Operation {
  const char* name;
  void (*run)(Arguments& given, Objects& objects, Outcome& out);
#ifdef BEV_DESCRIBES
  void (*describe)(Description& out);
  const char* results;  ///< "scenes <u4 (n); a <f8 (n, 3)"; "" if the type tells
  const char* meaning;
#endif
};

/// A string as template argument.
template <std::size_t N>
struct Name {
  // NOLINTNEXTLINE(google-explicit-constructor): written as a string
  constexpr Name(const char (&from)[N]) { std::copy_n(from, N, text); }
  char text[N]{};
};

/// Sets what a function returned. `out` is empty before.
template <class T>
BEV_OUTLINE void set_outcome(Outcome& out, T&& value, Objects& objects) {
  using R = std::remove_cvref_t<T>;
  if constexpr (std::same_as<R, Outcome>) {
    out = std::forward<T>(value);
  } else if constexpr (std::same_as<R, bool>) {
    out.set_flag(value);
  } else if constexpr (std::is_arithmetic_v<R>) {
    out.set_number(static_cast<double>(value));
  } else if constexpr (kIsObject<R>) {
    if (value != nullptr) out.set_object(objects.add(std::move(value)));
  } else if constexpr (kIsArray<R>) {
    out.set_array(std::forward<T>(value));
  } else {
    out = Outcome(std::forward<T>(value));
  }
}

/// A function as an operation. Its parameters tell the kinds of the arguments; each has a
/// name, except structs of options, whose members have (`Members`).
template <auto Fn, Name... Names>
struct Bound;

template <class R, class... A, R (*Fn)(A...), Name... Names>
struct Bound<Fn, Names...> {
  static constexpr const char* kNames[]{Names.text..., nullptr};

  /// Returns the name of parameter I.
  template <std::size_t I>
  static constexpr const char* name() {
    constexpr bool kNamed[]{kIsNamed<A>..., false};
    std::size_t before = 0;
    for (std::size_t i = 0; i < I; ++i) before += kNamed[i] ? 1 : 0;
    return kNamed[I] ? kNames[before] : "";
  }

  static void run(Arguments& given, Objects& objects, Outcome& out) {
    run(given, objects, out, std::index_sequence_for<A...>{});
  }
  static void describe(Description& out) {
    describe(out, std::index_sequence_for<A...>{});
  }

 private:
  static_assert(((kIsNamed<A> ? 1 : 0) + ... + 0) == sizeof...(Names));

  template <std::size_t... I>
  static void run(Arguments& given, Objects& objects, [[maybe_unused]] Outcome& out,
                  std::index_sequence<I...>) {
    [[maybe_unused]] Taker taker{given, objects};
    std::tuple<typename Parameter<A>::Held...> held{
        Parameter<A>::take(taker, name<I>())...};
    if constexpr (std::is_void_v<R>) {
      Fn(static_cast<A>(std::get<I>(std::move(held)))...);
    } else {
      set_outcome(out, Fn(static_cast<A>(std::get<I>(std::move(held)))...), objects);
    }
  }

  template <std::size_t... I>
  static void describe(Description& out, std::index_sequence<I...>) {
    (Parameter<A>::describe(out, name<I>()), ...);
    out.result = result_kind<R>();
  }
};

/// Returns the row of a function.
///
/// @param results  of an Outcome: names, dtypes and shapes of its arrays
/// @param meaning  for the reference; the wasm modules leave it out
template <auto Fn, Name... Names>
constexpr Operation operation(const char* name, [[maybe_unused]] const char* results,
                              [[maybe_unused]] const char* meaning) {
  using Row = Bound<Fn, Names...>;
#ifdef BEV_DESCRIBES
  return {name, &Row::run, &Row::describe, results, meaning};
#else
  return {name, &Row::run};
#endif
}

}  // namespace bev::ops
