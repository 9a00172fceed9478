#include "core/base/own_json.hpp"

#include <doctest/doctest.h>

#include <string>

namespace bev {

TEST_SUITE("base/own_json") {
  TEST_CASE("text is returned as a tree") {
    CHECK(json_of(R"({"a": [1, null]})") == nlohmann::json{{"a", {1, nullptr}}});
  }

  TEST_CASE("text that is not JSON, or nested too deeply, is invalid_metadata") {
    const auto deep = std::string(99, '[') + std::string(99, ']');
    CHECK_THROWS_WITH_AS(json_of("{"), "JSON: invalid text", Error);
    CHECK_THROWS_WITH_AS(json_of(deep), "JSON: nested too deeply", Error);
  }
}

}  // namespace bev
