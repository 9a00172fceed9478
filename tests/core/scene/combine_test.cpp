#include "core/scene/combine.hpp"

#include <doctest/doctest.h>

#include <vector>

using bev::scene::combined_scenes;
using bev::scene::Scene;

TEST_SUITE("scene/combine") {
  TEST_CASE("scenes that follow each other without a gap on one host become one") {
    const std::vector<Scene> scenes{{{0, 5}, "a", 0, 10},
                                    {{5, 9}, "a", 10, 20},
                                    {{9, 12}, "a", 20, 31},
                                    {{12, 14}, "b", 31, 40},
                                    {{14, 20}, "b", 41, 50}};
    CHECK(combined_scenes(scenes) == std::vector<Scene>{{{0, 12}, "a", 0, 31},
                                                        {{12, 14}, "b", 31, 40},
                                                        {{14, 20}, "b", 41, 50}});
  }

  TEST_CASE("no scenes stay no scenes") {
    CHECK(combined_scenes({}).empty());
  }
}
