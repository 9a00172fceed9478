#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/result_array.hpp"
#include "core/map/aerial_image.hpp"
#include "core/map/semantic_map.hpp"
#include "core/raster/rasterizer.hpp"
#include "core/sample/config.hpp"
#include "core/sample/scenery.hpp"

namespace bev {

/// How an image is given, by the name "image": not at all; <f4 (C, h, w) of 0 to 1, as
/// L5Kit has it; |u1 (C, h, w), 255 times that; |u1 (h, w, 4), as one sees it.
enum class ImageForm { none, f32, u8, rgba };

/// What images are drawn from besides a data set. Either may be absent where no
/// map_type of a config asks for it.
struct ImageMaps {
  std::shared_ptr<const map::SemanticMap> semantic = {};
  std::shared_ptr<const map::AerialImage> aerial = {};
};

/// The image of samples, one after the other.
///
/// Lifetime  What draw() gives is valid until its next call.
/// Errors    Those of the config and of drawing: see raster::Rasterizer.
/// Threads   One object, one thread.
class SampleImage {
 public:
  SampleImage(ImageForm form, const sample::Config& config, ImageMaps maps);

  sample::SampleNeeds needs() const noexcept;

  /// Names of the channels of an image; none where the form is none.
  std::vector<std::string> channels() const;

  /// Of rgba: from now on one channel alone, in grey; all of them together by default.
  ///
  /// @throws Error  invalid_argument for another form, out_of_range for a channel that
  ///                is not there
  void show(std::optional<std::uint32_t> channel);

  /// An array without a name where the form is none.
  const ResultArray& draw(const sample::Scenery& scenery);

 private:
  ImageForm form_;
  std::unique_ptr<raster::Rasterizer> rasterizer_;  ///< null for no image
  std::optional<std::uint32_t> shown_;
  std::vector<std::uint8_t> planes_, rgba_;
  std::vector<float> floats_;
  ResultArray array_;
};

}  // namespace bev
