#include "core/distribution/pairs.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "core/base/error.hpp"

namespace bev::distribution {
namespace {

using Rows = std::vector<std::uint32_t>;

auto id_of(const RowIds& ids, std::uint32_t row) {
  return std::tuple(ids.scenes[row], ids.frames[row], ids.tracks[row]);
}

/// Returns the passing rows of a category by scene, frame and track.
Rows rows_of(const Table& table, std::size_t by, std::uint32_t category) {
  Rows out;
  const auto& of = table.values(by);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (of[row] == category && table.passes_without(row, by))
      out.push_back(static_cast<std::uint32_t>(row));
  }
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    return id_of(table.ids(), a) < id_of(table.ids(), b);
  };
  if (!std::is_sorted(out.begin(), out.end(), before))
    std::stable_sort(out.begin(), out.end(), before);
  return out;
}

/// The pairs with both values.
struct Values {
  Rows rows;
  std::vector<double> a, b, difference;
};

}  // namespace

Paired paired(const Table& table, std::size_t column, const PairOf& pair) {
  const auto count = table.groups(pair.by) - 1;
  if (pair.a >= count || pair.b >= count || pair.a == pair.b) {
    fail(Errc::invalid_argument, {"distribution: no pair (found ", pair.a, " and ",
                                  pair.b, ", expected two of 0 to ", count - 1, ")"});
  }
  const auto& values = table.values(column);
  const auto& ids = table.ids();
  const auto a = rows_of(table, pair.by, pair.a), b = rows_of(table, pair.by, pair.b);
  Paired out;
  Values both;
  auto left = a.begin(), right = b.begin();
  while (left != a.end() && right != b.end()) {
    if (id_of(ids, *left) < id_of(ids, *right)) {
      ++out.alone, ++left;
    } else if (id_of(ids, *right) < id_of(ids, *left)) {
      ++out.alone, ++right;
    } else {
      const double one = values[*left], other = values[*right];
      if (std::isnan(one) || std::isnan(other)) {
        ++out.missing;
      } else {
        both.rows.push_back(*left);
        both.a.push_back(one);
        both.b.push_back(other);
        both.difference.push_back(other - one);
        out.lower += other < one ? 1 : 0;
        out.equal += other == one ? 1 : 0;
      }
      ++left, ++right;
    }
  }
  out.alone += static_cast<std::size_t>((a.end() - left) + (b.end() - right));
  const bool share = table.columns()[column].categories == 2;
  out.a = mean_of(ids, both.rows, both.a, share);
  out.b = mean_of(ids, both.rows, both.b, share);
  out.difference = mean_of(ids, both.rows, both.difference);
  return out;
}

}  // namespace bev::distribution
