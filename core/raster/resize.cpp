#include "core/raster/resize.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace bev::raster {
namespace {

constexpr float kWeightOne = 2048;

std::uint16_t weight_of(float part) noexcept {
  return static_cast<std::uint16_t>(std::nearbyint(part * kWeightOne));
}

/// Returns the position among `source` pixels of pixel `at` of `target` pixels.
float place(std::int32_t at, std::int32_t target, std::int32_t source) noexcept {
  const double scale = 1 / (static_cast<double>(target) / source);
  return static_cast<float>((at + 0.5) * scale - 0.5);
}

/// Returns the addresses of row y of a part in the output planes.
RgbPlanes planes_at(const RgbPlanes& out, const Resizer::Part& part,
                    std::int32_t y) noexcept {
  const std::int32_t row = part.upside_down ? part.size.height - 1 - y : y;
  const auto offset = static_cast<std::ptrdiff_t>(row) * part.size.width;
  return {out[0] + offset, out[1] + offset, out[2] + offset};
}

}  // namespace

Between Resizer::column(std::int32_t x, std::int32_t target, std::int32_t source) {
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
  return {first, weight_of(1 - at), weight_of(at)};
}

Resizer::Tap Resizer::row_tap(std::int32_t y, std::int32_t target,
                              std::int32_t source) {
  float at = place(y, target, source);
  const auto first = static_cast<std::int32_t>(std::floor(at));
  at -= static_cast<float>(first);
  const auto inside = [&](std::int32_t row) { return std::clamp(row, 0, source - 1); };
  return {inside(first), inside(first + 1), weight_of(1 - at), weight_of(at)};
}

/// Returns source row y interpolated at the target's columns; keeps row `other` cached.
const Lanes* Resizer::row(const RgbRows& source, std::int32_t y, std::int32_t other) {
  for (const Row& kept : rows_) {
    if (kept.y == y) return kept.values.data();
  }
  Row& made = rows_[0].y == other ? rows_[1] : rows_[0];
  made.y = y;
  const std::size_t width = source_row_.size() - 1;
  if (const std::uint8_t* const bytes = source.bytes(y, width)) {
    between(bytes, columns_, made.values.data());
  } else {
    source.read(y, std::span(source_row_).first(width));
    between(source_row_.data(), columns_, made.values.data());
  }
  return made.values.data();
}

void Resizer::halve(const RgbRows& source, const Part& part, const RgbPlanes& out) {
  second_row_.resize(source_row_.size());
  const auto width = static_cast<std::size_t>(part.size.width);
  const std::size_t first = 2 * static_cast<std::size_t>(part.x);
  for (std::int32_t y = 0; y < part.size.height; ++y) {
    const std::int32_t from = 2 * (part.y + y);
    const RgbPlanes to = planes_at(out, part, y);
    const std::uint8_t* const upper = source.bytes(from, source_row_.size());
    const std::uint8_t* const lower = source.bytes(from + 1, source_row_.size());
    if (upper != nullptr && lower != nullptr) {
      raster::halve(upper + first * 3, lower + first * 3, width, to);
      continue;
    }
    source.read(from, source_row_);
    source.read(from + 1, second_row_);
    raster::halve(&source_row_[first], &second_row_[first], width, to);
  }
}

void Resizer::resize(const RgbRows& source, Size source_size, Size target_size,
                     const Part& part, const RgbPlanes& out) {
  if (source_size == Size{2 * target_size.width, 2 * target_size.height}) {
    source_row_.resize(static_cast<std::size_t>(source_size.width));
    return halve(source, part, out);
  }
  source_row_.resize(static_cast<std::size_t>(source_size.width) + 1);
  const auto width = static_cast<std::size_t>(part.size.width);
  columns_.resize(width);
  for (std::size_t x = 0; x < width; ++x) {
    columns_[x] = column(part.x + static_cast<std::int32_t>(x), target_size.width,
                         source_size.width);
  }
  for (Row& row : rows_) {
    row.y = -1;
    row.values.resize(width);
  }
  for (std::int32_t y = 0; y < part.size.height; ++y) {
    const Tap tap = row_tap(part.y + y, target_size.height, source_size.height);
    const Lanes* const upper = row(source, tap.first, tap.second);
    const Lanes* const lower = row(source, tap.second, tap.first);
    mix({upper, lower, tap.weight, tap.second_weight}, width, planes_at(out, part, y));
  }
}

}  // namespace bev::raster
