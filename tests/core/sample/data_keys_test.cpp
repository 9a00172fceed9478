#include "core/sample/data_keys.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"

using bev::sample::Config;
using bev::sample::data_keys;
using bev::sample::DataKeys;

namespace {

Config config_of(const std::string& map_type) {
  return Config::parse(R"({"raster_params": {"semantic_map_key": "map.pb",
    "satellite_map_key": "air.png", "dataset_meta_key": "meta.json", "map_type": ")" +
                       map_type + "\"}}");
}

}  // namespace

TEST_SUITE("sample/data_keys") {
  TEST_CASE("a map type asks for the files that it draws") {
    const DataKeys semantic = {"meta.json", "map.pb", {}};
    const DataKeys satellite = {"meta.json", {}, "air.png"};
    CHECK(data_keys(config_of("py_semantic"), false) == semantic);
    CHECK(data_keys(config_of("semantic_debug"), false) == semantic);
    CHECK(data_keys(config_of("py_satellite"), false) == satellite);
    CHECK(data_keys(config_of("satellite_debug"), false) == satellite);
    CHECK(data_keys(config_of("box_debug"), false) == DataKeys{});
    CHECK(data_keys(config_of("stub_debug"), false) == DataKeys{});
    CHECK(data_keys(config_of("unheard of"), false) == DataKeys{});
  }

  TEST_CASE("vectorized samples ask for the map, whatever the map type") {
    const DataKeys semantic = {"meta.json", "map.pb", {}};
    CHECK(data_keys(config_of("py_satellite"), true) == semantic);
    const auto untyped = Config::parse(
        R"({"raster_params": {"semantic_map_key": "a", "dataset_meta_key": "b"}})");
    CHECK(data_keys(untyped, true) == DataKeys{"b", "a", {}});
  }

  TEST_CASE("a key that is asked for and missing is an error that names it") {
    const auto config =
        Config::parse(R"({"raster_params": {"map_type": "py_semantic"}})");
    CHECK_THROWS_WITH_AS(
        data_keys(config, false),
        "config: raster_params.semantic_map_key: missing, expected a text", bev::Error);
  }
}
