#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/pickle/value.hpp"

namespace bev::pickle {

/// Nodes that every pickle has. The one of None also stands for what a call lacks.
inline constexpr std::uint32_t kNone = 0, kFalse = 1, kTrue = 2, kEmptyTuple = 3;

/// The items of a call's node.
inline constexpr std::uint32_t kCallee = 0, kArguments = 1, kKeywords = 2, kState = 3,
                               kAppended = 4, kPairs = 5, kCallSlots = 6;

/// The first and the last of a container's items.
struct ItemRange {
  std::uint32_t first, last;
};

/// A value in 16 bytes. Containers, globals, calls and persistent ids have items, others
/// bytes or a number.
struct Node {
  Kind kind = Kind::none;
  bool is_decoded = false;  ///< its bytes are in Arena::decoded, not in the input
  std::uint32_t count = 0;  ///< bytes, or items
  union {
    std::int64_t integer = 0;  ///< or 0 and 1
    double real;
    std::uint32_t offset;  ///< of the first byte
    ItemRange items;
  };
};

/// An element of a container. Those of a tuple, and of what is not a container, are
/// consecutive.
struct Item {
  std::uint32_t node = 0;
  std::uint32_t next = 0;
};

struct Arena {
  std::span<const std::byte> input;
  std::vector<std::byte> decoded{};  ///< bytes that the input has with escapes
  std::vector<Node> nodes{};
  std::vector<Item> items{};
  std::uint32_t root = kNone;

  std::span<const std::byte> bytes_of(const Node& node) const noexcept {
    const std::span<const std::byte> from(node.is_decoded ? decoded : input);
    return from.subspan(node.offset, node.count);
  }
};

inline std::string_view as_text(std::span<const std::byte> bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline std::span<const std::byte> as_bytes(std::string_view text) noexcept {
  return std::as_bytes(std::span(text.data(), text.size()));
}

/// Returns whether a node of this kind has items.
constexpr bool has_items(Kind kind) noexcept {
  return kind >= Kind::list;
}

}  // namespace bev::pickle
