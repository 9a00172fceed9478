#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/owned_bytes.hpp"
#include "core/engine/numbers.hpp"
#include "core/ops/arguments.hpp"
#include "core/ops/element.hpp"
#include "core/ops/objects.hpp"
#include "core/scene/records.hpp"

namespace bev::ops {

/// Numbers of hosts: an integer up to 2^53, and one that is not negative. Plain 64-bit
/// integers are passed with all their bits, such as track ids.
struct Integer {
  std::int64_t value = 0;
  operator std::int64_t() const noexcept { return value; }
};
struct Index {
  std::uint64_t value = 0;
  operator std::uint64_t() const noexcept { return value; }
};

/// Where parameters take their values from.
struct Taker {
  Arguments& given;
  Objects& objects;
};

/// What a function takes and returns, for the reference and the bindings.
struct Description {
  struct Argument {
    std::string name;
    /// flag, number, integer, index, count, id, text, texts, a dtype, or the name of
    /// a type of objects
    std::string kind;
    bool required = true;
  };
  std::vector<Argument> arguments;
  std::string result;  ///< as Argument::kind; nothing, requests, results, outcome
};

/// How a parameter of type T takes its value. `take` returns it as a `Held`, which
/// converts to T. Kinds of one value have `find`, which returns nothing if it is not
/// given.
template <class T>
struct Parameter;

/// The members of a struct of options: `visit(visitor, options)` calls `visitor(name,
/// member)` for each. Members that are not given keep their values.
template <class T>
struct Members;

template <class T>
concept Options = requires(T& options) {
  Members<T>::visit([](const char*, auto&) {}, options);
};

/// Whether a parameter has one name: all but structs of options.
template <class T>
inline constexpr bool kIsNamed = !Options<std::remove_cvref_t<T>>;

[[noreturn]] inline void fail_missing(const char* name) {
  fail(Errc::invalid_argument, {name, ": missing"});
}

// Conversions stay functions: inlined into each operation, they double a module.
#define BEV_OUTLINE [[gnu::noinline]]

/// A parameter of one value, which has to be given.
template <class T>
struct OneValue {
  using Held = T;
  BEV_OUTLINE static T take(Taker& taker, const char* name) {
    auto found = Parameter<T>::find(taker, name);
    if (!found) fail_missing(name);
    return *std::move(found);
  }
  static void describe(Description& out, const char* name) {
    out.arguments.push_back({name, Parameter<T>::kKind});
  }
};

/// A number, converted by `Convert(number, name)`.
template <class T, auto Convert>
struct NumberValue : OneValue<T> {
  BEV_OUTLINE static std::optional<T> find(Taker& taker, const char* name) {
    const auto found = taker.given.number(name);
    if (!found) return std::nullopt;
    return T{Convert(*found, name)};
  }
};

inline double as_is(double number, const char* /*name*/) {
  return number;
}
inline float as_float(double number, const char* /*name*/) {
  return static_cast<float>(number);
}
inline bool as_flag(double number, const char* /*name*/) {
  return number != 0;
}

template <>
struct Parameter<double> : NumberValue<double, as_is> {
  static constexpr const char* kKind = "number";
};
template <>
struct Parameter<float> : NumberValue<float, as_float> {
  static constexpr const char* kKind = "number";
};
template <>
struct Parameter<bool> : NumberValue<bool, as_flag> {
  static constexpr const char* kKind = "flag";
};
template <>
struct Parameter<std::uint32_t> : NumberValue<std::uint32_t, count_from> {
  static constexpr const char* kKind = "count";
};
template <>
struct Parameter<Index> : NumberValue<Index, index_from> {
  static constexpr const char* kKind = "index";
};
template <>
struct Parameter<Integer> : NumberValue<Integer, integer_from> {
  static constexpr const char* kKind = "integer";
};

template <>
struct Parameter<std::uint64_t> : OneValue<std::uint64_t> {
  static constexpr const char* kKind = "id";
  static auto find(Taker& taker, const char* name) { return taker.given.bits(name); }
};
template <>
struct Parameter<std::string> : OneValue<std::string> {
  static constexpr const char* kKind = "text";
  static auto find(Taker& taker, const char* name) { return taker.given.text(name); }
};
template <>
struct Parameter<std::vector<std::string>> : OneValue<std::vector<std::string>> {
  static constexpr const char* kKind = "texts";
  static auto find(Taker& taker, const char* name) { return taker.given.texts(name); }
};

/// An array of one element type, or of records of several elements.
template <class Vector, class Element = typename Vector::value_type>
struct ArrayValue : OneValue<Vector> {
  static constexpr const char* kKind = kDtype<Element>;
  BEV_OUTLINE static std::optional<Vector> find(Taker& taker, const char* name) {
    const auto size = taker.given.array_size(name, kKind);
    if (!size) return std::nullopt;
    constexpr auto kPerItem = sizeof(typename Vector::value_type) / sizeof(Element);
    if (*size % kPerItem != 0) {
      fail(Errc::invalid_argument, {name, ": wrong length (found ", *size,
                                    ", expected a multiple of ", kPerItem, ")"});
    }
    Vector out(*size / kPerItem);
    taker.given.copy_array(out.data());
    return out;
  }
};

template <class T>
requires(kDtype<T> != nullptr) struct Parameter<std::vector<T>>
    : ArrayValue<std::vector<T>> {
};
template <>
struct Parameter<RawBytes> : ArrayValue<RawBytes> {};
template <>
struct Parameter<std::vector<scene::Interval>>
    : ArrayValue<std::vector<scene::Interval>, std::int64_t> {};
template <class T>
struct Parameter<std::span<const T>> : Parameter<std::vector<T>> {};

/// An object that another operation made.
template <class T>
requires(kObjectName<T> != nullptr) struct Parameter<T&> {
  struct Held {
    T* object;
    operator T&() const noexcept { return *object; }
  };
  BEV_OUTLINE static Held take(Taker& taker, const char* name) {
    const auto id = Parameter<std::uint32_t>::take(taker, name);
    return {&taker.objects.find<T>(static_cast<int>(id), name)};
  }
  static void describe(Description& out, const char* name) {
    out.arguments.push_back({name, kObjectName<T>});
  }
};

/// An object, or null if it is not given.
template <class T>
requires(kObjectName<T> != nullptr) struct Parameter<T*> {
  using Held = T*;
  BEV_OUTLINE static T* take(Taker& taker, const char* name) {
    const auto id = Parameter<std::uint32_t>::find(taker, name);
    return id ? &taker.objects.find<T>(static_cast<int>(*id), name) : nullptr;
  }
  static void describe(Description& out, const char* name) {
    out.arguments.push_back({name, kObjectName<T>, false});
  }
};

template <class T>
struct Parameter<std::optional<T>> {
  using Held = std::optional<T>;
  static Held take(Taker& taker, const char* name) {
    return Parameter<T>::find(taker, name);
  }
  static void describe(Description& out, const char* name) {
    out.arguments.push_back({name, Parameter<T>::kKind, false});
  }
};

template <class T>
struct Parameter<const T&> : Parameter<T> {};

template <Options T>
struct Parameter<T> {
  using Held = T;
  static T take(Taker& taker, const char* /*name*/) {
    T out{};
    Members<T>::visit(
        [&](const char* name, auto& member) { take_member(taker, name, member); }, out);
    return out;
  }
  static void describe(Description& out, const char* /*name*/) {
    T options{};
    Members<T>::visit(
        [&]<class M>(const char* name, M& /*member*/) {
          out.arguments.push_back({name, Parameter<Value<M>>::kKind, false});
        },
        options);
  }

