#include "core/raster/line_aa.hpp"

#include <array>
#include <cstdlib>
#include <utility>

namespace bev::raster {
namespace {

constexpr unsigned kLeft = 1, kRight = 2, kAbove = 4, kBelow = 8;

unsigned side(std::int64_t v, std::int64_t most, unsigned low, unsigned high) noexcept {
  return (v < 0 ? low : 0U) | (v > most ? high : 0U);
}

/// Moves a point along the line to where its coordinate `across` equals `at`.
void move(std::int64_t& along, std::int64_t& across, std::int64_t to_along,
          std::int64_t to_across, std::int64_t at) noexcept {
  along += static_cast<std::int64_t>(static_cast<double>(at - across) *
                                     static_cast<double>(to_along - along) /
                                     static_cast<double>(to_across - across));
  across = at;
}

constexpr int kShift = 16;
constexpr std::int64_t kOne = std::int64_t{1} << kShift;

/// Additional weight of oblique lines, by slope in 32 steps.
constexpr std::array<std::uint8_t, 32> kSlopeWeight = {
    181, 181, 181, 182, 182, 183, 184, 185, 187, 188, 190, 192, 194, 196, 198, 201,
    203, 206, 209, 211, 214, 218, 221, 224, 227, 231, 235, 238, 242, 246, 250, 254};

/// Gaussian profile across the line, in 32nds of a pixel.
constexpr std::array<std::uint8_t, 64> kFilter = {
    168, 177, 185, 194, 202, 210, 218, 224, 231, 236, 241, 246, 249, 252, 254, 254,
    254, 254, 252, 249, 246, 241, 236, 231, 224, 218, 210, 202, 194, 185, 177, 168,
    158, 149, 140, 131, 122, 114, 105, 97,  89,  82,  75,  68,  62,  56,  50,  45,
    40,  36,  32,  28,  25,  22,  19,  16,  14,  12,  11,  9,   8,   7,   5,   5};

/// A line inside the image, ascending along its longer (major) axis.
struct Run {
  std::int64_t major, minor;  ///< start position
  std::int64_t step;          ///< change of minor per pixel of major
  std::int32_t count;         ///< remaining steps
  std::uint32_t from, to;     ///< end fractions of major, in 1/16 pixel, times 8
};

Run run_of(std::int64_t major0, std::int64_t minor0, std::int64_t major1,
           std::int64_t minor1) noexcept {
  if (major1 < major0) {
    std::swap(major0, major1);
    std::swap(minor0, minor1);
  }
  Run run{};
  run.step = (minor1 - minor0) * kOne / ((major1 - major0) | 1);
  major1 += kOne;
  run.count = static_cast<std::int32_t>((major1 >> kShift) - (major0 >> kShift));
  run.minor = minor0 + ((run.step * -(major0 & (kOne - 1))) >> kShift) + (kOne >> 1);
  run.major = major0 >> kShift;
  run.from = static_cast<std::uint32_t>(major0 >> (kShift - 7)) & 0x78U;
  run.to = static_cast<std::uint32_t>(major1 >> (kShift - 7)) & 0x78U;
  return run;
}

/// Returns the weights of a run's steps by distance to its ends: index 3 * a + b, where
/// a and b are the steps behind and ahead, at most 2.
std::array<std::uint32_t, 9> end_weights(const Run& run) noexcept {
  auto index = static_cast<std::uint32_t>(run.step >> (kShift - 5)) & 0x3FU;
  if (run.step < 0) index ^= 0x3FU;
  const std::uint32_t slope = (index & 0x20U) != 0 ? 256U : kSlopeWeight[index & 0x1FU];
  const std::uint32_t apart = run.to - run.from;  // may wrap; only low bits are used
  const std::uint32_t behind = ((0x78U - run.from) | 4U) * slope;
  const std::uint32_t ahead = (run.to | 4U) * slope;
  const auto weight = [](std::uint32_t product) { return (product >> 8) & 0x1FFU; };
  const std::uint32_t once = weight(((apart & 0x78U) | 4U) * slope);
  return {0,
          once,
          weight(behind),
          once,
          weight(((apart + 0x80U) | 4U) * slope),
          weight(behind + (slope << 7)),
          weight(ahead),
          weight(ahead + (slope << 7)),
          slope};
}

/// Pointer distances between neighbours along both axes, and the axes' sizes.
struct Axes {
  std::ptrdiff_t major, minor;
  std::int32_t major_size, minor_size;
};

/// Paints the three pixels across a line at one step, skipping those outside `size`.
template <class Pixel>
struct Brush {
  Ink<Pixel> ink;
  std::ptrdiff_t pitch;  ///< distance between the three pixels
  std::int64_t size;

