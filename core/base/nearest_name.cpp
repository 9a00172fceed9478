#include "core/base/nearest_name.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace bev {
namespace {

/// Longer names are typed by nobody, and comparing them takes long.
constexpr std::size_t kLongestName = 100;

/// Returns the Levenshtein distance.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    auto diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const auto replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string_view nearest_name(std::string_view found,
                              std::span<const std::string_view> names) {
  std::string_view nearest;
  if (found.size() > kLongestName) return nearest;
  auto least = kLongestName;
  for (const auto name : names) {
    const auto distance = edits(found, name);
    if (3 * distance > std::max(found.size(), name.size()) || distance >= least) {
      continue;
    }
    least = distance;
    nearest = name;
  }
  return nearest;
}

}  // namespace bev
