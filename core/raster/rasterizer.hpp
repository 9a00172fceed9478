#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/map/aerial_image.hpp"
#include "core/map/semantic_map.hpp"
#include "core/raster/aerial_layer.hpp"
#include "core/raster/box_layer.hpp"
#include "core/raster/planes.hpp"
#include "core/raster/semantic_layer.hpp"
#include "core/sample/config.hpp"
#include "core/sample/scenery.hpp"

namespace bev::raster {

/// The most bytes an image may have.
inline constexpr std::uint64_t kMaxImageBytes = std::uint64_t{1} << 30;

/// Draws the image of a sample: boxes, if any, then red, green and blue of the map.
///
/// Lifetime  Keeps buffers from draw to draw; holds its map and its image.
/// Errors    draw() and to_rgb() throw invalid_argument for memory of another size,
///           and what the layers throw.
/// Threads   One object, one thread.
/// Source    L5Kit's rasterizers of the same map_type.
class Rasterizer {
 public:
  /// @param config  its map_type says what is drawn: py_semantic, py_satellite (boxes
  ///                over a map), semantic_debug, satellite_debug, box_debug, stub_debug
  /// @param map, image  may be absent where the map_type has no use for them
  /// @throws Error  unsupported for another map_type; invalid_argument where `map` or
  ///                `image` is wanted and absent; out_of_memory above kMaxImageBytes;
  ///                what sample_params throws
  Rasterizer(const sample::Config& config, std::shared_ptr<const map::SemanticMap> map,
             std::shared_ptr<const map::AerialImage> image);

  std::uint32_t channels() const noexcept { return channels_; }
  std::uint32_t height() const noexcept { return height_; }
  std::uint32_t width() const noexcept { return width_; }
  std::size_t byte_count() const noexcept {
    return std::size_t{channels_} * height_ * width_;
  }

  sample::SampleNeeds needs() const noexcept;

  /// Fills `out`, which is of this rasterizer's shape.
  void draw(const sample::Scenery& scenery, const Planes& out);

  /// What a person looks at: the map, over it agents blue and whose view it is green,
  /// the paler the longer ago.
  ///
  /// @param in   an image of this rasterizer
  /// @param out  (height, width, 3), or (height, width, 4) for opaque RGBA
  void to_rgb(const Planes& in, std::span<std::uint8_t> out) const;

  /// What a channel shows, for people: "agents, 2 steps ago", "self, now", "map, red".
  ///
  /// @throws Error  out_of_range for a channel that is not there
  std::string channel_name(std::uint32_t channel) const;

 private:
  void check(const Planes& planes) const;

  std::uint32_t channels_, height_, width_;
  std::optional<BoxLayer> boxes_;
  std::optional<SemanticLayer> semantic_;
  std::optional<AerialLayer> aerial_;
};

/// As L5Kit's build_rasterizer.
std::unique_ptr<Rasterizer> make_rasterizer(
    const sample::Config& config, std::shared_ptr<const map::SemanticMap> map,
    std::shared_ptr<const map::AerialImage> image);

}  // namespace bev::raster
