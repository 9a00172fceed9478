#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/engine/result_array.hpp"
#include "core/map/aerial_image.hpp"
#include "core/map/map_source.hpp"
#include "core/raster/rasterizer.hpp"
#include "core/sample/config.hpp"
#include "core/sample/render_input.hpp"

namespace bev {

/// Form of the array "image": none; <f4 (C, h, w) from 0 to 1, as in L5Kit; |u1 (C, h,
/// w), 255 times that; |u1 (h, w, 4), for display.
enum class ImageForm { none, f32, u8, rgba };

/// Maps that images are drawn from. Either may be null if the config's map_type does
/// not need it.
struct ImageMaps {
  map::MapSource semantic = {};
  std::shared_ptr<const map::AerialImage> aerial = {};
};

/// Draws the images of samples.
///
/// Lifetime       The result of draw() is valid until the next call.
/// Throws         Config and drawing errors: see raster::Rasterizer.
/// Thread safety  None: use one object from one thread.
class SampleImage {
 public:
  SampleImage(ImageForm form, const sample::Config& config, ImageMaps maps);

  sample::SampleInputs needs() const noexcept;

  /// Returns the names of an image's channels; empty for ImageForm::none.
  std::vector<std::string> channels() const;

  /// Selects one channel to draw in grey (form rgba only). By default all channels are
  /// combined.
  ///
  /// Throws  invalid_argument for another form, out_of_range for an unknown channel
  void show(std::optional<std::uint32_t> channel);

  /// Sets the memory that the next images are written to, aligned as the array's type;
  /// the object's own if empty. Ignored for rgba and none.
  ///
  /// Throws  invalid_argument if the size is not an image's
  void draw_into(std::span<std::byte> memory);

  /// Converts the next images of form f32 a part at a time: see next_part().
  void convert_in_parts(bool on) noexcept { in_parts_ = on; }

  /// Returns the array of the last image; its name is empty for ImageForm::none.
  const ResultArray& array() const noexcept { return array_; }

  /// Returns an array without a name for ImageForm::none. If converted in parts, an image
  /// larger than a part has the memory of a part as `bytes`, filled by next_part().
  const ResultArray& draw(const sample::RenderInput& input);

  /// A part of an image.
  struct Part {
    std::size_t bytes = 0;  ///< 0 at the end, and for images that are not in parts
    bool is_zero = false;   ///< all of them are 0, and were not written to memory
  };

  /// Converts the next part of the drawn image into the array's memory. A part stays in
  /// the processor's cache until it is copied; a whole image of 5 MB does not.
  Part next_part();

 private:
  bool is_in_parts() const noexcept;

  ImageForm form_;
  std::unique_ptr<raster::Rasterizer> rasterizer_;  ///< null if no image is drawn
  std::optional<std::uint32_t> shown_;
  std::vector<std::uint8_t> planes_, rgba_;
  std::vector<float> floats_;
  std::span<std::byte> target_;  ///< empty: planes_ or floats_
  bool in_parts_ = false;
  std::size_t converted_ = 0;  ///< values of the image's parts so far
  ResultArray array_;
};

}  // namespace bev
