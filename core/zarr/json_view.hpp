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

  std::optional<double> number() const;
  std::optional<bool> boolean() const;

  /// As JSON, for messages; "nothing" of none.
  std::string dump() const;

  /// Of a value that is there.
  const nlohmann::json& json() const { return *value_; }

 private:
  const nlohmann::json* value_ = nullptr;
};

/// Makes `value` a member of an object.
void set(nlohmann::json& object, std::string_view name, nlohmann::json value);
void set(nlohmann::json& object, std::string_view name, std::string text);

}  // namespace bev::zarr
