#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/map/elements.hpp"

namespace bev::map {

/// Finds the boxes near a point: an R-tree, packed once (sorted into tiles, 16 boxes
/// per node). Unlike a grid, it needs no cell size, and large boxes take no extra
/// memory.
///
/// Shapes         Rows are positions in the given list of boxes. Empty boxes are never
///                found.
/// Throws         Nothing. A NaN query finds nothing.
/// Thread safety  Immutable; concurrent queries are safe.
/// Reference      Leutenegger, Lopez, Edgington: STR, a simple and efficient algorithm
///                for R-tree packing (1997).
class BoxIndex {
 public:
  BoxIndex() = default;
  explicit BoxIndex(std::span<const Box> boxes);

  /// Returns the rows of the boxes that are `is_near` the point, in ascending order;
  /// the same result as a linear scan.
  std::vector<std::uint32_t> near(double x, double y, double margin) const {
    std::vector<std::uint32_t> out;
    near({x, y, margin}, out);
    return out;
  }

  struct Query {
    double x, y, margin;
  };

  /// As above, into a reusable vector.
  void near(const Query& query, std::vector<std::uint32_t>& out) const;

 private:
  void collect(const Query& query, std::size_t level, std::size_t node,
               std::vector<std::uint32_t>& out) const;

  std::vector<std::uint32_t> rows_;  ///< rows of the lowest level's boxes
  /// Levels from lowest to the single root box. Box i of a level has the children from
  /// 16 i on in the level below.
  std::vector<std::vector<Box>> levels_;
};

}  // namespace bev::map
