#include "core/model/contract.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/support/models.hpp"

namespace contract_test {

using namespace bev::model;
using bev::test::bound;
using bev::test::planner;
using bev::test::settings_of;
using bev::test::tensor;
using nlohmann::json;

namespace {

json described(const Signature& signature, Settings settings = {}) {
  return json::parse(describe(bound(signature, std::move(settings))));
}

}  // namespace

TEST_SUITE("model/contract") {
  TEST_CASE("a contract says what a model takes and gives") {
    const auto all = described(planner());
    CHECK(all["name"] == "model.onnx");
    CHECK(all["subject"] == "ego");
    CHECK(all["image"] == "f32");
    CHECK(all["vectorized"] == false);
    CHECK(all["readsFuture"] == false);
    CHECK(all["batch"].is_null());
    CHECK(all["inputs"] == json::parse(R"x([{"name": "image", "key": "image",
      "type": "float32", "shape": "(batch, 5, 112, 112)", "scaled": false
  }])x"));
    CHECK(all["outputs"] == json::parse(R"({"positions": "positions",
      "confidences": null, "yaws": "yaws"})"));
    CHECK(all["modes"] == 1);
    CHECK(all["steps"] == 12);
    CHECK(all["frame"] == "subject");
    CHECK(all["config"].is_null());
    CHECK(all["assumed"] == json::parse(R"({"history_num_frames": 0,
      "future_num_frames": 12, "width": 112, "height": 112})"));
  }

  TEST_CASE("settings are in it") {
    const auto all =
        described(planner(), settings_of(R"(, "name": "my model", "config": {"a": [1]},
                                            "labels": ["CAR"], "subject": "both")"));
    CHECK(all["name"] == "my model");
    CHECK(all["config"] == json::parse(R"({"a": [1]})"));
    CHECK(all["labels"] == json::parse(R"(["CAR"])"));
    CHECK(all["subject"] == "both");
    CHECK(all["assumed"]["width"].is_null());
  }

  TEST_CASE("numbers of modes and steps, as far as shapes tell") {
    const auto sizes = [](std::initializer_list<int> axes) {
      const auto all = described({{}, {tensor("positions", axes)}});
      return all["modes"].dump() + " " + all["steps"].dump();
    };
    CHECK(sizes({-1, 3, 50, 2}) == "3 50");
    CHECK(sizes({-1, -1, 50, 2}) == "null 50");
    CHECK(sizes({-1, -1, 2}) == "1 null");
    CHECK(sizes({-1, 100}) == "1 50");
    CHECK(sizes({-1, -1}) == "1 null");
    auto unknown = tensor("positions", {});
    unknown.axes.reset();
    CHECK(described({{}, {unknown}})["modes"].is_null());
  }
}

}  // namespace contract_test