  void paint(Pixel* column, std::int64_t minor, std::uint32_t all) const {
    const auto across = static_cast<std::size_t>(minor >> (kShift - 5)) & 31U;
    const std::int64_t at = (minor >> kShift) - 1;
    Pixel* const three = column + at * pitch;
    const auto one = [&](Pixel& pixel, std::size_t filter) {
      pixel = ink.over(pixel, (all * kFilter[filter] >> 8) & 255U);
    };
    if (at >= 0 && at + 2 < size) {
      one(three[0], across + 32);
      one(three[pitch], across);
      one(three[2 * pitch], 63 - across);
      return;
    }
    const auto inside = [&](std::int64_t i) { return i >= 0 && i < size; };
    if (inside(at)) one(three[0], across + 32);
    if (inside(at + 1)) one(three[pitch], across);
    if (inside(at + 2)) one(three[2 * pitch], 63 - across);
  }
};

template <class Pixel>
void draw_run(Pixel* pixels, const Axes& axes, const Run& run, Ink<Pixel> ink) {
  const auto weights = end_weights(run);
  const Brush<Pixel> brush{ink, axes.minor, axes.minor_size};
  const auto near = [](std::int32_t steps) {
    return static_cast<std::size_t>(steps < 2 ? steps : 2);
  };
  // The line is clipped, so only the last step may lie outside along the major axis.
  const std::int32_t steps =
      run.major + run.count < axes.major_size ? run.count : run.count - 1;
  std::int64_t minor = run.minor;
  Pixel* column = pixels + run.major * axes.major;
  for (std::int32_t i = 0; i <= steps; ++i) {
    brush.paint(column, minor, weights[near(i) * 3 + near(run.count - i)]);
    minor += run.step;
    column += axes.major;
  }
}

}  // namespace

bool clip_line(std::int64_t right, std::int64_t bottom, Point64& a,
               Point64& b) noexcept {
  const auto side_x = [&](const Point64& p) { return side(p.x, right, kLeft, kRight); };
  const auto side_y = [&](const Point64& p) {
    return side(p.y, bottom, kAbove, kBelow);
  };
  const auto into_rows = [&](Point64& p, const Point64& other, unsigned& where) {
    if ((where & (kAbove | kBelow)) == 0) return;
    move(p.x, p.y, other.x, other.y, (where & kBelow) != 0 ? bottom : 0);
    where = side_x(p);
  };
  const auto into_columns = [&](Point64& p, const Point64& other, unsigned& where) {
    if (where == 0) return;
    move(p.y, p.x, other.y, other.x, where == kLeft ? 0 : right);
    where = 0;
  };

  unsigned at_a = side_x(a) | side_y(a);
  unsigned at_b = side_x(b) | side_y(b);
  if ((at_a & at_b) != 0) return false;
  if ((at_a | at_b) == 0) return true;
  into_rows(a, b, at_a);
  into_rows(b, a, at_b);
  if ((at_a & at_b) != 0) return false;
  into_columns(a, b, at_a);
  into_columns(b, a, at_b);
  return true;
}

template <class Pixel>
void draw_line_aa(Canvas<Pixel> canvas, Point64 a, Point64 b, Pixel colour) {
  const std::int64_t right = canvas.width * kOne - 1;
  const std::int64_t bottom = canvas.height * kOne - 1;
  if (right < 0 || bottom < 0) return;
  const bool beside = (a.x < 0 && b.x < 0) || (a.x > right && b.x > right) ||
                      (a.y < 0 && b.y < 0) || (a.y > bottom && b.y > bottom);
  if (beside || !clip_line(right, bottom, a, b)) return;
  const Ink<Pixel> ink(colour);
  if (std::abs(b.x - a.x) > std::abs(b.y - a.y)) {
    draw_run(canvas.pixels, {1, canvas.width, canvas.width, canvas.height},
             run_of(a.x, a.y, b.x, b.y), ink);
  } else {
    draw_run(canvas.pixels, {canvas.width, 1, canvas.height, canvas.width},
             run_of(a.y, a.x, b.y, b.x), ink);
  }
}

template <class Pixel>
void draw_polyline_aa(Canvas<Pixel> canvas, std::span<const PointQ9> points,
                      bool closed, Pixel colour) {
  if (points.empty()) return;
  const auto at = [](PointQ9 p) {
    return Point64{std::int64_t{p.x} * 128, std::int64_t{p.y} * 128};
  };
  Point64 from = at(closed ? points.back() : points.front());
  for (const PointQ9& point : points.subspan(closed ? 0 : 1)) {
    const Point64 to = at(point);
    draw_line_aa(canvas, from, to, colour);
    from = to;
  }
}

template void draw_line_aa(Canvas<Gray>, Point64, Point64, Gray);
template void draw_line_aa(Canvas<Rgba>, Point64, Point64, Rgba);
template void draw_polyline_aa(Canvas<Gray>, std::span<const PointQ9>, bool, Gray);
template void draw_polyline_aa(Canvas<Rgba>, std::span<const PointQ9>, bool, Rgba);

}  // namespace bev::raster
