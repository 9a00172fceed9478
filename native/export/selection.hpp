#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/zarr/dtype.hpp"

namespace bev::native {

/// The selected bytes of a stored element, and their type.
///
/// Example: `yaw` of the agents is {"yaw", <f4, {{28, 4}}}; `yaw,centroid` is a record
/// of 20 bytes, {{28, 4}, {0, 16}}.
struct Selection {
  struct Piece {
    std::size_t offset = 0;  ///< in the stored element
    std::size_t size = 0;
    bool operator==(const Piece&) const = default;
  };

  std::string name;  ///< of a single field, otherwise ""
  /// Type of a result: a packed record, or the single field's type
  zarr::DType type;
  std::vector<Piece> pieces;  ///< concatenated to form a result
};

/// Resolves a list of fields of `stored`: everything if empty, a plain type for one
/// field, otherwise a packed record in the given order. A dotted name selects a field
/// of a nested record and is kept as the result's name.
///
/// Throws  not_found for an unknown name, listing the existing ones; invalid_argument
///         for a duplicate name and for fields of a plain type
Selection select_fields(const zarr::DType& stored, std::span<const std::string> fields);

/// Copies the selected parts of every element in `stored` (whole elements of
/// `stored_size` bytes) to `out`, replacing its content.
void gather(const Selection& selection, std::size_t stored_size,
            std::span<const std::byte> stored, std::vector<std::byte>& out);

}  // namespace bev::native
