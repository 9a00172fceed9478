#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"
#include "core/zarr/json_view.hpp"

namespace bev::reader {

/// The values of an enumeration and their names in JSON.
template <class E, std::size_t N>
using Names = std::array<std::pair<std::string_view, E>, N>;

/// Returns a value's name.
template <class E, std::size_t N>
std::string name_of(const Names<E, N>& names, E value) {
  for (const auto& [name, other] : names) {
    if (other == value) return std::string(name);
  }
  return {};
}

/// Parses JSON from a caller.
///
/// Throws  invalid_argument if it is not JSON, limit_exceeded if it has more than
///         `max_bytes`
nlohmann::json parsed_json(std::string_view text, std::string_view thing,
                           std::size_t max_bytes);

/// Throws invalid_argument: "plan.shard: invalid value (found 3, expected an object)".
[[noreturn]] void fail_value(std::string_view path, zarr::JsonView found,
                             std::string_view expected);

/// The optional members of an object of options. Members that are absent or null leave
/// the values as they are.
///
/// Throws  invalid_argument for unknown members and invalid values; the message begins
///         with the path
class Members {
 public:
  /// @param known  names of the members
  Members(zarr::JsonView object, std::string path,
          std::span<const std::string_view> known);

  zarr::JsonView operator[](std::string_view name) const { return object_[name]; }
  std::string path(std::string_view name) const { return joined({path_, ".", name}); }

  /// Reads an integer from `least` to `most`.
  template <class T>
  void count(std::string_view name, T& out, std::uint64_t least,
             std::uint64_t most) const {
    const auto value = object_[name];
    if (value.is_null()) return;
    const auto number = value.count();
    if (!number || *number < least || *number > most) {
      fail_value(path(name), value, joined({"an integer from ", least, " to ", most}));
    }
    out = static_cast<T>(*number);
  }

  /// Reads true or false.
  void flag(std::string_view name, bool& out) const;

  /// Reads a name.
  template <class E, std::size_t N>
  void choice(std::string_view name, E& out, const Names<E, N>& names) const {
    const auto value = object_[name];
    if (value.is_null()) return;
    std::string list;
    for (const auto& [spelling, choice] : names) {
      if (value.is(spelling)) {
        out = choice;
        return;
      }
      list += joined({list.empty() ? "" : ", ", "\"", spelling, "\""});
    }
    fail_value(path(name), value, list);
  }

 private:
  zarr::JsonView object_;
  std::string path_;
};

}  // namespace bev::reader
