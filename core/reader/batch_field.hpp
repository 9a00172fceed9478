#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bev::reader {

/// Length of an axis that varies from item to item.
inline constexpr auto kVariable = std::numeric_limits<std::size_t>::max();

/// An array of a reader's batches.
struct BatchField {
  std::string name;   ///< "yaw", "yaw@-10", "window.mask"
  std::string dtype;  ///< NumPy's code; of strings "<U16", of any length "utf8"
  std::vector<std::size_t> shape;  ///< of an item; kVariable: varies
  std::string kind =
      {};  ///< of variable length: "array", "bytes", "text", "image", "npy"
  std::string content_type = {};  ///< of images and bytes, if known
  bool nullable = false;  ///< the array NAME.valid says which items are not null

  bool operator==(const BatchField&) const = default;
};

/// Formats fields for messages: "yaw <f4, centroid <f8 (2)".
std::string to_text(std::span<const BatchField> fields);

/// Checks that a reader has the arrays of the first one, in any order.
///
/// @param thing   prefix of the message: "mix"
/// @param reader  its number
/// Throws         invalid_argument with the fields of both readers
void check_same_fields(std::span<const BatchField> first,
                       std::span<const BatchField> other, std::string_view thing,
                       std::size_t reader);

}  // namespace bev::reader
