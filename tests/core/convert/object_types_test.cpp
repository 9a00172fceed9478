#include "core/convert/object_types.hpp"

#include <doctest/doctest.h>

#include "core/scene/labels.hpp"
#include "tests/support/error_code.hpp"

using namespace bev;
using namespace bev::convert;

TEST_SUITE("convert/object_types") {
  TEST_CASE("each of Argoverse 2's types has L5Kit's label and an extent") {
    const Tables tables = argoverse2_tables();
    struct Row {
      const char* type;
      const char* label;
      std::array<float, 3> extent;
    };
    const Row rows[] = {
        {"vehicle", "PERCEPTION_LABEL_CAR", {4.0F, 2.0F, 1.6F}},
        {"bus", "PERCEPTION_LABEL_BUS", {12.0F, 2.6F, 3.2F}},
        {"motorcyclist", "PERCEPTION_LABEL_MOTORCYCLIST", {2.2F, 0.9F, 1.6F}},
        {"cyclist", "PERCEPTION_LABEL_CYCLIST", {2.0F, 0.7F, 1.7F}},
        {"pedestrian", "PERCEPTION_LABEL_PEDESTRIAN", {0.7F, 0.7F, 1.75F}},
        {"riderless_bicycle", "PERCEPTION_LABEL_BICYCLE", {2.0F, 0.7F, 1.1F}},
        {"static", "PERCEPTION_LABEL_UNKNOWN", {1, 1, 1}},
        {"background", "PERCEPTION_LABEL_UNKNOWN", {1, 1, 1}},
        {"construction", "PERCEPTION_LABEL_UNKNOWN", {1, 1, 1}},
        {"unknown", "PERCEPTION_LABEL_UNKNOWN", {1, 1, 1}},
    };
    CHECK(tables.types.size() == std::size(rows));
    for (const auto& row : rows) {
      const ObjectType& type = tables.types.at(row.type);
      CHECK(scene::kPerceptionLabels[type.label] == row.label);
      CHECK(type.extent == row.extent);
    }
  }

  TEST_CASE("each city has its origin, rounded to 1e-7 degrees") {
    const auto cities = argoverse2_tables().cities;
    CHECK(cities.size() == 6);
    CHECK(cities.at("austin").lat_e7 == 302746424);
    CHECK(cities.at("austin").lng_e7 == -977404457);
    CHECK(cities.at("dearborn").lat_e7 == 422999307);
    CHECK(cities.at("dearborn").lng_e7 == -831755575);
    CHECK(cities.at("miami").lat_e7 == 257745258);
    CHECK(cities.at("miami").lng_e7 == -801965691);
    CHECK(cities.at("palo-alto").lat_e7 == 374160650);
    CHECK(cities.at("palo-alto").lng_e7 == -1221357196);
    CHECK(cities.at("pittsburgh").lat_e7 == 404417790);
    CHECK(cities.at("pittsburgh").lng_e7 == -800129438);
    CHECK(cities.at("washington-dc").lat_e7 == 388893770);
    CHECK(cities.at("washington-dc").lng_e7 == -770355047);
  }

  TEST_CASE("a user replaces and adds entries") {
    Tables tables = argoverse2_tables();
    override_tables(tables, R"({
      "types": {"bus": {"extent": [9, 3, 4]}, "vehicle": {"label": "PERCEPTION_LABEL_VAN"},
                "tram": {"label": "PERCEPTION_LABEL_TRAM", "extent": [30, 2.5, 3.5]}},
      "cities": {"paris": [48.8566, 2.3522]}})");
    CHECK(tables.types.at("bus").label == 6);
    CHECK(tables.types.at("bus").extent == std::array<float, 3>{9, 3, 4});
    CHECK(tables.types.at("vehicle").label == 4);
    CHECK(tables.types.at("vehicle").extent[0] == 4.0F);
    CHECK(tables.types.at("tram").label == 5);
    CHECK(tables.cities.at("paris").lat_e7 == 488566000);
    override_tables(tables, "");
    CHECK(tables.types.size() == 11);
  }

  TEST_CASE("Waymo's tables have its types, and widths that a user replaces") {
    Tables tables = waymo_tables();
    CHECK(tables.types.at("vehicle").label == 3);
    CHECK(tables.types.at("pedestrian").label == 14);
    CHECK(tables.types.at("cyclist").label == 12);
    CHECK(tables.types.at("other").label == 1);
    CHECK(tables.lane_widths_m.at("freeway") == 3.7);
    override_tables(tables, R"({"lane_widths": {"bike": 2}})");
    CHECK(tables.lane_widths_m.at("bike") == 2);
    CHECK(tables.lane_widths_m.at("street") == 3.3);
  }

  TEST_CASE("an invalid entry is named") {
    const char* invalid[] = {
        "[",
        "[]",
        R"({"labels": {}})",
        R"({"types": []})",
        R"({"types": {"bus": 3}})",
        R"({"types": {"bus": {"size": 3}}})",
        R"({"types": {"bus": {"label": "BUS"}}})",
        R"({"types": {"bus": {"label": 6}}})",
        R"({"types": {"bus": {"extent": [1, 2]}}})",
        R"({"types": {"bus": {"extent": [1, 2, 0]}}})",
        R"({"types": {"bus": {"extent": [1, 2, "3"]}}})",
        R"({"types": {"bus": {"extent": [1, 2, 1e300]}}})",
        R"({"cities": {"x": [91, 0]}})",
        R"({"cities": {"x": [0, -181]}})",
        R"({"cities": {"x": [0]}})",
        R"({"lane_widths": {"bike": 0}})",
        R"({"lane_widths": {"bike": "2"}})",
    };
    for (const char* text : invalid) {
      CAPTURE(text);
      Tables tables = argoverse2_tables();
      CHECK(test::error_code([&] { override_tables(tables, text); }) ==
            Errc::invalid_argument);
    }
  }
}
