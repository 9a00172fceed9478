#include "tests/fuzz/raster/target.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "core/base/error.hpp"
#include "core/raster/fill_polygons.hpp"
#include "core/raster/line_aa.hpp"
#include "core/raster/rasterizer.hpp"
#include "tests/support/small_map.hpp"
#include "tests/support/small_render_input.hpp"

namespace bev::test {
namespace {

using raster::Gray;
using raster::PointQ9;
using raster::Rgba;
using Input = std::span<const std::byte>;

// Longer inputs draw nothing new.
constexpr std::size_t kMaxPoints = 64;
// Limits the images of a config to a test's duration.
constexpr std::size_t kMaxBytes = std::size_t{1} << 22;

void hold(bool property, const char* what) {
  if (!property) throw std::logic_error(what);
}

/// A parsed input: size of the image, corners per polygon, points.
struct Drawing {
  std::int32_t width = 0, height = 0;
  std::size_t corners = 1;
  std::vector<PointQ9> points;
};

Drawing drawing_of(Input input) {
  Drawing out;
  if (input.size() < 3) return out;
  out.width = std::to_integer<std::int32_t>(input[0]) % 40;
  out.height = std::to_integer<std::int32_t>(input[1]) % 40;
  out.corners = std::to_integer<std::size_t>(input[2]) % 9;
  const std::size_t count = std::min((input.size() - 3) / sizeof(PointQ9), kMaxPoints);
  out.points.resize(count);
  if (count > 0) {
    std::memcpy(out.points.data(), input.data() + 3, count * sizeof(PointQ9));
  }
  return out;
}

/// An image with guard pixels around it, which drawing must not change.
template <class Pixel>
class Guarded {
 public:
  explicit Guarded(const Drawing& drawing)
      : size_(static_cast<std::size_t>(drawing.width * drawing.height)),
        pixels_(size_ + 2 * kAround, kUntouched) {
    std::fill_n(pixels_.begin() + kAround, size_, Pixel{0});
    canvas = {pixels_.data() + kAround, drawing.width, drawing.height};
  }

  std::span<const Pixel> pixels() const {
    hold(std::all_of(pixels_.begin(), pixels_.begin() + kAround, is_untouched) &&
             std::all_of(pixels_.end() - kAround, pixels_.end(), is_untouched),
         "a pixel outside of the image was drawn");
    return std::span(pixels_).subspan(kAround, size_);
  }

  raster::Canvas<Pixel> canvas{};

 private:
  static constexpr std::ptrdiff_t kAround = 256;
  static constexpr Pixel kUntouched = static_cast<Pixel>(0x5A5A5A5AU);
  static bool is_untouched(Pixel pixel) { return pixel == kUntouched; }

