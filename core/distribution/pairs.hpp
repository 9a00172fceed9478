#pragma once

#include <cstddef>
#include <cstdint>

#include "core/distribution/interval.hpp"
#include "core/distribution/table.hpp"

namespace bev::distribution {

/// Two categories, such as the models A and B, of a column.
struct PairOf {
  std::size_t by = 0;
  std::uint32_t a = 0;
  std::uint32_t b = 1;
};

/// A column's values of A and of B for the same scene, frame and track.
struct Paired {
  MeanInterval a, b;
  MeanInterval difference;  ///< B - A, pair by pair
  std::size_t missing = 0;  ///< passing pairs in which A or B has no value
  std::size_t alone = 0;    ///< passing rows of A or B without a counterpart
  std::size_t lower = 0;    ///< pairs in which B is lower than A
  std::size_t equal = 0;
};

/// Compares A and B over the pairs of which both rows pass the brushes of all columns but
/// `pair.by`.
///
/// Throws  invalid_argument if A or B is not a category of the column
Paired paired(const Table& table, std::size_t column, const PairOf& pair);

}  // namespace bev::distribution
