#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/zarr/dtype.hpp"

namespace bev::native {

/// Which bytes of a stored element are wanted, and what they are then.
///
/// Example  `yaw` of the agents is {"yaw", <f4, {{28, 4}}}; `yaw,centroid` is a record
/// of
///          20 bytes, {{28, 4}, {0, 16}}.
struct Selection {
  struct Piece {
    std::size_t offset = 0;  ///< in the stored element
    std::size_t size = 0;
    bool operator==(const Piece&) const = default;
  };

  std::string name;           ///< of the one field, "" for all or several
  zarr::DType type;           ///< of a result: a packed record, or one field's own type
  std::vector<Piece> pieces;  ///< side by side they make a result
};

/// What a list of fields means for elements of `stored`: all of it for none, a plain
/// type for exactly one, else a packed record of them in the order given. A dotted name
/// is a field of a nested record; it keeps its dots.
///
/// @throws Error  not_found for a name that is not there, with those that are;
///                invalid_argument for one given twice and for fields of a plain type
Selection select_fields(const zarr::DType& stored, std::span<const std::string> fields);

/// Gathers the selection of every element in `stored` (a whole number of elements of
/// `stored_size` bytes) into `out`, which is replaced.
void gather(const Selection& selection, std::size_t stored_size,
            std::span<const std::byte> stored, std::vector<std::byte>& out);

}  // namespace bev::native
