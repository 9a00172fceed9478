#include "core/convert/scenarionet_export.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "core/convert/city_map.hpp"
#include "core/convert/scenario_records.hpp"
#include "core/convert/scenarionet.hpp"
#include "core/map/meta.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/scenarionet.hpp"

namespace scenarionet_export_test {

using namespace bev;
using namespace bev::convert;
using test::Tree;

namespace {

Scenario imported(const std::string& pickle, const ImportOptions& options = {}) {
  return import_scenarionet(std::as_bytes(std::span(pickle)), scenarionet_tables(),
                            options);
}

map::SemanticMap map_of(const Scenario& scenario) {
  CityMap city;
  city.add(*scenario.map, scenario.id);
  const std::string bytes = city.semantic_map();
  return map::SemanticMap::parse(std::as_bytes(std::span(bytes)),
                                 map::parse_meta(city.meta_json()));
}

/// Exports a scenario as if it were the scene of this index.
ScenarionetExporter::File exported(ScenarionetExporter& exporter,
                                   const Scenario& scenario, std::uint64_t index = 0) {
  const auto records = records_of(scenario);
  const auto attributes = nlohmann::json::parse(scenario.attributes);
  const auto map = map_of(scenario);
  return exporter.add({records, index, attributes, &map});
}

Scenario again(const Scenario& scenario, std::uint64_t index = 0) {
  ScenarionetExporter exporter("bevscope");
  return imported(exported(exporter, scenario, index).pickle);
}

/// A frame's agents by track.
std::vector<scene::Agent> agents_at(const scene::SceneRecords& records,
                                    const scene::Frame& frame) {
  const auto& at = frame.agent_index_interval;
  const auto begin = records.agents.begin();
  std::vector<scene::Agent> out(begin + static_cast<std::ptrdiff_t>(at.begin),
                                begin + static_cast<std::ptrdiff_t>(at.end));
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.centroid, a.track_id) < std::tuple(b.centroid, b.track_id);
  });
  return out;
}

void check_equal(const Scenario& first, const Scenario& second) {
  const auto a = records_of(first), b = records_of(second);
  REQUIRE(a.frames.size() == b.frames.size());
  for (std::size_t i = 0; i < a.frames.size(); ++i) {
    CHECK(a.frames[i].timestamp == b.frames[i].timestamp);
    CHECK(a.frames[i].ego_translation == b.frames[i].ego_translation);
    CHECK(std::abs(a.frames[i].ego_rotation[0] - b.frames[i].ego_rotation[0]) < 1e-15);
    auto left = agents_at(a, a.frames[i]), right = agents_at(b, b.frames[i]);
    REQUIRE(left.size() == right.size());
    for (std::size_t k = 0; k < left.size(); ++k) {
      left[k].track_id = right[k].track_id;  // numbers of names are by order
      CHECK(left[k] == right[k]);
    }
  }
  CHECK(a.faces == b.faces);
  REQUIRE(first.map->lanes.size() == second.map->lanes.size());
  const auto is_near = [](const auto& p, const auto& q) {
    return std::abs(p.x - q.x) < 0.0051 && std::abs(p.y - q.y) < 0.0051;
  };
  for (std::size_t i = 0; i < first.map->lanes.size(); ++i) {
    const auto &p = first.map->lanes[i], &q = second.map->lanes[i];
    CHECK(p.id == q.id);
    CHECK(p.in_junction == q.in_junction);
    for (auto [x, y] : {std::pair(&p.left, &q.left), std::pair(&p.right, &q.right),
                        std::pair(&p.centre, &q.centre)}) {
      CHECK(std::equal(x->begin(), x->end(), y->begin(), y->end(), is_near));
    }
  }
}

}  // namespace

TEST_SUITE("convert/scenarionet_export") {
  TEST_CASE("a scenario is read back with equal states, lights and lanes") {
    for (const auto& tree : {test::small_nuscenes(), test::small_waymo_scenario()}) {
      const auto scenario = imported(test::pickled(tree));
      const auto second = again(scenario);
      check_equal(scenario, second);
      CHECK(second.id == scenario.id);
      CHECK(second.corrected.empty());
    }
  }

  TEST_CASE("predictions and names are read back") {
    const auto scenario = imported(test::pickled(test::small_waymo_scenario()));
    const auto first = nlohmann::json::parse(scenario.attributes);
    const auto second = nlohmann::json::parse(again(scenario).attributes);
    for (const char* key : {"anchor_frame", "scored", "difficulty", "dataset",
                            "objects_of_interest", "ego_track_id", "ego_extent"}) {
      CAPTURE(key);
      CHECK(first[key] == second[key]);
    }
    const auto named = again(imported(test::pickled(test::small_nuscenes())));
    CHECK(named.tracks[0].name == "b0b0");
  }

  TEST_CASE("a moved scenario is moved back, without its prefix") {
    ImportOptions options;
    options.place = 7;
    const auto plain = imported(test::pickled(test::small_waymo_scenario()));
    const auto moved = imported(test::pickled(test::small_waymo_scenario()), options);
    const auto back = again(moved, 7);
    CHECK(back.map->lanes[0].id == "1");
    CHECK(std::abs(back.ego[0].position.x - plain.ego[0].position.x) < 1e-9);
    CHECK(back.faces[0][0].face_id == "1/r");
  }

  TEST_CASE("a scene without an ego vehicle is refused") {
    const auto scenario = imported(test::pickled(test::small_nuscenes()));
    const auto records = records_of(scenario);
    const nlohmann::json attributes = {{"ego_is_virtual", true}};
    ScenarionetExporter exporter("bevscope");
    CHECK_THROWS_WITH_AS(
        exporter.add({records, 5, attributes, nullptr}),
        "scene 5: no ego vehicle, which ScenarioNet needs (convert the "
        "scenes with one of their tracks as ego)",
        Error);
  }

  TEST_CASE("the lists name every file once") {
    ScenarionetExporter exporter("bevscope");
    const auto scenario = imported(test::pickled(test::small_waymo_scenario()));
    const auto first = exported(exporter, scenario, 0);
    const auto second = exported(exporter, scenario, 1);
    CHECK(first.name == "sd_waymo_bevscope_scene-0001.pkl");
    CHECK(second.name == "sd_waymo_bevscope_scene-0001_1.pkl");
    const auto summary = exporter.summary(), mapping = exporter.mapping();
    CHECK(scenarionet_files(std::as_bytes(std::span(summary)),
                            std::as_bytes(std::span(mapping))) ==
          std::vector{first.name, second.name});
  }

  TEST_CASE("what scenarios cannot have is counted") {
    auto scenario = imported(test::pickled(test::small_waymo_scenario()));
    const auto records = records_of(scenario);
    const nlohmann::json none;
    ScenarionetExporter exporter("bevscope");
    exporter.add({records, 0, none, nullptr});
    CHECK(exporter.lost().at("lights of a scene without a map") == 1);
    const scene::SceneRecords empty;
    CHECK(test::error_code([&] {
            exporter.add({empty, 1, none, nullptr});
          }) == Errc::invalid_argument);
  }
}

}  // namespace scenarionet_export_test
