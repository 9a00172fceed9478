#include "core/raster/rasterizer.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/small_map.hpp"
#include "tests/support/small_render_input.hpp"

namespace rasterizer_test {

using bev::Errc;
using bev::Error;
using bev::map::AerialImage;
using bev::map::SemanticMap;
using bev::raster::make_rasterizer;
using bev::raster::Planes;
using bev::raster::Rasterizer;
using bev::sample::Config;
using bev::test::small_config;
using Bytes = std::vector<std::uint8_t>;

namespace {

std::unique_ptr<Rasterizer> made(const std::string& json) {
  bev::geom::Affine3 aerial_from_world;
  aerial_from_world.rows[0][3] = 100;
  aerial_from_world.rows[1][3] = 100;
  return make_rasterizer(Config::parse(json),
                         std::make_shared<const SemanticMap>(SemanticMap::parse(
                             bev::test::fragment({bev::test::lane("L", 0)}).span(),
                             bev::test::equator_meta())),
                         std::make_shared<const AerialImage>(
                             200, 200, Bytes(120000, 60), aerial_from_world));
}

Planes planes_for(const Rasterizer& rasterizer, Bytes& bytes) {
  bytes.assign(rasterizer.byte_count(), 99);
  return {rasterizer.channels(), rasterizer.height(), rasterizer.width(), bytes};
}

/// Draws one agent at (6, 4), seen by the ego vehicle at the origin.
Bytes drawn(Rasterizer& rasterizer) {
  const bev::test::SmallFrame frame({{6, 4}});
  const std::array history = {frame.rows({0, 0})};
  Bytes bytes;
  rasterizer.draw(bev::test::small_render_input(history, {0, 0}),
                  planes_for(rasterizer, bytes));
  return bytes;
}

std::string refusal(const std::string& json, Errc expected) {
  try {
    make_rasterizer(Config::parse(json), nullptr, nullptr);
  } catch (const Error& error) {
    CHECK(error.code() == expected);
    return error.what();
  }
  return "no error";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_SUITE("raster/rasterizer") {
  TEST_CASE("map types have L5Kit's channels and needs") {
    struct Case {
      const char* map_type;
      std::uint32_t channels;
      bool agents, faces;
    };
    for (const Case& one :
         {Case{"py_semantic", 9, true, true}, Case{"py_satellite", 9, true, false},
          Case{"semantic_debug", 3, false, true},
          Case{"satellite_debug", 3, false, false}, Case{"box_debug", 6, true, false},
          Case{"stub_debug", 3, false, false}}) {
      CAPTURE(one.map_type);
      const auto rasterizer = made(small_config(one.map_type));
      CHECK(rasterizer->channels() == one.channels);
      CHECK(rasterizer->needs() ==
            bev::sample::SampleInputs{one.agents, one.agents, one.faces});
    }
  }

  TEST_CASE("the stub is black, and lies on its side as in L5Kit") {
    const auto stub = made(small_config("stub_debug"));
    CHECK(stub->height() == 40);
    CHECK(stub->width() == 30);
    CHECK(drawn(*stub) == Bytes(3 * 40 * 30));
  }

  TEST_CASE("boxes come first, then the map; every byte is written") {
    const auto both = made(small_config("py_semantic"));
    const auto boxes = made(small_config("box_debug"));
    const auto map = made(small_config("semantic_debug"));
    Bytes joined = drawn(*boxes);
    const Bytes base = drawn(*map);
    joined.insert(joined.end(), base.begin(), base.end());
    CHECK(drawn(*both) == joined);
    const Bytes aerial = drawn(*made(small_config("py_satellite")));
    CHECK(aerial[6 * 1200 + 600] == 60);
  }

  TEST_CASE("as RGB the boxes are pasted over the map, with or without opacity") {
    const auto both = made(small_config("py_semantic"));
    Bytes image = drawn(*both);
    Bytes three(3 * 1200), four(4 * 1200);
    const Planes planes{9, 30, 40, image};
    both->to_rgb(planes, three);
    both->to_rgb(planes, four);
    const std::size_t agent = 23 * 40 + 32, ego = 15 * 40 + 20, road = 23 * 40 + 20,
                      paper = 2 * 40 + 38;
    const auto at = [&](std::size_t i) {
      return std::array<int, 3>{three[3 * i], three[3 * i + 1], three[3 * i + 2]};
    };
    CHECK(at(agent) == std::array<int, 3>{0, 0, 255});
    CHECK(at(ego) == std::array<int, 3>{0, 255, 0});
    CHECK(at(paper) == std::array<int, 3>{255, 255, 255});
    CHECK(at(road) == std::array<int, 3>{17, 17, 31});
    for (std::size_t i = 0; i < 1200; ++i) {
      if (four[4 * i + 3] != 255 || four[4 * i + 1] != three[3 * i + 1]) FAIL("at ", i);
    }
  }

  TEST_CASE("channels have names for people") {
    const auto both = made(small_config("py_semantic"));
    std::vector<std::string> names;
    for (std::uint32_t c = 0; c < 9; ++c) names.push_back(both->channel_name(c));
    CHECK(names == std::vector<std::string>{"agents, now", "agents, 1 step ago",
                                            "agents, 2 steps ago", "self, now",
                                            "self, 1 step ago", "self, 2 steps ago",
                                            "map, red", "map, green", "map, blue"});
    CHECK(made(small_config("semantic_debug"))->channel_name(1) == "map, green");
    CHECK_THROWS_WITH_AS(both->channel_name(9),
                         "raster: channel 9 is out of range (count 9)", Error);
  }

  TEST_CASE("errors name what a config lacks and what is unsupported") {
    CHECK(refusal(small_config("py_lidar"), Errc::unsupported) ==
          "config: raster_params.map_type: unknown type \"py_lidar\" (expected "
          "py_semantic, py_satellite, semantic_debug, satellite_debug, box_debug or "
          "stub_debug)");
    CHECK(refusal(small_config("py_semantic"), Errc::invalid_argument) ==
          "config: raster_params.map_type: py_semantic requires a semantic map");
    CHECK(refusal(small_config("satellite_debug"), Errc::invalid_argument) ==
          "config: raster_params.map_type: satellite_debug requires an aerial image");
    refusal(replaced(small_config("box_debug"), "\"render_ego_history\": true",
                     "\"other\": 1"),
            Errc::missing_key);
    refusal(
        replaced(replaced(small_config("box_debug"), "frames\": 2", "frames\": 999"),
                 "[40, 30]", "[8000, 8000]"),
        Errc::limit_exceeded);
  }

  TEST_CASE("memory of another size is refused") {
    const auto boxes = made(small_config("box_debug"));
    Bytes bytes(6 * 1200);
    CHECK_THROWS_WITH_AS(
        boxes->draw(bev::test::small_render_input({}, {0, 0}), {6, 40, 30, bytes}),
        "raster: wrong shape (found (6, 40, 30) of 7200 bytes, expected (6, 30, 40))",
        Error);
    Bytes rgb(5);
    CHECK_THROWS_AS(boxes->to_rgb({6, 30, 40, bytes}, rgb), Error);
  }
}

}  // namespace rasterizer_test
