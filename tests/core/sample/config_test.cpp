#include "core/sample/config.hpp"

#include <doctest/doctest.h>

#include <string>

#include "core/base/error.hpp"

using bev::Error;
using bev::sample::Config;
using bev::sample::data_keys;
using bev::sample::DataKeys;

namespace {

const auto* const kTypical = R"({"format_version": 4,
  "model_params": {"history_num_frames": 10, "step_time": 0.1, "architecture": "x"},
  "raster_params": {"raster_size": [224, 112], "pixel_size": [0.5, 0.5],
                    "map_type": "py_semantic", "set_origin_to_bottom": true,
                    "ego_center": null}})";

Config config_of(const std::string& map_type) {
  return Config::parse(R"({"raster_params": {"semantic_map_key": "map.pb",
    "satellite_map_key": "air.png", "dataset_meta_key": "meta.json", "map_type": ")" +
                       map_type + "\"}}");
}

}  // namespace

TEST_SUITE("sample/config") {
  TEST_CASE("values are read by path, each by its type") {
    const auto config = Config::parse(kTypical);
    CHECK(config.count("model_params.history_num_frames", 100) == 10);
    CHECK(config.number("model_params.step_time") == 0.1);
    CHECK(config.number("format_version") == 4);
    CHECK(config.text("raster_params.map_type") == "py_semantic");
    CHECK(config.flag("raster_params.set_origin_to_bottom"));
    CHECK(config.size_pair("raster_params.raster_size", 8192) ==
          std::array<std::uint32_t, 2>{224, 112});
    CHECK(config.number_pair("raster_params.pixel_size") ==
          std::array<double, 2>{0.5, 0.5});
  }

  TEST_CASE("null counts as missing, and so does a path through a value") {
    const auto config = Config::parse(kTypical);
    CHECK_FALSE(config.has("raster_params.ego_center"));
    CHECK_FALSE(config.has("format_version.minor"));
    CHECK(config.has("raster_params.map_type"));
  }

  TEST_CASE("keys that nobody asks for are kept") {
    CHECK(Config::parse(kTypical).json().find("\"architecture\":\"x\"") !=
          std::string::npos);
  }

  TEST_CASE("a missing key says what was expected where") {
    CHECK_THROWS_WITH_AS(
        Config::parse("{}").number("model_params.step_time"),
        "config: model_params.step_time: not found (expected a number)", Error);
  }

  TEST_CASE("a value of another type or out of range is shown") {
    const auto config = Config::parse(
        R"({"a": -1, "b": 1.5, "c": "text", "d": [1, 2, 3], "e": 18446744073709551615,
            "f": [0, 5], "g": [1, "x"]})");
    const auto* const expected =
        "config: a: invalid value (found -1, expected an integer, 0 to 9)";
    CHECK_THROWS_WITH_AS(config.count("a", 9), expected, Error);
    CHECK_THROWS_AS(config.count("b", 9), Error);
    CHECK_THROWS_AS(config.count("e", 9), Error);
    CHECK_THROWS_WITH_AS(
        config.flag("c"),
        "config: c: invalid value (found \"text\", expected true or false)", Error);
    CHECK_THROWS_AS(config.number("c"), Error);
    CHECK_THROWS_AS(config.text("a"), Error);
    CHECK_THROWS_AS(config.number_pair("d"), Error);
    CHECK_THROWS_AS(config.size_pair("f", 9), Error);
    CHECK_THROWS_AS(config.number_pair("g"), Error);
  }

  TEST_CASE("a config that is not an object of sections is an error") {
    for (const auto* text : {"", "[", "3", "[1]", "{\"a\":", "{\"a\": 1e999}"}) {
      CAPTURE(text);
      CHECK_THROWS_AS(Config::parse(text), Error);
    }
  }

  TEST_CASE("a config nested without end is refused") {
    const std::string deep = "{\"a\":" + std::string(100'000, '[');
    CHECK_THROWS_WITH_AS(Config::parse(deep), "config: nested deeper than 64 levels",
                         Error);
  }

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
        "config: raster_params.semantic_map_key: not found (expected a string)",
        bev::Error);
  }

  TEST_CASE("a long value is shown by its beginning") {
    const auto config = Config::parse("{\"a\": \"" + std::string(500, 'x') + "\"}");
    try {
      config.number("a");
      FAIL("a string is no number");
    } catch (const Error& error) {
      const std::string message = error.what();
      CHECK(message.size() < 120);
      CHECK(message.find("xxx...") != std::string::npos);
    }
  }

  TEST_CASE("integers are read up to their limit, written as integers") {
    const auto config = Config::parse(
        R"({"a": 4294967295, "b": 4294967296, "c": 3.0, "d": true, "e": "3", "f": -0})");
    CHECK(config.count("a", ~0U) == ~0U);
    CHECK_THROWS_AS(config.count("b", ~0U), Error);
    CHECK_THROWS_AS(config.count("c", 9), Error);
    CHECK_THROWS_AS(config.count("d", 9), Error);
    CHECK_THROWS_AS(config.count("e", 9), Error);
    CHECK(config.count("f", 9) == 0);
    CHECK_THROWS_AS(config.count("a", ~0U - 1), Error);
  }

  TEST_CASE("an empty path is the whole config, empty keys are missing") {
    const auto config = Config::parse(R"({"a": {"": 1}})");
    CHECK(config.has(""));
    CHECK(config.has("a"));
    CHECK_FALSE(config.has(".a"));
    CHECK_FALSE(config.has("a.b"));
    CHECK_FALSE(config.has("a..b"));
  }
}
