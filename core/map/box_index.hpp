#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/map/elements.hpp"

namespace bev::map {

/// Finds the boxes near a point without looking at all of them: an R-tree, packed once
/// (sorted into tiles, 16 boxes to a node). A grid would want a cell size, and one box
/// across the whole map would fill all of its cells; this is of one size whatever the
/// boxes are.
///
/// Shapes    Rows are positions in the list of boxes given. Empty boxes are in no
/// answer. Errors    None. A query of NaN has no answer. Threads   Immutable; any
/// number may ask. Source    Leutenegger, Lopez, Edgington: STR, a simple and efficient
/// algorithm for
///           R-tree packing (1997).
class BoxIndex {
 public:
  BoxIndex() = default;
  explicit BoxIndex(std::span<const Box> boxes);

  /// The rows whose boxes `is_near` the point, in ascending order: exactly what a scan
  /// of all boxes finds.
  std::vector<std::uint32_t> near(double x, double y, double margin) const {
    std::vector<std::uint32_t> out;
    near({x, y, margin}, out);
    return out;
  }

  struct Query {
    double x, y, margin;
  };

  /// The same into memory that is used again.
  void near(const Query& query, std::vector<std::uint32_t>& out) const;

 private:
  void collect(const Query& query, std::size_t level, std::size_t node,
               std::vector<std::uint32_t>& out) const;

  std::vector<std::uint32_t> rows_;  ///< of the boxes of the lowest level
  /// The lowest first, the last of one box. Box i holds those from 16 i on of the level
  /// below it.
  std::vector<std::vector<Box>> levels_;
};

}  // namespace bev::map
