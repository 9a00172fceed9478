#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace bev::zarr {

/// A JSON value to be looked at, or none. What metadata are asked is a function each,
/// once: nlohmann makes it anew at every place of use, in WebAssembly up to a kilobyte.
///
/// Lifetime  That of the value. Every question of none has an answer.
/// Errors    None: what is of another kind is answered by nothing, none, 0 or false.
class JsonView {
 public:
  JsonView() = default;
  JsonView(const nlohmann::json& value) : value_(&value) {}

  /// Whether there is a value, be it null.
  explicit operator bool() const noexcept { return value_ != nullptr; }

  /// A member of an object; none where there is no such, or no object.
  JsonView operator[](std::string_view name) const;

  /// An element of a list; none where there is no such, or no list.
  JsonView at(std::size_t i) const;

  /// Elements of a list; 0 of anything else.
  std::size_t size() const;

  bool is_list() const;
  bool is_object() const;

  /// None, or null.
  bool is_null() const;

  /// Whether it is this text, or this whole number.
  bool is(std::string_view text) const { return this->text() == text; }
  bool is(std::uint64_t number) const { return count() == number; }

  /// A text; nothing of anything else.
  std::optional<std::string_view> text() const;

  /// A whole number from 0 on, written as one.
  std::optional<std::uint64_t> count() const;

  /// A whole number, written as one, that 64 bits with a sign hold.
  std::optional<std::int64_t> integer() const;

  /// A number of any kind, rounded to a double where it has more digits; nothing of
  /// anything else, of texts like "NaN" too.
  std::optional<double> number() const;

  /// True or false; nothing of anything else.
  std::optional<bool> boolean() const;

  /// As JSON, for messages; "nothing" of none. The value's texts are UTF-8, as all
  /// are that parse_json lets pass.
  std::string dump() const;

  /// Of a value that is there; undefined of none.
  const nlohmann::json& json() const { return *value_; }

 private:
  const nlohmann::json* value_ = nullptr;
};

/// A member of an object.
///
/// @param where   begins the message: the key that the object was read from
/// @throws Error  invalid_metadata if there is no such member
JsonView required(JsonView object, std::string_view name, std::string_view where);

/// Makes `value` a member of an object, in place of one of that name.
///
/// @param object  an object, or null, which becomes one
/// @throws nlohmann::json::type_error  for anything else: a mistake of the caller, for
///                which no file is to blame
void set(nlohmann::json& object, std::string_view name, nlohmann::json value);
void set(nlohmann::json& object, std::string_view name, std::string text);

}  // namespace bev::zarr
