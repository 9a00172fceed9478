#include "core/base/json_place.hpp"

#include <doctest/doctest.h>

#include <functional>

namespace json_place_test {

using bev::Errc;
using bev::Error;
using bev::json_document;
using bev::JsonPlace;

namespace {

/// Returns the message of the error that `read` throws for the document `json`.
std::string refused(const char* json, const std::function<void(JsonPlace)>& read) {
  const auto tree = json_document(json, "a.json", 1000);
  try {
    read(JsonPlace(tree, "a.json"));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_SUITE("base/json_place") {
  TEST_CASE("values are read by key, from the document down") {
    const auto tree = json_document(
        R"({"a": {"b": [1, 2]}, "t": "x", "f": true, "n": -2.5})", "a.json", 1000);
    const JsonPlace root(tree, "a.json");
    CHECK(root.at("a", ':').at("b").counts<int>() == std::vector{1, 2});
    CHECK(root.at("a", ':').at("b").items()[1].count<std::uint8_t>() == 2);
    CHECK(root.at("t", ':').text() == "x");
    CHECK(root.at("f", ':').flag());
    CHECK(root.at("n", ':').number(3, "-3 to 3") == -2.5);
    CHECK(root.has("a"));
    CHECK_FALSE(root.has("b"));
    CHECK_FALSE(root.at("t", ':').has("a"));
    CHECK(root.members(':').size() == 4);
    CHECK(root.members(':')[0].second.path() == "a.json: a");
  }

  TEST_CASE("a refusal names the path") {
    const auto said = [](const char* json, const auto& read) {
      return refused(json, read);
    };
    CHECK(said("{}", [](JsonPlace root) { root.at("a", ':'); }) ==
          "a.json: a: missing");
    CHECK(said("[]", [](JsonPlace root) { root.at("a", ':'); }) ==
          "a.json: wrong type (expected an object)");
    CHECK(said("[]", [](JsonPlace root) { root.members(); }) ==
          "a.json: wrong type (expected an object)");
    CHECK(said("{}", [](JsonPlace root) { root.items(); }) ==
          "a.json: wrong type (expected an array)");
    CHECK(said("[3]", [](JsonPlace root) { root.items()[0].text(); }) ==
          "a.json[0]: wrong type (expected a string)");
    CHECK(said("3", [](JsonPlace root) { root.flag(); }) ==
          "a.json: wrong type (expected true or false)");
    CHECK(said("300", [](JsonPlace root) { root.count<std::uint8_t>(); }) ==
          "a.json: not a whole number, or too large (found 300.0)");
    CHECK(said("-1", [](JsonPlace root) { root.count<std::uint8_t>(); }) != "");
    CHECK(said("1e9", [](JsonPlace root) { root.number(10, "-10 to 10"); }) ==
          "a.json: not a number from -10 to 10 (found 1000000000.0)");
    CHECK(said("[null]", [](JsonPlace root) { root.numbers(10, "-10 to 10"); }) ==
          "a.json: not a number from -10 to 10 (found null)");
  }

  TEST_CASE("a document is JSON of bounded length and depth") {
    CHECK_THROWS_WITH_AS(json_document("{", "a.json", 1000), "a.json: not JSON", Error);
    CHECK_THROWS_WITH_AS(json_document(std::string(100, '['), "a.json", 1000),
                         "a.json: nested too deeply", Error);
    CHECK_THROWS_WITH_AS(json_document("[1, 2]", "a.json", 5),
                         "a.json: 6 bytes (expected at most 5)", Error);
  }
}

}  // namespace json_place_test
