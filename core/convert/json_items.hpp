#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace bev::convert {

/// Divides JSON that arrives in pieces into its items, which are parsed one by one: the
/// elements of an array, or of an object those of the arrays and objects in it.
///
///     [{"token": "a"}, {"token": "b"}]              items: {"token": "a"}, ...
///     {"version": "1.3", "node": [{"x": 1}]}        items: "1.3", {"x": 1}
///
/// Only what surrounds the items is checked.
///
/// Memory  One item.
/// Throws  invalid_metadata, with the byte's position, for text that is not such JSON;
///         limit_exceeded for an item above kMaxItem; exceptions of the function.
class JsonItems {
 public:
  static constexpr std::size_t kMaxItem = std::size_t{4} << 20U;

  enum class Root { array, object };

  /// Of an object: `section` is the key in the root, `key` that in the section, if the
  /// section is an object; escapes in keys are left as they are. `begin` is the place of
  /// the text's first byte.
  struct Item {
    std::string_view section, key, text;
    std::uint64_t begin = 0;
  };
  using Use = std::function<void(const Item&)>;

  JsonItems(Root root, Use use) : root_(root), use_(std::move(use)) {}

  void push(std::string_view text);

  /// Throws invalid_metadata if the text is not complete.
  void end() const;

 private:
  struct Level {
    char close;  // its closing bracket
    bool is_empty = true;
  };

  [[noreturn]] void invalid(std::size_t at) const;
  std::size_t depth() const noexcept { return root_ == Root::array ? 1 : 2; }
  void step(char c, std::size_t at);
  void open(char c, std::size_t at);
  void separate(char c, std::size_t at);
  void finish_item(std::size_t at);
  std::size_t collect(std::string_view text, std::size_t at);

  Root root_;
  Use use_;
  std::uint64_t begin_ = 0;       // of the current text
  std::uint64_t item_begin_ = 0;  // of the current item
  Level levels_[2] = {};
  std::size_t open_ = 0;
  bool is_complete_ = false;
  std::string section_, key_, item_;
  bool has_key_ = false;         // of the next value
  bool is_item_ = false;         // is collected
  bool is_after_comma_ = false;  // a value has to follow
  bool in_string_ = false, is_escaped_ = false;
  std::size_t nested_ = 0;
};

}  // namespace bev::convert
