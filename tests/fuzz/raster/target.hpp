#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace bev::test {

// The fuzzers' targets, also run by a test over the seeds. A target returns for any
// input; it throws std::logic_error if a property of the module is violated.

/// Fills polygons with arbitrary coordinates: pixels outside the image are unchanged,
/// and a grey plane equals a channel of a colour image.
void polygon_target(std::span<const std::byte> input);

/// Draws lines with arbitrary coordinates, anti-aliased and in whole pixels: as above.
void polyline_target(std::span<const std::byte> input);

/// Builds a rasterizer over a synthetic map and image from a JSON config: either an
/// Error, or images of the stated shape, equal when drawn twice.
void raster_config_target(std::span<const std::byte> input);

struct RasterSeed {
  std::string name;
  std::string bytes;
};

/// Return small inputs as seeds: for the first two targets, and for the third.
std::vector<RasterSeed> shape_seeds();
std::vector<RasterSeed> config_seeds();

}  // namespace bev::test
