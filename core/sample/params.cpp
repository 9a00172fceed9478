#include "core/sample/params.hpp"

#include <limits>
#include <string>
#include <string_view>

#include "core/base/error.hpp"

namespace bev::sample {
namespace {

RasterFrame raster_frame(const Config& config) {
  RasterFrame frame{config.size_pair("raster_params.raster_size", kMaxRasterSide),
                    config.number_pair("raster_params.pixel_size"),
                    config.number_pair("raster_params.ego_center"),
                    config.flag("raster_params.set_origin_to_bottom")};
  const auto [x_size, y_size] = frame.pixel_size;
  if (!(x_size > 0 && y_size > 0)) {
    fail(Errc::invalid_argument,
         {"config: raster_params.pixel_size: expected metres above 0"});
  }
  if (x_size != y_size) {
    fail(Errc::unsupported,
         {"config: raster_params.pixel_size: pixels that are not square"});
  }
  return frame;
}

bool zero_velocities_at_gaps(const Config& config) {
  constexpr std::string_view kPath = "bevscope.velocities_at_gaps";
  if (!config.has(kPath)) return false;
  const auto choice = config.text(kPath);
  if (choice == "zero" || choice == "difference") return choice == "zero";
  fail(Errc::invalid_argument, {"config: bevscope.velocities_at_gaps: found ",
                                choice.substr(0, 40), ", expected zero or difference"});
}

}  // namespace

std::uint32_t frames_per_step(const Config& config) {
  constexpr std::string_view kPath = "bevscope.frames_per_step";
  if (!config.has(kPath)) return 1;
  const auto frames = config.count(kPath, kMaxFrames);
  if (frames > 0) return frames;
  fail(Errc::invalid_argument,
       {"config: bevscope.frames_per_step: found 0, expected 1 or more"});
}

SampleParams sample_params(const Config& config) {
  SampleParams params;
  params.history_num_frames =
      config.count("model_params.history_num_frames", kMaxFrames);
  params.future_num_frames = config.count("model_params.future_num_frames", kMaxFrames);
  params.step_time = config.number("model_params.step_time");
  if (params.step_time <= std::numeric_limits<double>::epsilon()) {
    fail(Errc::invalid_argument,
         {"config: model_params.step_time: expected seconds above 0"});
  }
  params.filter_agents_threshold =
      static_cast<float>(config.number("raster_params.filter_agents_threshold"));
  params.disable_traffic_light_faces =
      config.flag("raster_params.disable_traffic_light_faces");
  params.raster = raster_frame(config);
  params.frames_per_step = frames_per_step(config);
  params.zero_velocities_at_gaps = zero_velocities_at_gaps(config);
  return params;
}

}  // namespace bev::sample
