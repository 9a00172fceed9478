#pragma once

#include <cstdint>
#include <span>

#include "core/raster/lanes.hpp"

namespace bev::raster {

/// Where rows of a picture come from: they are made when asked for.
class RgbRows {
 public:
  virtual ~RgbRows() = default;

  /// Row y, from its first pixel on.
  virtual void read(std::int32_t y, std::span<Lanes> row) const = 0;

  /// The first `width` pixels of row y where they are in memory as three bytes each,
  /// with four more bytes behind; else nothing.
  virtual const std::uint8_t* bytes(std::int32_t /*y*/, std::size_t /*width*/) const {
    return nullptr;
  }

 protected:
  RgbRows() = default;
  RgbRows(const RgbRows&) = default;
  RgbRows& operator=(const RgbRows&) = default;
};

/// A rectangle of a picture; what it has outside of the picture is black.
///
/// Shapes    The picture is (height, width, 3) bytes.
/// Lifetime  A view.
struct RgbWindow {
  std::span<const std::uint8_t> pixels;
  std::int64_t picture_width, picture_height;
  std::int64_t x, y;  ///< of the rectangle's first pixel in the picture
  std::int32_t width, height;
};

/// Its rows as they are.
class WindowRows final : public RgbRows {
 public:
  explicit WindowRows(const RgbWindow& window) noexcept : window_(window) {}
  void read(std::int32_t y, std::span<Lanes> row) const override;
  const std::uint8_t* bytes(std::int32_t y, std::size_t width) const override;

 private:
  RgbWindow window_;
};

}  // namespace bev::raster
