#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <string_view>

#include "core/base/error.hpp"
#include "core/reader/filter.hpp"

namespace bind_filter_test {

using bev::Error;
using bev::reader::Filter;
using bev::reader::parse_filter;
using bev::reader::Schema;
using bev::zarr::ByteOrder;
using bev::zarr::DType;
using bev::zarr::Kind;

namespace {

DType type_of(Kind kind, std::size_t size) {
  DType out;
  out.kind = kind;
  out.item_size = size;
  out.order = size > 1 ? ByteOrder::little : ByteOrder::none;
  return out;
}

Schema agents() {
  Schema out;
  out.columns = {{"track_id", type_of(Kind::unsigned_int, 8)},
                 {"speed", type_of(Kind::real, 4)},
                 {"centroid", type_of(Kind::real, 8), 2},
                 {"label", type_of(Kind::unsigned_int, 1), 1, {"CAR", "VAN", "BUS"}},
                 {"host", type_of(Kind::unicode, 16)},
                 {"kept", type_of(Kind::boolean, 1)},
                 {"probabilities", type_of(Kind::real, 4), 2},
                 {"time", type_of(Kind::datetime, 8)}};
  out.label_column = "probabilities";
  out.labels = {"CAR", "VAN", "BUS"};
  return out;
}

std::string message_of(std::string_view text) {
  try {
    Filter(parse_filter(text), agents());
  } catch (const Error& error) {
    return std::string(bev::to_string(error.code())) + ": " + error.what();
  }
  return "no error";
}

}  // namespace

TEST_SUITE("reader/bind_filter") {
  TEST_CASE("unknown names are refused with the nearest known ones") {
    CHECK(message_of("kept and sped > 1") ==
          "not_found: filter, column 10: unknown field \"sped\" (expected speed)");
    CHECK(message_of("zzzzzz > 1") ==
          "not_found: filter, column 1: unknown field \"zzzzzz\" (expected track_id, "
          "speed, centroid, label, host, kept, probabilities, time)");
    CHECK(message_of("speed/2 > 1") ==
          "not_found: filter, column 1: unknown field \"speed/2\" (expected speed; a "
          "division needs spaces: speed / 2)");
    CHECK(
        message_of("label == \"CRA\"") ==
        "not_found: filter, column 10: unknown label \"CRA\" (expected CAR, VAN, BUS)");
    CHECK(message_of("label_prob(\"CARS\") > 0.5") ==
          "not_found: filter, column 1: unknown label \"CARS\" (expected CAR)");
    CHECK(message_of("label_prob(\"BUS\") > 0.5") ==
          "out_of_range: filter, column 1: label BUS has no probability (column "
          "probabilities has 2 elements)");
  }

  TEST_CASE("tags need rows of scenes, and have to be known") {
    CHECK(message_of("speed > 1 and has_tag('a')") ==
          "invalid_argument: filter, column 15: has_tag: rows do not belong to scenes");
    auto schema = agents();
    schema.columns.push_back({"scene", type_of(Kind::signed_int, 8)});
    const auto message = [&](std::string_view text) {
      try {
        Filter(parse_filter(text), schema);
      } catch (const Error& error) {
        return std::string(error.what());
      }
      return std::string("no error");
    };
    bev::reader::SceneTags tags;
    schema.tags = std::make_shared<const bev::reader::SceneTags>(tags);
    CHECK(message("has_tag('a')") ==
          "filter, column 1: unknown tag \"a\" (expected nothing)");
    tags.scenes = {{"on_stopline", {1}}, {"turning", {0, 1}}};
    schema.tags = std::make_shared<const bev::reader::SceneTags>(tags);
    CHECK(message("has_tag('on_stoplines')") ==
          "filter, column 1: unknown tag \"on_stoplines\" (expected on_stopline)");
    CHECK(message("has_tag('a')") ==
          "filter, column 1: unknown tag \"a\" (expected on_stopline, turning)");
    CHECK(message("has_tag('turning')") == "no error");
  }

  TEST_CASE("elements out of range are refused") {
    CHECK(message_of("centroid > 1") ==
          "invalid_argument: filter, column 1: field centroid needs an index (expected "
          "centroid[0] to centroid[1])");
    CHECK(message_of("centroid[2] > 1") ==
          "out_of_range: filter, column 1: field centroid: index 2 is out of range "
          "(count 2)");
    CHECK(message_of("speed[0] > 1") == "no error");
    CHECK(message_of("speed[1] > 1") ==
          "out_of_range: filter, column 1: field speed: index 1 is out of range (count "
          "1)");
  }

  TEST_CASE("types that do not fit are refused") {
    CHECK(message_of("speed") ==
          "invalid_argument: filter, column 1: unexpected value (found a number, "
          "expected a condition)");
    CHECK(message_of("track_id == \"12\"") ==
          "invalid_argument: filter, column 13: unexpected value (found a string, "
          "expected a number, as track_id has)");
    CHECK(message_of("speed in (\"fast\")") ==
          "invalid_argument: filter, column 11: unexpected value (found a string, "
          "expected a number, as speed has)");
    CHECK(message_of("label in (\"CAR\", 3)") ==
          "invalid_argument: filter, column 18: unexpected value (found a number, "
          "expected a string, as label has)");
    CHECK(message_of("label in (3, \"CAR\")") ==
          "invalid_argument: filter, column 14: unexpected value (found a string, "
          "expected a number)");
    CHECK(message_of("host < \"b\"") ==
          "invalid_argument: filter, column 1: unexpected value (found a string, "
          "expected a number)");
    CHECK(message_of("host == 3") ==
          "invalid_argument: filter, column 9: unexpected value (found a number, "
          "expected a string, as host has)");
    CHECK(message_of("host in (3)") ==
          "invalid_argument: filter, column 10: unexpected value (found a number, "
          "expected a string, as host has)");
    CHECK(message_of("\"a\" == \"b\"") ==
          "invalid_argument: filter, column 1: unexpected value (found a string, "
          "expected a number)");
    CHECK(message_of("(speed > 1) + 2 > 3") ==
          "invalid_argument: filter, column 8: unexpected value (found a condition, "
          "expected a number)");
    CHECK(message_of("abs(host) > 3") ==
          "invalid_argument: filter, column 5: unexpected value (found a string, "
          "expected a number)");
    CHECK(message_of("speed > 1 and 3") ==
          "invalid_argument: filter, column 15: unexpected value (found a number, "
          "expected a condition)");
    CHECK(message_of("time > 3") ==
          "invalid_argument: filter, column 1: field time cannot be used in a filter "
          "(found <M8, expected numbers or strings)");
    CHECK(message_of("hash_split(\"a\", [0.5], 0)") ==
          "invalid_argument: filter, column 12: unexpected value (found a string, "
          "expected a field or number)");
  }

  TEST_CASE("fractions outside of 0 to 1 are refused") {
    CHECK(message_of("hash_split(speed, [0.5, 1.5], 0)") ==
          "invalid_argument: filter, column 1: fractions must be from 0 to 1 (found "
          "1.5)");
    CHECK(message_of("hash_split(speed, [0.5, 0.6], 0)") ==
          "invalid_argument: filter, column 1: the sum of the fractions must be at "
          "most 1 (found 1.1)");
    CHECK(message_of("hash_split(speed, [0.8, 0.1, 0.1], 2)") == "no error");
  }

  TEST_CASE("errors of JSON name no column of a text") {
    const auto tree =
        bev::reader::filter_from_json(R"({"op": ">", "args": [{"field": "x"}, 1]})");
    CHECK_THROWS_WITH_AS(
        Filter(tree, agents()),
        "filter: unknown field \"x\" (expected track_id, speed, centroid, label, host, "
        "kept, probabilities, time)",
        Error);
  }
}

}  // namespace bind_filter_test
