#include "core/reader/scene_tags.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"

namespace scene_tags_test {

using bev::reader::SceneTags;
using nlohmann::json;

namespace {

SceneTags tags_of(const char* scenes, std::uint64_t count) {
  const json attributes{{"bevscope", {{"scenes", json::parse(scenes)}}}};
  return SceneTags::parse(attributes, count);
}

}  // namespace

TEST_SUITE("reader/scene_tags") {
  TEST_CASE("scenes are listed by tag") {
    const auto found =
        tags_of(R"([{"tags": {"a": [0, 5], "b": []}}, {}, {"tags": {"a": [1]}}])", 3);
    CHECK(found.scenes.size() == 2);
    CHECK(found.scenes.at("a") == std::vector<std::uint64_t>{0, 2});
    CHECK(found.scenes.at("b") == std::vector<std::uint64_t>{0});
  }

  TEST_CASE("attributes of other forms have no tags") {
    CHECK(SceneTags::parse(json::object(), 3).scenes.empty());
    CHECK(SceneTags::parse(json{{"bevscope", 1}}, 3).scenes.empty());
    CHECK(tags_of(R"([{"tags": ["a"]}, 1, null, {"tags": 2}])", 9).scenes.empty());
  }

  TEST_CASE("tags of another number of scenes are refused") {
    CHECK_THROWS_WITH_AS(tags_of(R"([{"tags": {"a": []}}])", 2),
                         "attribute bevscope.scenes: wrong number of scenes (found 1, "
                         "expected 2)",
                         bev::Error);
  }
}

}  // namespace scene_tags_test
