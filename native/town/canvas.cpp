#include "native/town/canvas.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/geom/trig.hpp"
#include "native/town/random.hpp"

namespace bev::town {
namespace {

constexpr int kSubrows = 4;  // samples per pixel row; coverage along a row is exact

// Returns where a scan line at height y crosses the outline, ascending.
std::vector<double> crossings(std::span<const Vec2> outline, double y) {
  std::vector<double> out;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Vec2 a = outline[i], b = outline[(i + 1) % outline.size()];
    if ((a.y <= y) == (b.y <= y)) continue;
    out.push_back(a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x));
  }
  std::sort(out.begin(), out.end());
  return out;
}

// Adds the coverage of each pixel between two positions of a scan line.
void cover_span(double begin, double end, float share, std::span<float> row) {
  const auto size = static_cast<double>(row.size());
  begin = std::clamp(begin, 0.0, size);
  end = std::clamp(end, 0.0, size);
  for (auto i = static_cast<std::size_t>(begin);
       i < row.size() && static_cast<double>(i) < end; ++i) {
    const double left = static_cast<double>(i);
    row[i] +=
        share * static_cast<float>(std::min(end, left + 1) - std::max(begin, left));
  }
}

}  // namespace

Canvas::Canvas(const AerialFrame& frame)
    : frame_(frame),
      pixels_(static_cast<std::size_t>(frame.rows) *
              static_cast<std::size_t>(frame.columns) * 3),
      row_cover_(static_cast<std::size_t>(frame.columns)) {}

void Canvas::set(int row, int column, Colour8 colour) noexcept {
  const std::size_t at =
      3 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(frame_.columns) +
           static_cast<std::size_t>(column));
  pixels_[at] = colour.red;
  pixels_[at + 1] = colour.green;
  pixels_[at + 2] = colour.blue;
}

void Canvas::blend(int row, std::span<const float> cover, int first) {
  std::uint8_t* pixel = &pixels_[3 * (static_cast<std::size_t>(row) *
                                          static_cast<std::size_t>(frame_.columns) +
                                      static_cast<std::size_t>(first))];
  const float ink[3] = {static_cast<float>(ink_.red), static_cast<float>(ink_.green),
                        static_cast<float>(ink_.blue)};
  for (const float share : cover) {
    for (const float channel : ink) {
      const float below = static_cast<float>(*pixel);
      const float mixed = below + std::min(share, 1.0F) * (channel - below);
      *pixel++ = static_cast<std::uint8_t>(std::lround(mixed));
    }
  }
}

void Canvas::fill(std::span<const Vec2> outline, Colour8 colour, double cover) {
  ink_ = colour;
  std::vector<Vec2> in_image;
  double top = frame_.rows, bottom = 0, leftmost = frame_.columns, rightmost = 0;
  for (const Vec2& in_world : outline) {
    const Vec2 at = {(in_world.x - frame_.top_left.x) / frame_.metres_per_pixel,
                     (frame_.top_left.y - in_world.y) / frame_.metres_per_pixel};
    in_image.push_back(at);
    top = std::min(top, at.y);
    bottom = std::max(bottom, at.y);
    leftmost = std::min(leftmost, at.x);
    rightmost = std::max(rightmost, at.x);
  }
  const int first = std::max(0, static_cast<int>(leftmost));
  const int last = std::min(frame_.columns, static_cast<int>(rightmost) + 1);
  if (first >= last) return;
  const auto row = std::span(row_cover_).first(static_cast<std::size_t>(last - first));
  const int end = std::min(frame_.rows, static_cast<int>(bottom) + 1);
  for (int r = std::max(0, static_cast<int>(top)); r < end; ++r) {
    std::fill(row.begin(), row.end(), 0.0F);
    for (int line = 0; line < kSubrows; ++line) {
      const auto at = crossings(in_image, r + (line + 0.5) / kSubrows);
      for (std::size_t i = 0; i + 1 < at.size(); i += 2) {
        cover_span(at[i] - first, at[i + 1] - first,
                   static_cast<float>(cover / kSubrows), row);
      }
    }
    blend(r, row, first);
  }
}

void Canvas::ribbon(const Path& path, double begin, double end, double left,
                    double right, Colour8 colour, double cover) {
  // In pieces, so that outlines are short and a scan line crosses few edges.
  constexpr double kPiece = 12;
  const auto pieces = std::max(1, static_cast<int>(std::ceil((end - begin) / kPiece)));
  const double size = (end - begin) / pieces;
  for (int i = 0; i < pieces; ++i) {
    const double from = begin + i * size;
    std::vector<Vec2> outline;
    // Pieces overlap slightly, or their smooth edges would show the ground.
    const double to = from + size + (i + 1 < pieces && cover >= 1 ? 0.5 : 0);
    for (int k = 0; k <= 4; ++k) {
      outline.push_back(path.beside(from + (to - from) * k / 4, left));
    }
    for (int k = 4; k >= 0; --k) {
      outline.push_back(path.beside(from + (to - from) * k / 4, right));
    }
    fill(outline, colour, cover);
  }
}

void Canvas::disc(Vec2 centre, double radius, Colour8 colour, double cover) {
  constexpr int kCorners = 12;
  std::vector<Vec2> outline;
  for (int i = 0; i < kCorners; ++i) {
    const auto [s, c] = geom::sincos(2 * std::numbers::pi * i / kCorners);
    outline.push_back({centre.x + radius * c, centre.y + radius * s});
  }
  fill(outline, colour, cover);
}

void Canvas::grain(int amount, std::uint64_t seed) {
  Random random(seed, 77);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < pixels_.size(); i += 3) {
    if (i % 24 == 0) bits = random.bits();
    const int shift = static_cast<int>(bits & 255) % (2 * amount + 1) - amount;
    bits >>= 8;
    for (std::size_t k = i; k < i + 3; ++k) {
      pixels_[k] = static_cast<std::uint8_t>(std::clamp(pixels_[k] + shift, 0, 255));
    }
  }
}

}  // namespace bev::town
