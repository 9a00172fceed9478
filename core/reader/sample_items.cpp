#include "core/reader/sample_items.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/base/error.hpp"
#include "core/base/json_tree.hpp"
#include "core/reader/json_members.hpp"

namespace bev::reader {
namespace {

using nlohmann::json;
using zarr::JsonView;

constexpr Names<SampleImages, 3> kImages{{{"none", SampleImages::none},
                                          {"f32", SampleImages::f32},
                                          {"u8", SampleImages::u8}}};

constexpr auto kMax32 = std::uint64_t{std::numeric_limits<std::uint32_t>::max()};
constexpr std::size_t kMaxConfigBytes = 100'000;

/// Levels of a plan's JSON above the config.
constexpr int kOuterDepth = 2;

/// Returns the number of levels. The recursion is bounded by kMaxJsonDepth.
int depth_of(const json& value) {
  if (!value.is_structured()) return 0;
  int inner = 0;
  for (const auto& member : value) inner = std::max(inner, depth_of(member));
  return inner + 1;
}

/// Returns the config with its members in one order, so that equal configs are equal. A
/// config that is accepted can be written into the plan's JSON and read again.
std::string config_from(JsonView value) {
  const auto given = value.text();
  if (!given && !value.is_object()) {
    fail_value("plan.sample.config", value, "L5Kit's config");
  }
  const auto text = given ? std::string(*given) : value.json().dump();
  const auto config = parsed_json(text, "plan.sample.config", kMaxConfigBytes);
  if (!config.is_object()) fail_value("plan.sample.config", value, "L5Kit's config");
  if (depth_of(config) + kOuterDepth > kMaxJsonDepth) {
    fail(Errc::invalid_argument, {"plan.sample.config: nested too deeply"});
  }
  return config.dump();
}

}  // namespace

SampleItems sample_items_from(JsonView value) {
  static constexpr std::array<std::string_view, 6> kKnown{
      "config",           "vectorized", "image", "min_frame_history",
      "min_frame_future", "use_stored"};
  const Members members(value, "plan.sample", kKnown);
  SampleItems out;
  out.config = config_from(members["config"]);
  members.flag("vectorized", out.vectorized);
  members.choice("image", out.image, kImages);
  members.count("min_frame_history", out.min_frame_history, 0, kMax32);
  members.count("min_frame_future", out.min_frame_future, 0, kMax32);
  members.flag("use_stored", out.use_stored);
  return out;
}

json sample_items_json(const SampleItems& items) {
  return {{"config", parsed_json(items.config, "plan.sample.config", kMaxConfigBytes)},
          {"vectorized", items.vectorized},
          {"image", name_of(kImages, items.image)},
          {"min_frame_history", items.min_frame_history},
          {"min_frame_future", items.min_frame_future},
          {"use_stored", items.use_stored}};
}

}  // namespace bev::reader
