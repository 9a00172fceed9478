#include "core/scene/split.hpp"

#include <cmath>
#include <string>

#include "core/base/error.hpp"

namespace bev::scene {

namespace {

constexpr double kGigabyte = 1024.0 * 1024 * 1024;

[[noreturn]] void refuse(Message what) {
  fail(Errc::invalid_argument, {"split: ", joined(what)});
}

std::int64_t share(std::uint64_t scene_count, double size_gb, double total_gb) {
  if (!(size_gb >= 0) || std::isinf(size_gb)) {
    refuse({"invalid size of a part (found ", std::to_string(size_gb),
            " GB, expected 0 or more)"});
  }
  const auto all = static_cast<double>(scene_count);
  const auto scenes = all * size_gb / total_gb;
  if (!(scenes < all)) {
    refuse({"a part exceeds the data set (found ", std::to_string(size_gb),
            " GB, expected less than ", std::to_string(total_gb), ")"});
  }
  return static_cast<std::int64_t>(scenes);
}

}  // namespace

std::vector<Interval> split_scenes(std::uint64_t scene_count,
                                   std::uint64_t stored_bytes,
                                   std::span<const double> sizes_gb) {
  if (sizes_gb.empty() || sizes_gb.back() != -1) {
    refuse({"the last size must be -1, for the rest"});
  }
  const auto total_gb = static_cast<double>(stored_bytes) / kGigabyte;
  const auto all = static_cast<std::int64_t>(scene_count);
  std::vector<Interval> parts;
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < sizes_gb.size(); ++i) {
    const bool last = i + 1 == sizes_gb.size();
    const auto end = last ? all : begin + share(scene_count, sizes_gb[i], total_gb);
    if (end <= begin || end > all) {
      refuse({"part ", i, " is empty or out of range (scenes [", begin, ", ", end,
              ") of ", all, ")"});
    }
    parts.push_back({begin, end});
    begin = end;
  }
  return parts;
}

}  // namespace bev::scene
