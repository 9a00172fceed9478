#include "core/sample/params.hpp"

#include <limits>
#include <string>
#include <string_view>

namespace bev::sample {
namespace {

RasterFrame raster_frame(const Config& config) {
  RasterFrame frame{config.size_pair("raster_params.raster_size", kMaxRasterSide),
                    config.number_pair("raster_params.pixel_size"),
                    config.number_pair("raster_params.ego_center"),
                    config.flag("raster_params.set_origin_to_bottom")};
  const auto [x_size, y_size] = frame.pixel_size;
  if (!(x_size > 0 && y_size > 0)) {
    fail(Errc::invalid_argument, {"config: raster_params.pixel_size: must be above 0"});
  }
  if (x_size != y_size) {
    fail(Errc::unsupported,
         {"config: raster_params.pixel_size: pixels must be square"});
  }
  return frame;
}

bool zero_velocities_at_gaps(const Config& config) {
  constexpr std::string_view kPath = "bevscope.velocities_at_gaps";
  if (!config.has(kPath)) return false;
  const auto choice = config.text(kPath);
  if (choice == "zero" || choice == "difference") return choice == "zero";
  fail(Errc::invalid_argument,
       {"config: bevscope.velocities_at_gaps: invalid value (found ",
        choice.substr(0, 40), ", expected zero or difference)"});
}

constexpr const char* kData = "data_generation_params.";
constexpr const char* kLanes = "data_generation_params.lane_params.";

std::uint32_t count(const Config& config, const char* section, const char* key) {
  return config.count(std::string(section) + key, kMaxVectorCount);
}

std::uint32_t frames(const Config& config, const char* key) {
  return config.count(std::string("model_params.") + key, kMaxFrames);
}

/// Returns the number of values in a sample. No factor is above 10,001, so that
/// products of three fit in 64 bits.
std::uint64_t numbers(const VectorParams& p) {
  const std::uint64_t times =
      std::uint64_t{p.history_num_frames_max()} + 1 + p.future_num_frames;
  const auto agents = (std::uint64_t{p.other_agents_num} + 1) * times * 10;
  const auto lanes = std::uint64_t{p.max_num_lanes} * p.max_points_per_lane * 12;
  const auto crosswalks =
      std::uint64_t{p.max_num_crosswalks} * p.max_points_per_crosswalk * 4;
  return agents + lanes + crosswalks;
}

void check(const VectorParams& params) {
  if (params.step_time <= std::numeric_limits<double>::epsilon()) {
    fail(Errc::invalid_argument, {"config: model_params.step_time: must be above 0"});
  }
  if (params.max_points_per_lane < 2) {
    fail(Errc::invalid_argument,
         {"config: ", kLanes, "max_points_per_lane: invalid value (found ",
          params.max_points_per_lane, ", expected at least 2)"});
  }
  if (params.future_num_frames == 0) {
    fail(Errc::out_of_range, {"config: model_params.future_num_frames: must not be 0"});
  }
  if (const auto all = numbers(params); all > kMaxVectorNumbers) {
    fail(Errc::limit_exceeded, {"config: sample is too large (found ", all,
                                " values, expected at most ", kMaxVectorNumbers, ")"});
  }
}

}  // namespace

std::uint32_t frames_per_step(const Config& config) {
  constexpr std::string_view kPath = "bevscope.frames_per_step";
  if (!config.has(kPath)) return 1;
  const auto frames = config.count(kPath, kMaxFrames);
  if (frames > 0) return frames;
  fail(Errc::invalid_argument, {"config: bevscope.frames_per_step: must not be 0"});
}

SampleParams sample_params(const Config& config) {
  SampleParams params;
  params.history_num_frames =
      config.count("model_params.history_num_frames", kMaxFrames);
  params.future_num_frames = config.count("model_params.future_num_frames", kMaxFrames);
  params.step_time = config.number("model_params.step_time");
  if (params.step_time <= std::numeric_limits<double>::epsilon()) {
    fail(Errc::invalid_argument, {"config: model_params.step_time: must be above 0"});
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

VectorParams vector_params(const Config& config) {
  VectorParams out;
  out.history_num_frames_ego = frames(config, "history_num_frames_ego");
  out.history_num_frames_agents = frames(config, "history_num_frames_agents");
  out.future_num_frames = frames(config, "future_num_frames");
  out.step_time = config.number("model_params.step_time");
  out.filter_agents_threshold =
      static_cast<float>(config.number("raster_params.filter_agents_threshold"));
  out.disable_traffic_light_faces =
      config.flag("raster_params.disable_traffic_light_faces");
  out.frames_per_step = frames_per_step(config);
  out.other_agents_num = count(config, kData, "other_agents_num");
  out.max_agents_distance = config.number(std::string(kData) + "max_agents_distance");
  out.max_num_lanes = count(config, kLanes, "max_num_lanes");
  out.max_points_per_lane = count(config, kLanes, "max_points_per_lane");
  out.max_points_per_crosswalk = count(config, kLanes, "max_points_per_crosswalk");
  out.max_num_crosswalks = count(config, kLanes, "max_num_crosswalks");
  out.max_retrieval_distance_m =
      config.number(std::string(kLanes) + "max_retrieval_distance_m");
  check(out);
  return out;
}

SampleParams sampler_params(const VectorParams& params) {
  SampleParams out;
  out.history_num_frames = params.history_num_frames_max();
  out.future_num_frames = params.future_num_frames;
  out.step_time = params.step_time;
  out.filter_agents_threshold = params.filter_agents_threshold;
  out.disable_traffic_light_faces = params.disable_traffic_light_faces;
  out.frames_per_step = params.frames_per_step;
  out.absent_track = Errc::invalid_argument;
  return out;
}

}  // namespace bev::sample
