#include "core/zarr/json_view.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"

using bev::zarr::JsonView;
using nlohmann::json;

TEST_SUITE("zarr/json_view") {
  TEST_CASE("values match only their own type") {
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

  TEST_CASE("a view of no value answers every query") {
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

  TEST_CASE("whole numbers are classified by the types they fit") {
    const json value = json::parse(
        R"([-0, -9223372036854775808, 9223372036854775807, 9223372036854775808, 1.0])");
    const JsonView view(value);
    CHECK(view.at(0).is(0));
    CHECK(view.at(0).integer() == 0);
    CHECK(view.at(1).integer() == std::numeric_limits<std::int64_t>::min());
    CHECK_FALSE(view.at(1).count());
    CHECK(view.at(2).integer() == std::numeric_limits<std::int64_t>::max());
    CHECK_FALSE(view.at(3).integer());
    CHECK(view.at(3).is(std::uint64_t{1} << 63));
    CHECK_FALSE(view.at(4).integer());
    CHECK_FALSE(view.at(4).count());
    const json made = 7;  // a signed integer; parsed text would be unsigned
    CHECK(JsonView(made).is(7));
  }

  TEST_CASE("a missing required member is named") {
    const json value = {{"a", nullptr}};
    CHECK(bev::zarr::required(value, "a", "x/.zarray"));
    CHECK_THROWS_WITH_AS(bev::zarr::required(value, "b", "x/.zarray"),
                         "x/.zarray: \"b\" is missing", bev::Error);
  }

  TEST_CASE("members are set") {
    json object = json::object();
    bev::zarr::set(object, "a", std::string("b"));
    bev::zarr::set(object, "c", json(1));
    bev::zarr::set(object, "c", json(2));
    CHECK(object.dump() == R"({"a":"b","c":2})");
  }
}
