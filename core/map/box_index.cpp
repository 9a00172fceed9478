#include "core/map/box_index.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace bev::map {
namespace {

constexpr std::size_t kNodeSize = 16;

struct Centre {
  double x, y;
  std::uint32_t row;
};

std::vector<Centre> centres_of(std::span<const Box> boxes) {
  std::vector<Centre> centres;
  centres.reserve(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Box& box = boxes[i];
    if (box.empty()) continue;
    centres.push_back({box.min_x / 2 + box.max_x / 2, box.min_y / 2 + box.max_y / 2,
                       static_cast<std::uint32_t>(i)});
  }
  return centres;
}

/// Orders by one coordinate. The row breaks ties, so that the order is deterministic.
struct Along {
  double Centre::*axis;

  bool operator()(const Centre& a, const Centre& b) const {
    return a.*axis != b.*axis ? a.*axis < b.*axis : a.row < b.row;
  }
};

/// Sorts into vertical strips of equal count, each sorted by y, so that 16 consecutive
/// boxes form a compact tile.
void sort_into_tiles(std::vector<Centre>& centres) {
  const auto tiles = static_cast<double>(centres.size()) / kNodeSize;
  const auto strips = static_cast<std::size_t>(std::ceil(std::sqrt(tiles)));
  const std::size_t strip_size =
      (centres.size() / std::max<std::size_t>(strips, 1) / kNodeSize + 1) * kNodeSize;
  std::sort(centres.begin(), centres.end(), Along{&Centre::x});
  for (std::size_t begin = 0; begin < centres.size(); begin += strip_size) {
    const auto end = std::min(begin + strip_size, centres.size());
    std::sort(centres.begin() + static_cast<std::ptrdiff_t>(begin),
              centres.begin() + static_cast<std::ptrdiff_t>(end), Along{&Centre::y});
  }
}

std::vector<Box> boxes_above(const std::vector<Box>& below) {
  std::vector<Box> above((below.size() + kNodeSize - 1) / kNodeSize);
  for (std::size_t i = 0; i < below.size(); ++i) above[i / kNodeSize].add(below[i]);
  return above;
}

}  // namespace

BoxIndex::BoxIndex(std::span<const Box> boxes) {
  auto centres = centres_of(boxes);
  if (centres.empty()) return;
  sort_into_tiles(centres);
  levels_.emplace_back();
  for (const Centre& centre : centres) {
    rows_.push_back(centre.row);
    levels_.front().push_back(boxes[centre.row]);
  }
  while (levels_.back().size() > 1) levels_.push_back(boxes_above(levels_.back()));
}

void BoxIndex::collect(const Query& query, std::size_t level, std::size_t node,
                       std::vector<std::uint32_t>& out) const {
  if (!levels_[level][node].is_near(query.x, query.y, query.margin)) return;
  if (level == 0) {
    out.push_back(rows_[node]);
    return;
  }
  const auto end = std::min((node + 1) * kNodeSize, levels_[level - 1].size());
  for (std::size_t child = node * kNodeSize; child < end; ++child) {
    collect(query, level - 1, child, out);
  }
}

void BoxIndex::near(const Query& query, std::vector<std::uint32_t>& out) const {
  out.clear();
  if (!levels_.empty()) collect(query, levels_.size() - 1, 0, out);
  std::sort(out.begin(), out.end());
}

}  // namespace bev::map
