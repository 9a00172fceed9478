#include "core/raster/resize.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace bev::raster {
namespace {

constexpr float kOne = 2048;

std::uint16_t weight_of(float part) noexcept {
  return static_cast<std::uint16_t>(std::nearbyint(part * kOne));
}

/// Where pixel `at` of `target` pixels lies among `source` pixels.
float place(std::int32_t at, std::int32_t target, std::int32_t source) noexcept {
  const double scale = 1 / (static_cast<double>(target) / source);
  return static_cast<float>((at + 0.5) * scale - 0.5);
}

/// The row of planes that row y of a part is written to.
std::ptrdiff_t row_offset(const Resizer::Part& part, std::int32_t y) noexcept {
  const std::int32_t row = part.upside_down ? part.size.height - 1 - y : y;
  return static_cast<std::ptrdiff_t>(row) * part.size.width;
}

}  // namespace

Resizer::Tap Resizer::column_tap(std::int32_t x, std::int32_t target,
                                 std::int32_t source) {
  float at = place(x, target, source);
  auto first = static_cast<std::int32_t>(std::floor(at));
  at -= static_cast<float>(first);
  if (first < 0) {
    first = 0;
    at = 0;
  }
  if (first >= source - 1) {
    first = source - 1;
    at = 0;
  }
  return {first, std::min(first + 1, source - 1), weight_of(1 - at), weight_of(at)};
}

Resizer::Tap Resizer::row_tap(std::int32_t y, std::int32_t target,
                              std::int32_t source) {
  float at = place(y, target, source);
  const auto first = static_cast<std::int32_t>(std::floor(at));
  at -= static_cast<float>(first);
  const auto inside = [&](std::int32_t row) { return std::clamp(row, 0, source - 1); };
  return {inside(first), inside(first + 1), weight_of(1 - at), weight_of(at)};
}

/// Source row y between the target's columns; the row `other` is kept.
const std::uint16_t* Resizer::row(const RgbRows& source, std::int32_t y,
                                  std::int32_t other) {
  for (const Row& kept : rows_) {
    if (kept.y == y) return kept.values.data();
  }
  Row& made = rows_[0].y == other ? rows_[1] : rows_[0];
  made.y = y;
  source.read(y, source_row_);
  std::uint16_t* out = made.values.data();
  for (std::size_t c = 0; c < 3; ++c) {
    const std::uint8_t* const from = source_row_.data() + c;
    for (const Tap& tap : taps_) {
      const unsigned sum =
          from[tap.first * 3] * static_cast<unsigned>(tap.weight) +
          from[tap.second * 3] * static_cast<unsigned>(tap.second_weight);
      *out++ = static_cast<std::uint16_t>(sum >> 4);
    }
  }
  return made.values.data();
}

void Resizer::halve(const RgbRows& source, const Part& part, const RgbPlanes& out) {
  second_row_.resize(source_row_.size());
  const auto width = static_cast<std::size_t>(part.size.width);
  const auto left = static_cast<std::size_t>(part.x) * 6;
  for (std::int32_t y = 0; y < part.size.height; ++y) {
    source.read(2 * (part.y + y), source_row_);
    source.read(2 * (part.y + y) + 1, second_row_);
    for (std::size_t c = 0; c < 3; ++c) {
      std::uint8_t* const to = out[c] + row_offset(part, y);
      const std::uint8_t* const upper = source_row_.data() + left + c;
      const std::uint8_t* const lower = second_row_.data() + left + c;
      for (std::size_t x = 0; x < width; ++x) {
        const int sum =
            upper[6 * x] + upper[6 * x + 3] + lower[6 * x] + lower[6 * x + 3];
        to[x] = static_cast<std::uint8_t>((sum + 2) >> 2);
      }
    }
  }
}

void Resizer::resize(const RgbRows& source, Size source_size, Size target_size,
                     const Part& part, const RgbPlanes& out) {
  source_row_.resize(static_cast<std::size_t>(source_size.width) * 3);
  if (source_size == Size{2 * target_size.width, 2 * target_size.height}) {
    return halve(source, part, out);
  }
  const auto width = static_cast<std::size_t>(part.size.width);
  taps_.resize(width);
  for (std::size_t x = 0; x < width; ++x) {
    taps_[x] = column_tap(part.x + static_cast<std::int32_t>(x), target_size.width,
                          source_size.width);
  }
  for (Row& row : rows_) {
    row.y = -1;
    row.values.resize(3 * width);
  }
  for (std::int32_t y = 0; y < part.size.height; ++y) {
    const Tap tap = row_tap(part.y + y, target_size.height, source_size.height);
    const std::uint16_t* upper = row(source, tap.first, tap.second);
    const std::uint16_t* lower = row(source, tap.second, tap.first);
    for (std::uint8_t* const plane : out) {
      std::uint8_t* const to = plane + row_offset(part, y);
      for (std::size_t x = 0; x < width; ++x) {
        const std::uint32_t above = std::uint32_t{upper[x]} * tap.weight >> 16;
        const std::uint32_t below = std::uint32_t{lower[x]} * tap.second_weight >> 16;
        to[x] = static_cast<std::uint8_t>((above + below + 2) >> 2);
      }
      upper += width;
      lower += width;
    }
  }
}

}  // namespace bev::raster
