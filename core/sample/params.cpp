#include "core/sample/params.hpp"

#include <limits>
#include <string>

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
    throw Error(Errc::invalid_argument,
                "config: raster_params.pixel_size: expected metres above 0");
  }
  if (x_size != y_size) {
    throw Error(Errc::unsupported,
                "config: raster_params.pixel_size: pixels that are not square");
  }
  return frame;
}

}  // namespace

SampleParams sample_params(const Config& config) {
  SampleParams params;
  params.history_num_frames =
      config.count("model_params.history_num_frames", kMaxFrames);
  params.future_num_frames = config.count("model_params.future_num_frames", kMaxFrames);
  params.step_time = config.number("model_params.step_time");
  if (params.step_time <= std::numeric_limits<double>::epsilon()) {
    throw Error(Errc::invalid_argument,
                "config: model_params.step_time: expected seconds above 0");
  }
  params.filter_agents_threshold =
      static_cast<float>(config.number("raster_params.filter_agents_threshold"));
  params.disable_traffic_light_faces =
      config.flag("raster_params.disable_traffic_light_faces");
  params.raster = raster_frame(config);
  return params;
}

}  // namespace bev::sample
