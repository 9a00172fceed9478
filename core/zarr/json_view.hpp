#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace bev::zarr {

/// A view of a JSON value, or of none. Metadata queries are functions here because
/// nlohmann's templates are instantiated at every call, in WebAssembly up to a kilobyte
/// each.
///
/// Lifetime  The value outlives it. Every query of none returns an answer.
/// Throws    Nothing: a value of another kind yields nullopt, none, 0 or false.
class JsonView {
 public:
  JsonView() = default;
  JsonView(const nlohmann::json& value) : value_(&value) {}

  /// Returns whether there is a value, possibly null.
  explicit operator bool() const noexcept { return value_ != nullptr; }

  /// Returns a member of an object; none if there is no such member or no object.
  JsonView operator[](std::string_view name) const;

  /// Returns an element of a list; none if there is no such element or no list.
  JsonView at(std::size_t i) const;

  /// Returns the length of a list; 0 for anything else.
  std::size_t size() const;

  bool is_list() const;
  bool is_object() const;

  /// Returns whether it is none or null.
  bool is_null() const;

  /// Return whether it is this string or this non-negative integer.
  bool is(std::string_view text) const { return this->text() == text; }
  bool is(std::uint64_t number) const { return count() == number; }

  /// Returns a string; nullopt for anything else.
  std::optional<std::string_view> text() const;

  /// Returns a non-negative integer; nullopt for anything else.
  std::optional<std::uint64_t> count() const;

  /// Returns an integer that fits in a signed 64-bit integer.
  std::optional<std::int64_t> integer() const;

  /// Returns any number, rounded to double; nullopt for anything else, including
  /// strings like "NaN".
  std::optional<double> number() const;

  /// Returns a boolean; nullopt for anything else.
  std::optional<bool> boolean() const;

  /// Returns JSON text for messages; "nothing" for none. The value's strings are UTF-8,
  /// as parse_json ensures.
  std::string dump() const;

  /// Returns the value; undefined for none.
  const nlohmann::json& json() const { return *value_; }

 private:
  const nlohmann::json* value_ = nullptr;
};

/// Returns a member of an object.
///
/// @param where   key of the document, the prefix of the message
/// @throws Error  invalid_metadata if there is no such member
JsonView required(JsonView object, std::string_view name, std::string_view where);

/// Sets a member of an object, replacing one of the same name. null becomes an object.
///
/// Throws  nlohmann::json::type_error if `object` is anything else, which is a bug of
///         the caller and not of a file.
void set(nlohmann::json& object, std::string_view name, nlohmann::json value);
void set(nlohmann::json& object, std::string_view name, std::string text);

/// Parses JSON.
///
/// Throws  invalid_metadata if it is not JSON, or nested deeper than 64 levels, so that
///         callers may recurse over the tree.
nlohmann::json parse_json(std::string_view text, std::string_view key);

}  // namespace bev::zarr
