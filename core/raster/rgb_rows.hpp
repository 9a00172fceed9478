#pragma once

#include <cstdint>
#include <span>

#include "core/raster/lanes.hpp"

namespace bev::raster {

/// A source of image rows, computed on demand.
class RgbRows {
 public:
  virtual ~RgbRows() = default;

  /// Reads row y from its first pixel on.
  virtual void read(std::int32_t y, std::span<Lanes> row) const = 0;

  /// Returns the first `width` pixels of row y if they are in memory as three bytes
  /// each, with four padding bytes after them; otherwise null.
  virtual const std::uint8_t* bytes(std::int32_t /*y*/, std::size_t /*width*/) const {
    return nullptr;
  }

 protected:
  RgbRows() = default;
  RgbRows(const RgbRows&) = default;
  RgbRows& operator=(const RgbRows&) = default;
};

/// A rectangular view of an image; pixels outside the image are black.
///
/// Shapes    The image is (height, width, 3) bytes.
/// Lifetime  Does not own the pixels.
struct RgbWindow {
  std::span<const std::uint8_t> pixels;
  std::int64_t image_width, image_height;
  std::int64_t x, y;  ///< position of the rectangle's first pixel in the image
  std::int32_t width, height;
};

/// Rows of a window, unchanged.
class WindowRows final : public RgbRows {
 public:
  explicit WindowRows(const RgbWindow& window) noexcept : window_(window) {}
  void read(std::int32_t y, std::span<Lanes> row) const override;
  const std::uint8_t* bytes(std::int32_t y, std::size_t width) const override;

 private:
  RgbWindow window_;
};

}  // namespace bev::raster
