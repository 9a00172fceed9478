#include "core/model/sample_keys.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "tests/support/models.hpp"

namespace sample_keys_test {

using namespace bev::model;
using bev::test::tensor;

namespace {

bool admitted(std::string_view key, std::initializer_list<int> axes) {
  return admits(*find_key(key), *tensor("x", axes).axes);
}

}  // namespace

TEST_SUITE("model/sample_keys") {
  TEST_CASE("each key occurs once") {
    std::set<std::string_view> names;
    for (const auto& key : sample_keys()) CHECK(names.insert(key.name).second);
    CHECK(find_key("image") != nullptr);
    CHECK(find_key("imge") == nullptr);
  }

  TEST_CASE("an input may have the shape of a batch of a key's arrays") {
    CHECK(admitted("image", {-1, 5, 112, 112}));
    CHECK(admitted("history_positions", {-1, -1, -1}));
    CHECK(admitted("history_positions", {1, 11, 2}));
    CHECK_FALSE(admitted("history_positions", {-1, 2, 11}));
    CHECK_FALSE(admitted("history_positions", {11, 2}));
    CHECK(admitted("yaw", {-1}));
    CHECK_FALSE(admitted("yaw", {-1, 1}));
    CHECK(shape_text(*find_key("lanes")) == "(batch, n, n, 3)");
    CHECK(shape_text(*find_key("yaw")) == "(batch)");
  }

  TEST_CASE("conversions lose nothing that models use") {
    const auto can = [](std::string_view key, Element to) {
      return converts(*find_key(key), to);
    };
    CHECK(can("centroid", Element::float32));
    CHECK(can("history_positions", Element::float64));
    CHECK(can("type", Element::int32));
    CHECK(can("image", Element::float16));
    CHECK(can("lanes", Element::float16));
    CHECK_FALSE(can("world_from_agent", Element::float16));
    CHECK(can("lanes_availabilities", Element::uint8));
    CHECK(can("history_availabilities", Element::boolean));
    CHECK(can("image", Element::uint8));
    CHECK_FALSE(can("timestamp", Element::int32));
    CHECK_FALSE(can("track_id", Element::int32));
    CHECK_FALSE(can("type", Element::float32));
    CHECK_FALSE(can("centroid", Element::uint8));
    CHECK_FALSE(can("image", Element::other));
  }

  TEST_CASE("keys of the future are known") {
    CHECK(find_key("target_positions")->is_future());
    CHECK(find_key("all_other_agents_future_yaws")->is_future());
    CHECK(find_key("future_extents")->is_future());
    CHECK_FALSE(find_key("history_positions")->is_future());
    CHECK_FALSE(find_key("all_other_agents_history_yaws")->is_future());
  }
}

}  // namespace sample_keys_test
