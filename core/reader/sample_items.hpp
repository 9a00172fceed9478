#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/zarr/json_view.hpp"

namespace bev::reader {

/// Form of the images of samples.
enum class SampleImages : std::uint8_t {
  none,
  f32,  ///< from 0 to 1, as L5Kit
  u8,   ///< 255 times that
};

/// L5Kit's samples as items: one per chosen row, of `frames` for the ego vehicle, or of
/// `agents`.
struct SampleItems {
  std::string config;  ///< L5Kit's config as JSON
  bool vectorized = false;
  SampleImages image = SampleImages::f32;

  // Rows of `agents` are items if L5Kit's AgentDataset has them: those that its mask
  // selects and that are visible in enough past and future frames.
  std::uint32_t min_frame_history = 10;
  std::uint32_t min_frame_future = 1;
  bool use_stored = true;  ///< whether a mask stored with the data set is used

  bool operator==(const SampleItems&) const = default;
};

/// Parses the member "sample" of a plan's JSON. Its config is an object or text.
///
/// Throws  invalid_argument, also without a config; the message names the path
SampleItems sample_items_from(zarr::JsonView value);

/// Returns the member, with all members.
nlohmann::json sample_items_json(const SampleItems& items);

}  // namespace bev::reader
