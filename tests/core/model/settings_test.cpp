#include "core/model/settings.hpp"

#include <doctest/doctest.h>

#include "tests/support/models.hpp"

namespace settings_test {

using namespace bev::model;
using bev::test::refusal_of;
using bev::test::settings_of;

namespace {

std::string refused(std::string_view rest) {
  return refusal_of([&] { settings_of(rest); });
}

std::string refused_text(const std::string& text) {
  return refusal_of([&] { read_settings(text, "model.json"); });
}

}  // namespace

TEST_SUITE("model/settings") {
  TEST_CASE("what is not given has L5Kit's values") {
    const auto all = settings_of("");
    CHECK(all.subjects == Subjects::ego);
    CHECK(all.frame == Frame::subject);
    CHECK(all.units == 1);
    CHECK(all.first_step == 1);
    CHECK(all.step_time == 0.1);
    CHECK(all.max_agents == 32);
    CHECK_FALSE(all.config);
    CHECK_FALSE(all.vectorized);
  }

  TEST_CASE("everything can be given") {
    const auto all = settings_of(R"(, "name": "urban driver v3", "subject": "agents",
      "config": {"model_params": {"history_num_frames": 10}}, "vectorized": false,
      "inputs": {"img": "image"}, "scale": {"img": {"mean": [0.5], "std": [0.25]}},
      "outputs": {"positions": "pred", "confidences": "conf", "yaws": "yaw"},
      "frame": "world_offset", "units": 0.01, "first_step": 2, "step_time": 0.5,
      "labels": ["CAR"], "max_agents": 8)");
    CHECK(all.name == "urban driver v3");
    CHECK(to_string(all.subjects) == "agents");
    CHECK(*all.config == R"({"model_params":{"history_num_frames":10}})");
    CHECK(all.inputs.at("img") == "image");
    CHECK(all.scale.at("img").deviation == std::vector{0.25F});
    CHECK(*all.outputs.confidences == "conf");
    CHECK(to_string(all.frame) == "world_offset");
    CHECK(all.units == 0.01);
    CHECK(all.first_step == 2);
    CHECK(all.labels == std::vector<std::string>{"CAR"});
    CHECK(all.max_agents == 8);
  }

  TEST_CASE("an unknown key is refused, with the one that was meant") {
    CHECK(refused(R"(, "framme": "world")") ==
          "model.json: framme: unknown key (did you mean frame?)");
    CHECK(refused(R"(, "xyzzy": 1)") == "model.json: xyzzy: unknown key");
    CHECK(refused(R"(, "outputs": {"position": "a"})") ==
          "model.json: outputs.position: unknown key (did you mean positions?)");
    CHECK(refused(R"(, "scale": {"a": {"mean": [1], "std": [1], "x": 1}})") ==
          "model.json: scale.a.x: unknown key");
  }

  TEST_CASE("values outside their ranges are refused") {
    CHECK(refused(R"(, "frame": "moon")") ==
          "model.json: frame: unknown (found \"moon\", expected subject, world, "
          "world_offset)");
    CHECK(
        refused(R"(, "subject": "scene")") ==
        "model.json: subject: models of whole scenes are not supported (expected ego, "
        "agents, both)");
    CHECK(refused(R"(, "units": 0)") == "model.json: units: not a number above 0");
    CHECK(refused(R"(, "units": "m")") ==
          "model.json: units: not a number from 0 to 1e6 (found string)");
    CHECK(refused(R"(, "step_time": -1)") ==
          "model.json: step_time: not a number above 0");
    CHECK(refused(R"(, "first_step": 0.5)") ==
          "model.json: first_step: not a whole number, or too large (found 0.5)");
    CHECK(refused(R"(, "max_agents": 0)") ==
          "model.json: max_agents: not a number above 0");
    CHECK(refused(R"(, "config": "config.yaml")") ==
          "model.json: config: wrong type (expected an object)");
    CHECK(refused(R"(, "labels": "CAR")") ==
          "model.json: labels: wrong type (expected an array)");
    CHECK(refused(R"(, "inputs": {"img": 3})") ==
          "model.json: inputs.img: wrong type (expected a string)");
    CHECK(refused(R"(, "scale": {"a": {"mean": [1, 2], "std": [1]}})") ==
          "model.json: scale.a: mean and std have different lengths");
    CHECK(refused(R"(, "scale": {"a": {"mean": [1], "std": [0]}})") ==
          "model.json: scale.a.std: not numbers above 0");
    CHECK(refused(R"(, "scale": {"a": {"mean": [], "std": []}})") ==
          "model.json: scale.a.mean: wrong length (expected 1, or one per channel)");
  }

  TEST_CASE("another document or version is refused") {
    CHECK(refused_text("{}") == "model.json: format: missing");
    CHECK(refused_text("[") == "model.json: not JSON");
    CHECK(refused_text("[]") == "model.json: wrong type (expected an object)");
    CHECK(refused_text(R"({"format": "bevscope-rollout", "version": 1})") ==
          "model.json: format: not settings of a model (expected bevscope-model)");
    CHECK(refused_text(R"({"format": "bevscope-model", "version": 2})") ==
          "model.json: unsupported version (found 2, expected 1)");
    CHECK(refused_text(std::string(Settings::kMaxBytes + 1, ' ')) ==
          "model.json: 1048577 bytes (expected at most 1048576)");
  }

  TEST_CASE("every prefix of a document is refused") {
    const std::string whole =
        R"({"format":"bevscope-model","version":1,"scale":{"a":{"mean":[1],"std":[2]}}})";
    for (std::size_t n = 0; n < whole.size(); ++n) {
      CAPTURE(n);
      CHECK(refused_text(whole.substr(0, n)) != "");
    }
    CHECK(refused_text(whole) == "");
  }
}

}  // namespace settings_test
