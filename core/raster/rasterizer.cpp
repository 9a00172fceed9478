#include "core/raster/rasterizer.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/raster/planes.hpp"

namespace bev::raster {
namespace {

enum class Base { none, semantic, aerial, stub };

struct Kind {
  bool boxes;
  Base base;
};

Kind kind_of(const std::string& map_type) {
  if (map_type == "py_semantic") return {true, Base::semantic};
  if (map_type == "py_satellite") return {true, Base::aerial};
  if (map_type == "semantic_debug") return {false, Base::semantic};
  if (map_type == "satellite_debug") return {false, Base::aerial};
  if (map_type == "box_debug") return {true, Base::none};
  if (map_type == "stub_debug") return {false, Base::stub};
  fail(Errc::unsupported, {"config: raster_params.map_type: unknown type \"", map_type,
                           "\" (expected py_semantic, py_satellite, semantic_debug, "
                           "satellite_debug, box_debug or stub_debug)"});
}

bool option(const sample::Config& config, const char* path) {
  return config.has(path) && config.flag(path);
}

void require(bool there, const std::string& map_type, const char* what) {
  if (there) return;
  fail(Errc::invalid_argument,
       {"config: raster_params.map_type: ", map_type, " requires ", what});
}

}  // namespace

Rasterizer::Rasterizer(const sample::Config& config, map::MapSource map,
                       std::shared_ptr<const map::AerialImage> image) {
  const std::string map_type = config.text("raster_params.map_type");
  const Kind kind = kind_of(map_type);
  const sample::SampleParams params = sample::sample_params(config);
  const bool ego_history = config.flag("model_params.render_ego_history");
  width_ = params.raster.raster_size[0];
  height_ = params.raster.raster_size[1];
  if (kind.base == Base::stub) std::swap(width_, height_);  // as in L5Kit
  channels_ = kind.base == Base::none ? 0 : 3;
  if (kind.boxes) channels_ += 2 * (params.history_num_frames + 1);
  const std::uint64_t bytes = std::uint64_t{width_} * height_ * channels_;
  if (bytes > kMaxImageBytes) {
    fail(Errc::limit_exceeded, {"config: image is too large (found ", bytes,
                                " bytes, expected at most ", kMaxImageBytes, ")"});
  }
  if (kind.boxes) boxes_.emplace(params, ego_history);
  if (kind.base == Base::semantic) {
    require(map.has_map(), map_type, "a semantic map");
    semantic_.emplace(std::move(map), params.raster);
  }
  if (kind.base == Base::aerial) {
    require(image != nullptr, map_type, "an aerial image");
    const AerialLayer::Options options{
        .keep_sub_pixel = option(config, "bevscope.aerial_sub_pixel"),
        .pad = option(config, "bevscope.aerial_padding")};
    aerial_.emplace(std::move(image), params.raster, options);
  }
}

sample::SampleInputs Rasterizer::needs() const noexcept {
  return {.history_agents = boxes_.has_value(),
          .labels = boxes_.has_value(),
          .faces = semantic_.has_value()};
}

void Rasterizer::check(const Planes& planes) const {
  if (planes.channels == channels_ && planes.height == height_ &&
      planes.width == width_ && planes.u8.size() == byte_count()) {
    return;
  }
  fail(Errc::invalid_argument,
       {"raster: wrong shape (found (", planes.channels, ", ", planes.height, ", ",
        planes.width, ") of ", planes.u8.size(), " bytes, expected (", channels_, ", ",
        height_, ", ", width_, "))"});
}

void Rasterizer::draw(const sample::RenderInput& input, const Planes& out) {
  check(out);
  const bool mapped = semantic_ || aerial_;
  const std::size_t boxes = mapped ? channels_ - 3 : channels_;
  std::memset(out.u8.data(), 0, boxes * out.plane_size());
  if (boxes_) boxes_->draw(input, out);
  if (semantic_) semantic_->draw(input, out.rgb_from(boxes));
  if (aerial_) aerial_->draw(input, out.rgb_from(boxes));
}

void Rasterizer::to_rgb(const Planes& in, std::span<std::uint8_t> out) const {
  check(in);
  const std::size_t pixels = in.plane_size();
  const std::size_t step = out.size() == 4 * pixels ? 4 : 3;
  if (out.size() != step * pixels) {
    fail(Errc::invalid_argument,
         {"raster: wrong RGB size (found ", out.size(),
          " bytes, expected 3 or 4 for each of ", pixels, " pixels)"});
  }
  if (semantic_ || aerial_) {
    interleave(in.rgb_from(channels_ - 3), out, step);
  } else {
    fill_black(out, step);
  }
  if (boxes_) paste_boxes(in, boxes_->channels() / 2, out, step);
}

std::string Rasterizer::channel_name(std::uint32_t channel) const {
  if (channel >= channels_) {
    fail_index({"raster: channel "}, channel, channels_);
  }
  const std::uint32_t boxes = boxes_ ? boxes_->channels() : 0;
  if (channel >= boxes) {
    static constexpr std::array kColours{"map, red", "map, green", "map, blue"};
    return kColours[channel - boxes];
  }
  const std::uint32_t steps = channel % (boxes / 2);
  const std::string whose = channel < boxes / 2 ? "agents, " : "self, ";
  if (steps == 0) return whose + "now";
  return whose + std::to_string(steps) + (steps == 1 ? " step ago" : " steps ago");
}

std::unique_ptr<Rasterizer> make_rasterizer(
    const sample::Config& config, map::MapSource map,
    std::shared_ptr<const map::AerialImage> image) {
  return std::make_unique<Rasterizer>(config, std::move(map), std::move(image));
}

}  // namespace bev::raster
