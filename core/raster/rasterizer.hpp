#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/map/aerial_image.hpp"
#include "core/map/map_source.hpp"
#include "core/raster/aerial_layer.hpp"
#include "core/raster/box_layer.hpp"
#include "core/raster/planes.hpp"
#include "core/raster/semantic_layer.hpp"
#include "core/sample/config.hpp"
#include "core/sample/render_input.hpp"

namespace bev::raster {

/// Maximum size of an image in bytes.
inline constexpr std::uint64_t kMaxImageBytes = std::uint64_t{1} << 30;

/// Draws a sample's image: boxes, if any, then red, green and blue of the map.
///
/// Lifetime       Reuses buffers between calls; shares ownership of its map and aerial
///                image.
/// Throws         draw() and to_rgb() throw invalid_argument for a buffer of the wrong
///                size, and the layers' errors.
/// Thread safety  None: use one object from one thread.
/// Reference      L5Kit's rasterizer for the same map_type.
class Rasterizer {
 public:
  /// @param config  its map_type selects the rasterizer: py_semantic, py_satellite
  ///        (boxes over a map), semantic_debug, satellite_debug, box_debug, stub_debug
  /// @param map, image  may be null if the map_type does not use them
  /// Throws  unsupported for another map_type; invalid_argument if a required `map` or
  ///         `image` is null; limit_exceeded above kMaxImageBytes; as sample_params
  Rasterizer(const sample::Config& config, map::MapSource map,
             std::shared_ptr<const map::AerialImage> image);

  std::uint32_t channels() const noexcept { return channels_; }
  std::uint32_t height() const noexcept { return height_; }
  std::uint32_t width() const noexcept { return width_; }
  std::size_t byte_count() const noexcept {
    return std::size_t{channels_} * height_ * width_;
  }

  sample::SampleInputs needs() const noexcept;

  /// Draws into `out`, which must have this rasterizer's shape.
  void draw(const sample::RenderInput& input, const Planes& out);

  /// Converts an image for display: the map, with agents in blue and the ego vehicle or
  /// selected agent in green on top, fading with age.
  ///
  /// @param in   an image drawn by this rasterizer
  /// @param out  (height, width, 3), or (height, width, 4) for opaque RGBA
  void to_rgb(const Planes& in, std::span<std::uint8_t> out) const;

  /// Returns a channel's display name: "agents, 2 steps ago", "self, now", "map, red".
  ///
  /// Throws  out_of_range for an unknown channel
  std::string channel_name(std::uint32_t channel) const;

 private:
  void check(const Planes& planes) const;

  std::uint32_t channels_, height_, width_;
  std::optional<BoxLayer> boxes_;
  std::optional<SemanticLayer> semantic_;
  std::optional<AerialLayer> aerial_;
};

/// Creates a rasterizer, as L5Kit's build_rasterizer does.
std::unique_ptr<Rasterizer> make_rasterizer(
    const sample::Config& config, map::MapSource map,
    std::shared_ptr<const map::AerialImage> image);

}  // namespace bev::raster
