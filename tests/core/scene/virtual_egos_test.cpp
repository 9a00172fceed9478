#include "core/scene/virtual_egos.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using bev::scene::VirtualEgos;
using nlohmann::json;

TEST_SUITE("scene/virtual_egos") {
  TEST_CASE("scenes that say so have no ego vehicle") {
    const auto egos = VirtualEgos::parse(json::parse(
        R"({"bevscope": {"scenes": [{}, {"ego_is_virtual": true}, 3,
                                    {"ego_is_virtual": false}, {"ego_is_virtual": 1}]}})"));
    CHECK(egos.contains(1));
    for (const std::uint64_t scene : {0U, 2U, 3U, 4U, 5U}) CHECK(!egos.contains(scene));
  }

  TEST_CASE("attributes of other data sets give none") {
    for (const auto* text : {"{}", "null", R"({"bevscope": {"scenes": {}}})"}) {
      CHECK(!VirtualEgos::parse(json::parse(text)).contains(0));
    }
  }
}
