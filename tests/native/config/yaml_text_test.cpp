#include "native/config/yaml_text.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.hpp"

using bev::Errc;
using bev::Error;
using bev::native::config_as_json;
using nlohmann::json;

namespace {

json read(const std::string& text) {
  return json::parse(config_as_json(text, "c.yaml"));
}

Errc code_of(const std::string& text) {
  try {
    config_as_json(text, "c.yaml");
  } catch (const Error& error) {
    return error.code();
  }
  return Errc::internal;
}

}  // namespace

TEST_SUITE("native/config/yaml_text") {
  TEST_CASE("a config as L5Kit's examples have it") {
    CHECK(read("# a comment\n"
               "format_version: 4\n"
               "model_params:\n"
               "  step_time: 0.1\n"
               "  render_ego_history: yes\n"
               "raster_params:\n"
               "  raster_size: [224, 112]\n"
               "  pixel_size:\n"
               "    - 0.5\n"
               "    - 0.5\n"
               "  map_type: \"py_semantic\"\n"
               "  satellite_map_key:\n") == json::parse(R"({"format_version": 4,
            "model_params": {"step_time": 0.1, "render_ego_history": true},
            "raster_params": {"raster_size": [224, 112], "pixel_size": [0.5, 0.5],
              "map_type": "py_semantic", "satellite_map_key": null}})"));
  }

  TEST_CASE("quoted scalars are strings; a tag sets the type") {
    CHECK(read("a: '5'\nb: \"yes\"\nc: !!str 5\nd: !!float 5\ne: |\n  5\n") ==
          json::parse(R"({"a": "5", "b": "yes", "c": "5", "d": 5.0, "e": "5\n"})"));
  }

  TEST_CASE("JSON is accepted unchanged, with tabs") {
    const std::string text = "{\n\t\"a\": 1e3\n}\n";
    CHECK(config_as_json(text, "c.json") == text);
  }

  TEST_CASE("aliases repeat values; merged keys do not replace existing ones") {
    CHECK(read("base: &b {x: 1, y: 2}\n"
               "one: {<<: *b, y: 3}\n"
               "two: {<<: [{x: 7}, *b], z: *b}\n") ==
          json::parse(R"({"base": {"x": 1, "y": 2}, "one": {"x": 1, "y": 3},
                          "two": {"x": 7, "y": 2, "z": {"x": 1, "y": 2}}})"));
    CHECK(code_of("a: {<<: 5}") == Errc::invalid_argument);
  }

  TEST_CASE("the last of equal keys wins; numeric keys become strings") {
    CHECK(read("a: 1\na: 2\n3: x\n") == json::parse(R"({"a": 2, "3": "x"})"));
  }

  TEST_CASE("an empty file is null") {
    CHECK(read("# nothing\n").is_null());
  }

  TEST_CASE("errors contain file, line and column") {
    CHECK_THROWS_WITH_AS(config_as_json("a: [1,\nb", "c.yaml"),
                         "c.yaml: line 2, column 1: end of sequence flow not found",
                         Error);
    CHECK_THROWS_WITH_AS(config_as_json("a:\n  b: !!int x\n", "c.yaml"),
                         "c.yaml: line 2, column 6: \"x\" is not a valid !!int", Error);
    CHECK(code_of("a: !!python/object:os.system x") == Errc::unsupported);
    CHECK(code_of("? [1, 2]\n: x\n") == Errc::invalid_argument);
    CHECK(code_of("a: 1\n---\nb: 2\n") == Errc::invalid_argument);
    CHECK(code_of("a: *unknown\n") == Errc::invalid_argument);
  }

  TEST_CASE("depth and number of values are bounded") {
    CHECK(code_of(std::string(100, '[') + std::string(100, ']') + "x") ==
          Errc::invalid_argument);
    CHECK(code_of(std::string(100'000, '[')) == Errc::invalid_argument);
    CHECK(code_of("&a [*a]") == Errc::invalid_argument);
    std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 12; ++i) {
      const auto before = "*a" + std::to_string(i - 1);
      laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before +
                "," + before + "," + before + "," + before + "," + before + "]\n";
    }
    CHECK(code_of(laughs) == Errc::invalid_argument);
  }
}
