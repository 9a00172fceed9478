#include "core/zarr/json_view.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using bev::zarr::JsonView;
using nlohmann::json;

TEST_SUITE("zarr/json_view") {
  TEST_CASE("values are what they are, and nothing else") {
    const json value = json::parse(
        R"({"text": "a", "count": 3, "below": -3, "real": 1.5, "null": null,
            "yes": true, "list": [7, "b"], "object": {"x": 1}})");
    const JsonView view(value);
    CHECK(view.is_object());
    CHECK(view["text"].is("a"));
    CHECK_FALSE(view["text"].is("b"));
    CHECK_FALSE(view["text"].count());
    CHECK(view["count"].is(3));
    CHECK(view["count"].number() == 3.0);
    CHECK_FALSE(view["below"].count());
    CHECK(view["real"].number() == 1.5);
    CHECK_FALSE(view["real"].count());
    CHECK(view["yes"].boolean() == true);
    CHECK_FALSE(view["count"].boolean());
    CHECK(view["null"].is_null());
    CHECK(view["null"]);
    CHECK(view["list"].is_list());
    CHECK(view["list"].size() == 2);
    CHECK(view["list"].at(1).is("b"));
    CHECK(view["object"]["x"].is(1));
    CHECK(view["object"].dump() == R"({"x":1})");
  }

  TEST_CASE("what is not there answers every question") {
    const json value = json::array({1});
    const JsonView view(value);
    for (const auto none : {JsonView(), view["x"], view.at(1), view.at(0)["x"]["y"]}) {
      CHECK_FALSE(none);
      CHECK(none.is_null());
      CHECK(none.size() == 0);
      CHECK_FALSE(none.is_list());
      CHECK_FALSE(none.is_object());
      CHECK_FALSE(none.text());
      CHECK_FALSE(none.count());
      CHECK_FALSE(none.number());
      CHECK_FALSE(none.boolean());
      CHECK(none.dump() == "nothing");
    }
  }

  TEST_CASE("members are set") {
    json object = json::object();
    bev::zarr::set(object, "a", std::string("b"));
    bev::zarr::set(object, "c", json(1));
    bev::zarr::set(object, "c", json(2));
    CHECK(object.dump() == R"({"a":"b","c":2})");
  }
}