 private:
  template <class M>
  struct ValueOf {
    using Type = M;
  };
  template <class M>
  struct ValueOf<std::optional<M>> {
    using Type = M;
  };
  template <class M>
  using Value = typename ValueOf<M>::Type;

  template <class M>
  BEV_OUTLINE static void take_member(Taker& taker, const char* name, M& member) {
    if (auto found = Parameter<Value<M>>::find(taker, name)) member = *std::move(found);
  }
};

/// Whether a function returns an object, or an array.
template <class T>
inline constexpr bool kIsObject = false;
template <class T>
inline constexpr bool kIsObject<std::unique_ptr<T>> = true;
template <class T>
inline constexpr bool kIsArray = false;
template <class T>
inline constexpr bool kIsArray<std::vector<T>> = kDtype<T> != nullptr;

/// Returns the name of a function's result, as in Description.
template <class R>
std::string result_kind() {
  using T = std::remove_cvref_t<R>;
  if constexpr (std::is_void_v<T>)
    return "nothing";
  else if constexpr (std::same_as<T, bool>)
    return "flag";
  else if constexpr (std::is_arithmetic_v<T>)
    return "number";
  else if constexpr (std::same_as<T, std::string>)
    return "text";
  else if constexpr (std::same_as<T, std::vector<std::string>>)
    return "texts";
  else if constexpr (std::same_as<T, std::vector<store::Request>>)
    return "requests";
  else if constexpr (kIsObject<T>)
    return kObjectName<typename T::element_type>;
  else if constexpr (kIsArray<T>)
    return kDtype<typename T::value_type>;
  else
    return "outcome";
}

}  // namespace bev::ops
