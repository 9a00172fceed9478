#include "core/convert/nuscenes_version.hpp"

#include <doctest/doctest.h>

#include <functional>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/nuscenes.hpp"

using namespace bev;
using convert::nuscenes::Version;
using test::NuscenesTables;

namespace nuscenes_version_test {

namespace {

/// Returns the error of tables that were changed.
std::string refusal(const std::function<void(NuscenesTables&)>& change) {
  NuscenesTables tables;
  change(tables);
  Version version;
  try {
    tables.pass(version, 100);
  } catch (const Error& error) {
    CHECK(error.code() == Errc::invalid_metadata);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_SUITE("convert/nuscenes_version") {
  TEST_CASE("scenes have their key frames by time, however the files are cut") {
    NuscenesTables tables;
    std::swap(tables.tables["sample"][0], tables.tables["sample"][2]);
    for (const std::size_t step : {1U, 50U, 100'000U}) {
      Version version;
      tables.pass(version, step);
      CHECK(version.is_complete());
      REQUIRE(version.scenes().size() == 2);
      CHECK(version.scenes()[0].samples == std::vector<std::uint32_t>{2, 1, 0});
      CHECK(version.logs()[version.scenes()[1].log].location == "singapore-onenorth");
      CHECK(version.ego(2).position == std::array<double, 3>{400, 1100.5, 0});
      CHECK(version.boxes(1).size() == 6);
      CHECK(version.boxes(0)[1].extent == std::array<float, 3>{4.25, 1.75, 1.5});
      CHECK(version.category(version.boxes(0)[1].instance) == "vehicle.bicycle");
      REQUIRE(version.items(0).size() == 2);
      CHECK(version.items(1).empty());
      CHECK(version.samples()[version.items(0)[0].sample].token == "f01");
    }
  }

  TEST_CASE("files come in their order") {
    Version version;
    CHECK(test::error_code([&] { version.push("[]"); }) == Errc::invalid_argument);
    CHECK(test::error_code([&] { version.begin("scene"); }) == Errc::invalid_argument);
    CHECK(test::error_code([&] { version.begin(Version::kPrediction); }) ==
          Errc::invalid_argument);
    version.begin("log");
    CHECK(test::error_code([&] { version.begin("category"); }) ==
          Errc::invalid_argument);
    CHECK(!version.is_complete());
  }

  TEST_CASE("errors name file, record and field") {
    const auto set = [](const char* table, const char* field, nlohmann::json value) {
      return refusal([&](NuscenesTables& all) { all.tables[table][1][field] = value; });
    };
    CHECK(set("scene", "log_token", "x") ==
          "scene.json: record 1: log_token: not in table log");
    CHECK(set("scene", "token", "s0") == "scene.json: record 1: token is not unique");
    CHECK(set("sample", "timestamp", 1.5) ==
          "sample.json: record 1: timestamp: not microseconds");
    CHECK(set("sample", "timestamp", 1'532'000'000'000'000) ==
          "sample.json: two samples of one time in scene scene-0000");
    CHECK(set("instance", "category_token", nullptr) ==
          "instance.json: record 1: category_token: not a text");
    CHECK(set("sample_data", "is_key_frame", 1) ==
          "sample_data.json: record 1: is_key_frame: not a boolean");
    CHECK(set("ego_pose", "translation", {1, 2}) ==
          "ego_pose.json: record 1: translation: not a list of 3 numbers");
    CHECK(set("ego_pose", "rotation", {1, 2, 3, "x"}) ==
          "ego_pose.json: record 1: rotation: not a number in its range");
    CHECK(set("sample_annotation", "size", {1, 2000, 3}) ==
          "sample_annotation.json: record 1: size: not a number in its range");
    CHECK(set("sample_annotation", "attribute_tokens", {"x"}) ==
          "sample_annotation.json: record 1: attribute_tokens: not in table attribute");
    CHECK(refusal([](auto& all) { all.tables["log"][0] = 5; }) ==
          "log.json: record 0: not a JSON object");
    CHECK(refusal([](auto& all) { all.tables["log"][0].erase("vehicle"); }) ==
          "log.json: record 0: no vehicle");
    CHECK(refusal([](auto& all) { all.tables["log"] = 5; }) ==
          "log.json: not a JSON array (byte 0)");
    CHECK(refusal([](auto& all) { all.prediction["scene-0000"][1] = "i00_x"; }) ==
          "prediction_scenes.json: record 1: instance or sample is not in its table");
  }

  TEST_CASE("long texts and deep records are refused") {
    CHECK(refusal([](auto& all) {
            all.tables["instance"][2]["token"] = std::string(1001, 'x');
          }) == "instance.json: record 2: token: too long a text");
    CHECK(refusal([](auto& all) {
            all.tables["scene"][0]["description"] = std::string(100'000, 'x');
          }) == "");
    CHECK(refusal([](auto& all) {
            nlohmann::json deep = 1;
            for (int i = 0; i < 70; ++i) deep = nlohmann::json::array({deep});
            all.tables["sample"][1]["next"] = deep;
          }) == "sample.json: record 1: not a JSON object");
  }

  TEST_CASE("a sample has one pose") {
    CHECK(refusal([](auto& all) {
            all.tables["sample_data"][3]["sample_token"] = "f00";
          }) ==
          "sample_data.json: record 3: another LIDAR_TOP key frame of a sample or "
          "pose");
    CHECK(refusal([](auto& all) {
            all.tables["sample_data"][1]["is_key_frame"] = false;
          }) == "");
  }
}

}  // namespace nuscenes_version_test
