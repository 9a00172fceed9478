#include "core/model/bind_outputs.hpp"

#include <doctest/doctest.h>

#include "tests/support/models.hpp"

namespace bind_outputs_test {

using namespace bev::model;
using bev::test::bound;
using bev::test::settings_of;
using bev::test::tensor;

namespace {

Signature with_outputs(std::vector<Tensor> outputs) {
  return {{}, std::move(outputs)};
}

/// Returns the names of positions, confidences and yaws.
std::string found_in(std::vector<Tensor> outputs, std::string_view settings = "") {
  const auto contract = bound(with_outputs(std::move(outputs)),
                              settings.empty() ? Settings{} : settings_of(settings));
  const auto name = [](const std::optional<Tensor>& one) {
    return one ? one->name : "-";
  };
  return contract.positions.name + " " + name(contract.confidences) + " " +
         name(contract.yaws);
}

std::string refused(std::vector<Tensor> outputs, std::string_view settings = "") {
  return bev::test::refusal(with_outputs(std::move(outputs)), settings);
}

}  // namespace

TEST_SUITE("model/bind_outputs") {
  TEST_CASE("L5Kit's models are recognized by names") {
    CHECK(found_in({tensor("yaws", {-1, 12, 1}), tensor("positions", {-1, 12, 2})}) ==
          "positions - yaws");
    CHECK(found_in({tensor("positions_all", {-1, 3, 12, 2}),
                    tensor("yaws_all", {-1, 3, 12, 1}), tensor("yaws", {-1, 12, 1})}) ==
          "positions_all - yaws_all");
    CHECK(found_in({tensor("pred", {-1, 3, 50, 2}), tensor("confidences", {-1, 3})}) ==
          "pred confidences -");
    CHECK(found_in({tensor("positions", {-1, 12, 2}),
                    tensor("positions_all", {-1, 3, 12, 2})}) == "positions - -");
  }

  TEST_CASE("other names of confidences") {
    for (const char* name : {"probabilities", "logits", "scores"}) {
      CAPTURE(name);
      CHECK(found_in({tensor("pred", {-1, 3, 50, 2}), tensor(name, {-1, 3})}) ==
            std::string("pred ") + name + " -");
    }
  }

  TEST_CASE("the only output of such a shape is the positions") {
    CHECK(found_in({tensor("out", {-1, 50, 2})}) == "out - -");
    CHECK(found_in({tensor("out", {-1, 50, 3})}) == "out - -");
    CHECK(found_in({tensor("a", {-1, 3}), tensor("b", {-1, 3, 50, 2})}) == "b a -");
    CHECK(found_in({tensor("out", {-1, 100})}) == "out - -");
    CHECK(found_in({tensor("out", {-1, 50, 2}, "tensor(double)")}) == "out - -");
    CHECK(found_in({tensor("a", {-1, 4}), tensor("b", {-1, 3, 50, 2})}) == "b - -");
  }

  TEST_CASE("the settings name outputs") {
    CHECK(found_in({tensor("a", {-1, 50, 2}), tensor("b", {-1, 3, 50, 2}),
                    tensor("c", {-1, 3}), tensor("d", {-1, 3, 50})},
                   R"(, "outputs": {"positions": "b", "confidences": "c",
                      "yaws": "d"})") == "b c d");
    CHECK(refused({tensor("a", {-1, 50, 2})}, R"(, "outputs": {"positions": "b"})") ==
          "model.json: outputs.positions: no such output (found b, the model has a "
          "float32 (batch, 50, 2))");
  }

  TEST_CASE("a model without positions, or with several, is refused") {
    CHECK(
        refused({tensor("out0", {-1, 151})}) ==
        "model.onnx: outputs: no positions (found out0 float32 (batch, 151); expected "
        "float32 (B, T, 2), (B, K, T, 2) or (B, 2 T); name them in model.json)");
    CHECK(refused({tensor("a", {-1, 50, 2}), tensor("b", {-1, 9, 2})})
              .find("several may be positions (found a float32 (batch, 50, 2), b") !=
          std::string::npos);
    CHECK(refused({}).find("no positions (found none;") != std::string::npos);
    CHECK(refused({tensor("a", {-1, 50, 2}, "int64")}) != "");
    CHECK(refused({tensor("agent_positions", {-1, 30, 12, 2})}) ==
          "model.onnx: outputs: positions of all agents of a scene are not supported "
          "(found agent_positions; name the subject's in model.json)");
  }

  TEST_CASE("a name does not excuse another type or shape") {
    CHECK(refused({tensor("positions", {-1, 12, 5})}) ==
          "model.onnx: output positions: not positions (found float32 (batch, 12, 5), "
          "expected float32 (B, T, 2), (B, K, T, 2) or (B, 2 T))");
    CHECK(refused({tensor("positions", {-1, 12, 2}, "int64")}) != "");
    CHECK(refused({tensor("positions", {-1, 11})}) != "");
    CHECK(refused({tensor("positions", {-1})}) != "");
    CHECK(refused({tensor("pred", {-1, 3, 50, 2}), tensor("scores", {-1, 4})}) ==
          "model.onnx: output scores: not confidences (found float32 (batch, 4), "
          "expected float32 (B, K) for pred float32 (batch, 3, 50, 2))");
    CHECK(refused({tensor("positions", {-1, 12, 2}),
                   tensor("yaws", {-1, 12}, "bool")}) != "");
  }

  TEST_CASE("a named output may have an unknown shape") {
    auto positions = tensor("positions", {});
    positions.axes.reset();
    CHECK(found_in({positions}) == "positions - -");
    positions.name = "out";
    CHECK(refused({positions}).find("no positions (found out float32 ...;") !=
          std::string::npos);
  }
}

}  // namespace bind_outputs_test
