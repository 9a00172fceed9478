#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/map/meta.hpp"
#include "core/ops/objects_of_engine.hpp"
#include "core/ops/operation.hpp"
#include "core/ops/tables.hpp"

// Semantic maps and aerial images.

namespace bev::ops {

namespace {

using Ids = std::vector<std::string>;

std::unique_ptr<MapQuery> parse_map(const RawBytes& fragment, const RawBytes& meta) {
  return std::make_unique<MapQuery>(fragment, meta);
}

Outcome map_arrays(MapQuery& map) {
  return Outcome(map.build());
}

Outcome lanes_near(MapQuery& map, double x, double y, double radius_m) {
  return Outcome().add("values", map.near(x, y, radius_m));
}

Outcome crosswalks_near(MapQuery& map, double x, double y, double radius_m) {
  return Outcome().add("values", map.crosswalks_near(x, y, radius_m));
}

Outcome lane_by_count(MapQuery& map, std::uint32_t lane, std::uint32_t count) {
  return Outcome(map.lane_by_count(lane, count));
}

Outcome lane_by_metres(MapQuery& map, std::uint32_t lane, double step_m) {
  return Outcome(map.lane_by_metres(lane, step_m));
}

Outcome light_feature(MapQuery& map, std::uint32_t lane, const Ids& active) {
  const auto feature = static_cast<std::uint8_t>(map.light_feature(lane, active));
  return Outcome().add("values", std::vector<std::uint8_t>{feature});
}

Outcome geodetic(MapQuery& map, double x, double y, double z) {
  const auto place = map.geodetic(x, y, z);
  return Outcome().add("values", std::vector<double>(place.begin(), place.end()));
}

Outcome lane_colours(MapQuery& map, const Ids& active) {
  return Outcome().add("values", map.lane_colours(active));
}

std::unique_ptr<Aerial> make_aerial(std::uint32_t width, std::uint32_t height,
                                    const RawBytes& meta_json) {
  const auto meta = map::parse_meta(std::string_view(
      reinterpret_cast<const char*>(meta_json.data()), meta_json.size()));
  return std::make_unique<Aerial>(Aerial{
      std::make_shared<map::AerialImage>(width, height, map::aerial_from_world(meta))});
}

void put_aerial_rows(Aerial& aerial, std::uint32_t first,
                     const std::vector<std::uint8_t>& rgba) {
  aerial.image->put_rgba_rows(first, rgba);
}

constexpr std::array kMapOperations{
    operation<&parse_map, "pb", "meta">("map", "", "parses a semantic map"),
    operation<&map_arrays, "map">("map_arrays", "*",
                                  "the whole map: core/engine/map_query.hpp"),
    operation<&lanes_near, "map", "x", "y", "radius">(
        "lanes_near", "values <u4 (n)",
        "lanes whose bounds, grown by a radius, contain a point"),
    operation<&crosswalks_near, "map", "x", "y", "radius">(
        "crosswalks_near", "values <u4 (n)", "likewise"),
    operation<&lane_by_count, "map", "lane", "count">(
        "lane_by_count", "left <f8 (k, 3); right <f8 (k, 3); mid <f8 (k, 3)",
        "a lane's lines, resampled to a number of points"),
    operation<&lane_by_metres, "map", "lane", "step">(
        "lane_by_metres", "left <f8 (k, 3); right <f8 (k, 3); mid <f8 (k, 3)",
        "a lane's lines, resampled at equal distances"),
    operation<&light_feature, "map", "lane", "faces">(
        "light_feature", "values |u1 (1)",
        "0 to 3 by the colour of the lane's active faces, 4 without a traffic light"),
    operation<&geodetic, "map", "x", "y", "z">("geodetic", "values <f8 (3)",
                                               "latitude, longitude, altitude"),
    operation<&lane_colours, "map", "faces">(
        "lane_colours", "values |u1 (n)",
        "per lane if faces are active: 0 none, 1 red, 2 yellow, 3 green"),
    operation<&make_aerial, "width", "height", "meta">(
        "aerial", "", "an aerial image, black at first"),
    operation<&put_aerial_rows, "aerial", "first", "rgba">("put_aerial_rows", "",
                                                           "copies whole rows"),
};

}  // namespace

std::span<const Operation> map_operations() {
  return kMapOperations;
}

}  // namespace bev::ops
