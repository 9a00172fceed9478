#include <doctest/doctest.h>

#include <memory>
#include <set>

#include "native/town/town_files.hpp"
#include "tests/support/facts_check.hpp"

// The facts of core/facts on the town, against the oracle, with its map.

TEST_SUITE("town/facts") {
  TEST_CASE("facts of the town are those of the definitions, with lights") {
    bev::test::MemoryStore files, scenes;
    bev::town::TownOptions options;
    options.scenes = 2;
    options.scene.frames = 100;
    options.aerial = false;
    bev::town::write_town({files, scenes}, options, [](const std::string&) {});
    const auto text = [&](const std::string& key) {
      const auto& bytes = files.objects.at(key);
      return std::string_view(reinterpret_cast<const char*>(bytes.data()),
                              bytes.size());
    };
    const auto& fragment = files.objects.at("semantic_map/semantic_map.pb");
    const auto map =
        std::make_shared<const bev::map::SemanticMap>(bev::map::SemanticMap::parse(
            fragment, bev::map::parse_meta(text("meta.json"))));
    std::set<double> lights;
    for (std::uint64_t scene = 0; scene < 2; ++scene) {
      lights.insert(bev::test::check_facts(scenes, scene, map).scene.facts.at("light"));
    }
    CHECK(*lights.rbegin() >= 1);
  }
}
