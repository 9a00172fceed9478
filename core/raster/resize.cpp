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

/// Two rows of a plane by their weights.
struct Mix {
  const std::uint16_t* upper;
  const std::uint16_t* lower;
  std::uint16_t weight, second_weight;
};

void mix(const Mix& rows, std::size_t width, std::uint8_t* __restrict out) noexcept {
  const std::uint16_t* const upper = rows.upper;
  const std::uint16_t* const lower = rows.lower;
  for (std::size_t x = 0; x < width; ++x) {
    const std::uint32_t above = std::uint32_t{upper[x]} * rows.weight >> 16;
    const std::uint32_t below = std::uint32_t{lower[x]} * rows.second_weight >> 16;
    out[x] = static_cast<std::uint8_t>((above + below + 2) >> 2);
  }
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
  const std::size_t width = taps_.size();
  std::uint16_t* const red = made.values.data();
  std::uint16_t* const green = red + width;
  std::uint16_t* const blue = green + width;
  for (std::size_t x = 0; x < width; ++x) {
    const Tap& tap = taps_[x];
    const Lanes value = between(source_row_[static_cast<std::size_t>(tap.first)],
                                source_row_[static_cast<std::size_t>(tap.second)],
                                tap.weight, tap.second_weight);
    red[x] = static_cast<std::uint16_t>(value);
    green[x] = static_cast<std::uint16_t>(value >> 16);
    blue[x] = static_cast<std::uint16_t>(value >> 32);
  }
  return made.values.data();
}

void Resizer::halve(const RgbRows& source, const Part& part, const RgbPlanes& out) {
  constexpr Lanes kHalf = lanes(2, 2, 2);
  second_row_.resize(source_row_.size());
  const auto width = static_cast<std::size_t>(part.size.width);
  for (std::int32_t y = 0; y < part.size.height; ++y) {
    source.read(2 * (part.y + y), source_row_);
    source.read(2 * (part.y + y) + 1, second_row_);
    const std::ptrdiff_t row = row_offset(part, y);
    for (std::size_t x = 0; x < width; ++x) {
      const std::size_t at = 2 * (static_cast<std::size_t>(part.x) + x);
      const Lanes sum = source_row_[at] + source_row_[at + 1] + second_row_[at] +
                        second_row_[at + 1] + kHalf;
      for (std::size_t c = 0; c < 3; ++c) {
        out[c][row + static_cast<std::ptrdiff_t>(x)] =
            static_cast<std::uint8_t>(sum >> (16 * c + 2));
      }
    }
  }
}

void Resizer::resize(const RgbRows& source, Size source_size, Size target_size,
                     const Part& part, const RgbPlanes& out) {
  source_row_.resize(static_cast<std::size_t>(source_size.width));
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
      mix({upper, lower, tap.weight, tap.second_weight}, width,
          plane + row_offset(part, y));
      upper += width;
      lower += width;
    }
  }
}

}  // namespace bev::raster
