#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.hpp"

namespace bev {

/// Parses a JSON document.
///
/// @param where   its name in messages: "model.json"
/// @throws Error  limit_exceeded for a longer text; invalid_argument for text that is not
///                JSON, or is nested too deeply
nlohmann::json json_document(std::string_view text, std::string_view where,
                             std::size_t max_bytes);

/// A value of a JSON document, and its path for messages: "model.json: inputs.img".
///
/// Lifetime  Views the document.
/// Throws    invalid_argument for a missing key or a value of another type, with the path
class JsonPlace {
 public:
  JsonPlace(const nlohmann::json& value, std::string path)
      : value_(&value), path_(std::move(path)) {}

  [[noreturn]] void refuse(std::string_view problem) const {
    fail(Errc::invalid_argument, {path_, ": ", problem});
  }

  const nlohmann::json& value() const noexcept { return *value_; }
  const std::string& path() const noexcept { return path_; }

  bool has(const char* key) const {
    return value_->is_object() && value_->contains(key);
  }

  /// Returns the value of a key.
  ///
  /// @param separator  ':' below the document itself
  JsonPlace at(const char* key, char separator = '.') const;

  /// Returns the elements of an array.
  std::vector<JsonPlace> items() const;

  /// Returns the names and values of an object.
  std::vector<std::pair<std::string, JsonPlace>> members(char separator = '.') const;

  std::string text() const;
  bool flag() const;

  /// Returns a finite number of at most that magnitude.
  ///
  /// @param range  the limits in words: "-1e9 to 1e9"
  double number(double greatest, std::string_view range) const;
  std::vector<double> numbers(double greatest, std::string_view range) const;

  /// Returns an integer from 0 to the greatest value of T.
  template <class T>
  T count() const {
    return count_of<T>(*value_);
  }

  template <class T>
  std::vector<T> counts() const {
    require_array();
    std::vector<T> out;
    out.reserve(value_->size());
    for (const auto& item : *value_) {
      out.push_back(count_of<T>(item));
    }
    return out;
  }

 private:
  void require_array() const;
  template <class T>
  T count_of(const nlohmann::json& value) const {
    constexpr auto kGreatest = std::numeric_limits<T>::max();
    return static_cast<T>(count_of(value, static_cast<std::uint64_t>(kGreatest)));
  }
  std::uint64_t count_of(const nlohmann::json& value, std::uint64_t greatest) const;
  double number_of(const nlohmann::json& value, double greatest,
                   std::string_view range) const;

  const nlohmann::json* value_;
  std::string path_;
};

}  // namespace bev
