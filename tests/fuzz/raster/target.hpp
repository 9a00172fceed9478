#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace bev::test {

// What the fuzzers run, and an ordinary test over the seeds. Whatever the bytes, a
// target returns; it throws std::logic_error if a property of the module does not hold.

/// Polygons of any coordinates, filled: pixels beside the image stay, one plane is what
/// a channel of a colour is.
void polygon_target(std::span<const std::byte> input);

/// Lines of any coordinates, thin and whole pixels: the same.
void polyline_target(std::span<const std::byte> input);

/// A config, as JSON, of a rasterizer over a made-up map and image: refused with an
/// Error, or images of the shape it says, twice the same.
void raster_config_target(std::span<const std::byte> input);

struct RasterSeed {
  std::string name;
  std::string bytes;
};

/// Small inputs for a fuzzer to start from: for the first two, and for the third.
std::vector<RasterSeed> shape_seeds();
std::vector<RasterSeed> config_seeds();

}  // namespace bev::test
