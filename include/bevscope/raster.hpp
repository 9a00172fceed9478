#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "export.hpp"

namespace bev {

/// Form of the array "image" of a rasterized sample: C channels of height h, width w.
enum class ImageFormat {
  none,  ///< no array "image"; no map is needed
  f32,   ///< float (C, h, w) from 0 to 1, as in L5Kit
  u8,    ///< std::uint8_t (C, h, w), 255 times that: a quarter of the memory
  rgba,  ///< std::uint8_t (h, w, 4), for display
};

/// A georeferenced aerial image: the satellite layer of rasters.
///
/// Lifetime       Owns the only copy of its pixels. Samples share the image.
/// Thread safety  Immutable; concurrent reads are safe.
class BEV_EXPORT AerialImage {
 public:
  /// Creates an image of red, green and blue bytes, the top row first.
  ///
  /// @param meta_json  content of meta.json, whose ecef_to_aerial places the image
  /// Throws  invalid_argument if `pixels` is not height x width x 3; invalid_metadata,
  ///         missing_key for meta.json; limit_exceeded above 2^29 pixels
  AerialImage(std::uint32_t width, std::uint32_t height,
              std::vector<std::uint8_t> pixels, std::string_view meta_json);
  ~AerialImage();
  AerialImage(AerialImage&&) noexcept;             ///< leaves the other unusable
  AerialImage& operator=(AerialImage&&) noexcept;  ///< leaves the other unusable

  /// Returns the width in pixels.
  std::uint32_t width() const noexcept;

  /// Returns the height in pixels.
  std::uint32_t height() const noexcept;

  /// Returns the pixels: (height, width, 3).
  std::span<const std::uint8_t> pixels() const noexcept;

  /// Returns the mean of the resolutions along rows and along columns.
  double metres_per_pixel() const noexcept;

  struct Impl;  ///< private to the library

  /// Created by the library.
  explicit AerialImage(std::shared_ptr<const Impl> impl) noexcept;

  /// Returns the implementation, for the library.
  const Impl& impl() const noexcept { return *impl_; }

 private:
  std::shared_ptr<const Impl> impl_;
};

}  // namespace bev
