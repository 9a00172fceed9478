#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"

/// Parts of pickles of protocol 4 by hand: values, and objects of made-up classes.
namespace bev::test::pickled {

using Fields = std::vector<std::pair<std::string, std::string>>;

template <class T>
std::string stored(T value, std::endian order = std::endian::little) {
  std::string out(sizeof(T), '\0');
  store_as(reinterpret_cast<std::byte*>(out.data()), value, order);
  return out;
}

inline std::string text(std::string_view value) {
  return "X" + stored(static_cast<std::uint32_t>(value.size())) + std::string(value);
}
inline std::string integer(std::int64_t value) {
  return "\x8a\x08" + stored(value);
}
inline std::string real(double value) {
  return "G" + stored(value, std::endian::big);
}
inline std::string joined(const std::vector<std::string>& values) {
  std::string out;
  for (const auto& value : values) out += value;
  return out;
}
inline std::string list(const std::vector<std::string>& values) {
  return "](" + joined(values) + "e";
}
inline std::string tuple(const std::vector<std::string>& values) {
  return "(" + joined(values) + "t";
}
inline std::string dict(const Fields& fields) {
  std::string out = "}(";
  for (const auto& [name, value] : fields) out += text(name) + value;
  return out + "u";
}
inline std::string named(std::string_view module, std::string_view name) {
  return text(module) + text(name) + "\x93";
}

/// An instance with a `__dict__`.
inline std::string object(std::string_view name, const Fields& fields) {
  return named("made", name) + ")\x81" + dict(fields) + "b";
}
/// An instance with slots.
inline std::string slots(std::string_view name, const Fields& fields) {
  return named("made", name) + ")\x81" + tuple({"N", dict(fields)}) + "b";
}
/// What a class or function returns.
inline std::string call(std::string_view name, const std::vector<std::string>& given) {
  return named("made", name) + tuple(given) + "R";
}
inline std::string document(const std::string& value) {
  return "\x80\x04" + value + ".";
}

}  // namespace bev::test::pickled