  std::size_t size_;
  std::vector<Pixel> pixels_;
};

void check_channels(std::span<const Gray> plane, std::span<const Rgba> picture) {
  for (std::size_t i = 0; i < plane.size(); ++i) {
    hold(picture[i] == plane[i] * 0x01010101U, "a colour is not its channels");
  }
}

/// Draws one agent and the ego vehicle.
std::vector<std::uint8_t> drawn(raster::Rasterizer& rasterizer) {
  const SmallFrame frame({{3, 4}, {-6, 4, 2}});
  const SmallFaces faces({"face"});
  auto rows = frame.rows({0, 0});
  rows.faces = faces.rows();
  const std::array history = {rows, rows};
  std::vector<std::uint8_t> bytes(rasterizer.byte_count());
  const raster::Planes planes{rasterizer.channels(), rasterizer.height(),
                              rasterizer.width(), bytes};
  rasterizer.draw(small_render_input(history, {20, 20}, 1), planes);
  std::vector<std::uint8_t> rgba(planes.plane_size() * 4);
  rasterizer.to_rgb(planes, rgba);
  return bytes;
}

std::shared_ptr<const map::SemanticMap> fuzz_map() {
  static const auto kMap = std::make_shared<const map::SemanticMap>(
      map::SemanticMap::parse(fragment({lane("L", 20, Message().id(8, "face")),
                                        control("face", 11), crosswalk("C", 15)})
                                  .span(),
                              equator_meta()));
  return kMap;
}

std::shared_ptr<const map::AerialImage> fuzz_image() {
  geom::Affine3 aerial_from_world;
  aerial_from_world.rows[0][3] = aerial_from_world.rows[1][3] = 40;
  static const auto kImage = std::make_shared<const map::AerialImage>(
      120, 120, std::vector<std::uint8_t>(120 * 120 * 3, 7), aerial_from_world);
  return kImage;
}

std::string bytes_of(const std::vector<std::int32_t>& numbers) {
  std::string out(numbers.size() * 4, '\0');
  std::memcpy(out.data(), numbers.data(), out.size());
  return out;
}

}  // namespace

void polygon_target(Input input) {
  const Drawing drawing = drawing_of(input);
  Guarded<Gray> plane(drawing);
  Guarded<Rgba> picture(drawing);
  raster::PolygonFiller filler;
  filler.fill<Gray>(plane.canvas, drawing.points, drawing.corners, 255);
  filler.fill<Rgba>(picture.canvas, drawing.points, drawing.corners, 0xFFFFFFFFU);
  check_channels(plane.pixels(), picture.pixels());

  Guarded<Gray> again(drawing);
  filler.fill<Gray>(again.canvas, drawing.points, drawing.corners, 255);
  hold(std::equal(again.pixels().begin(), again.pixels().end(), plane.pixels().begin()),
       "a filler draws otherwise the second time");
}

void polyline_target(Input input) {
  const Drawing drawing = drawing_of(input);
  Guarded<Gray> plane(drawing);
  Guarded<Rgba> picture(drawing);
  const bool closed = drawing.corners % 2 == 0;
  raster::draw_polyline_aa<Gray>(plane.canvas, drawing.points, closed, 200);
  raster::draw_polyline_aa<Rgba>(picture.canvas, drawing.points, closed, 0xC8C8C8C8U);
  check_channels(plane.pixels(), picture.pixels());
}

void raster_config_target(Input input) {
  const std::string_view text(reinterpret_cast<const char*>(input.data()),
                              input.size());
  try {
    const auto rasterizer =
        raster::make_rasterizer(sample::Config::parse(text), fuzz_map(), fuzz_image());
    if (rasterizer->byte_count() > kMaxBytes) return;
    hold(rasterizer->byte_count() > 0, "an image of nothing");
    hold(drawn(*rasterizer) == drawn(*rasterizer), "an image differs the second time");
  } catch (const Error&) {
    return;
  }
}

std::vector<RasterSeed> shape_seeds() {
  const std::int32_t least = INT32_MIN, most = INT32_MAX;
  const std::string square = "\x20\x18\x04";
  return {
      {"square", square + bytes_of({2048, 2048, 9000, 2048, 9000, 9000, 2048, 9000})},
      {"two", square + bytes_of({2048, 2048, 9000, 2048, 9000, 9000, 2048, 9000, 4000,
                                 4000, 12000, 4000, 12000, 12000, 4000, 12000})},
      {"extremes", square + bytes_of({least, least, most, least, most, most, least,
                                      most, 0, least, least, 0, most, 0, 0, most})},
      {"corner", square + bytes_of({-1, -1, 0, 0, 1, -513, least, 5})},
      {"line", std::string("\x27\x01\x01") + bytes_of({-700, 100, 30000, 300})},
      {"no image", std::string("\x00\x05\x04", 3) + bytes_of({0, 0, 5, 5})},
      {"a dot", std::string("\x05\x05\x00", 3) + bytes_of({600, 600})},
  };
}

std::vector<RasterSeed> config_seeds() {
  std::vector<RasterSeed> out;
  for (const char* map_type : {"py_semantic", "py_satellite", "semantic_debug",
                               "satellite_debug", "box_debug", "stub_debug"}) {
    out.push_back({map_type, small_config(map_type)});
  }
  std::string options = small_config("py_satellite");
  options.pop_back();
  out.push_back({"options", options + R"(, "bevscope": {"aerial_sub_pixel": true,
                                        "aerial_padding": true}})"});
  return out;
}

}  // namespace bev::test
