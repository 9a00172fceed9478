#include "core/model/bind_inputs.hpp"

#include <doctest/doctest.h>

#include "tests/support/models.hpp"

namespace bind_inputs_test {

using namespace bev::model;
using bev::test::bound;
using bev::test::refusal;
using bev::test::settings_of;
using bev::test::tensor;

namespace {

Signature with_inputs(std::vector<Tensor> inputs) {
  return {std::move(inputs), {tensor("positions", {-1, 12, 2})}};
}

std::string keys_of(const Contract& contract) {
  std::string out;
  for (const auto& input : contract.inputs) out.append(input.key->name).append(" ");
  return out;
}

}  // namespace

TEST_SUITE("model/bind_inputs") {
  TEST_CASE("an input takes the key of its name, or the one of the settings") {
    const auto signature =
        with_inputs({tensor("image", {-1, 5, 112, 112}), tensor("past", {-1, 11, 2})});
    const auto contract =
        bound(signature, settings_of(R"(, "inputs": {"past": "history_positions"})"));
    CHECK(keys_of(contract) == "image history_positions ");
    CHECK(contract.image() == "f32");
    CHECK_FALSE(contract.vectorized);
    CHECK_FALSE(contract.reads_future);
  }

  TEST_CASE("the only input of four axes is the image") {
    CHECK(keys_of(bound(with_inputs({tensor("input.1", {-1, 5, 224, 224})}))) ==
          "image ");
    const auto bytes = with_inputs({tensor("x", {1, 5, 224, 224}, "uint8")});
    CHECK(bound(bytes).image() == "u8");
    CHECK(bound(bytes).batch == 1);
    CHECK(refusal(
              with_inputs({tensor("a", {-1, 5, 9, 9}), tensor("b", {-1, 5, 9, 9})})) ==
          "model.onnx: input a: unknown (found float32 (batch, 5, 9, 9); known keys of "
          "this shape: image; name its key in model.json)");
    // Another input is the image already.
    CHECK(refusal(with_inputs(
              {tensor("a", {-1, 5, 9, 9}), tensor("image", {-1, 5, 9, 9})})) != "");
    CHECK(refusal(with_inputs({tensor("a", {-1, 5, 9, 9}), tensor("b", {-1, 5, 9, 9})}),
                  R"(, "inputs": {"b": "image"})") != "");
  }

  TEST_CASE("an unknown input is refused, with the keys that have its shape") {
    CHECK(
        refusal(with_inputs({tensor("history_xy", {-1, 11, 2})})) ==
        "model.onnx: input history_xy: unknown (found float32 (batch, 11, 2); known "
        "keys of this shape: target_positions, target_velocities, target_extents, "
        "history_positions, history_velocities, history_extents, future_extents; name "
        "its key in model.json)");
    CHECK(refusal(with_inputs({tensor("x", {-1, 1, 1, 1, 1})})).find("shape: none;") !=
          std::string::npos);
  }

  TEST_CASE("an input of another type or shape is refused") {
    CHECK(refusal(with_inputs({tensor("image", {-1, 5, 112, 112}, "tensor(int8)")})) ==
          "model.onnx: input image: type does not match (found tensor(int8) (batch, "
          "5, 112, 112), expected float32 for image)");
    CHECK(refusal(with_inputs({tensor("image", {-1, 5, 112, 112}, "float16")})) == "");
    CHECK(refusal(with_inputs({tensor("centroid", {-1, 2}, "float16")})) ==
          "model.onnx: input centroid: type does not match (found float16 (batch, 2), "
          "expected float64 for centroid)");
    CHECK(refusal(with_inputs({tensor("history_positions", {-1, 2, 11})})) ==
          "model.onnx: input history_positions: shape does not match (found (batch, 2, "
          "11), expected (batch, n, 2) for history_positions)");
    CHECK(refusal(with_inputs({tensor("image", {5, 112, 112})})) != "");
    CHECK(refusal(with_inputs({tensor("timestamp", {-1}, "int32")})) != "");
  }

  TEST_CASE("an input of unknown shape has that of its key") {
    auto input = tensor("image", {});
    input.axes.reset();
    CHECK(keys_of(bound(with_inputs({input}))) == "image ");
  }

  TEST_CASE("keys of vectorized samples choose these") {
    const auto lanes = tensor("lanes", {-1, 60, 20, 3});
    CHECK(bound(with_inputs({lanes})).vectorized);
    CHECK(bound(with_inputs({lanes})).image() == "none");
    CHECK(refusal(with_inputs({lanes, tensor("image", {-1, 5, 9, 9})})) ==
          "model.onnx: inputs: image is a key of rasterized samples only, lanes one of "
          "vectorized samples");
    CHECK(refusal(with_inputs({lanes}), R"(, "vectorized": false)") ==
          "model.json: vectorized: lanes is a key of vectorized samples only");
    const auto past = with_inputs({tensor("history_positions", {-1, 11, 2})});
    CHECK_FALSE(bound(past).vectorized);
    CHECK(bound(past, settings_of(R"(, "vectorized": true)")).vectorized);
  }

  TEST_CASE("a model that reads the recorded future is marked") {
    CHECK(bound(with_inputs({tensor("target_positions", {-1, 12, 2})})).reads_future);
  }

  TEST_CASE("settings of inputs that the model lacks are refused") {
    const auto signature = with_inputs({tensor("image", {-1, 5, 9, 9})});
    CHECK(refusal(signature, R"(, "inputs": {"img": "image"})") ==
          "model.json: inputs.img: no such input (the model has image)");
    CHECK(refusal(signature, R"(, "scale": {"img": {"mean": [0], "std": [1]}})") ==
          "model.json: scale.img: no such input (the model has image)");
    CHECK(refusal(with_inputs({tensor("img", {-1, 5, 9, 9})}),
                  R"(, "inputs": {"img": "imge"})") ==
          "model.json: inputs.img: unknown key imge (did you mean image?)");
    CHECK(refusal(with_inputs({tensor("image", {-1, 5, 9, 9}, "uint8")}),
                  R"(, "scale": {"image": {"mean": [0], "std": [1]}})") ==
          "model.json: scale.image: not a float input (found uint8 (batch, 5, 9, 9))");
  }

  TEST_CASE("inputs have one size of batches") {
    CHECK_FALSE(bound(with_inputs({tensor("yaw", {-1}, "float64")})).batch);
    CHECK(bound(with_inputs({tensor("yaw", {4}, "float64")})).batch == 4);
    CHECK(refusal(with_inputs({tensor("yaw", {1}), tensor("centroid", {2, 2})})) ==
          "model.onnx: input centroid: size of the batch (found 2, expected 1)");
    CHECK(refusal(with_inputs({tensor("yaw", {0})})) != "");
  }

  TEST_CASE("without a config, shapes tell its numbers where they agree") {
    const auto image = with_inputs({tensor("image", {-1, 25, 96, 112})});
    const auto assumed = bound(image).assumed;
    CHECK(assumed.history_num_frames == 10);
    CHECK(assumed.width == 112);
    CHECK(assumed.height == 96);
    CHECK(assumed.future_num_frames == 12);
    const auto past = with_inputs({tensor("history_positions", {-1, 11, 2})});
    CHECK(bound(past).assumed.history_num_frames == 10);
    for (const int channels : {0, 2, 3, 4, 6}) {
      CAPTURE(channels);
      const auto odd = with_inputs({tensor("image", {-1, channels, 112, 112})});
      CHECK_FALSE(bound(odd).assumed.history_num_frames);
    }
    CHECK(bound(with_inputs({tensor("image", {-1, 5, 112, 112})}))
              .assumed.history_num_frames == 0);
    const auto both = with_inputs(
        {tensor("image", {-1, 5, 112, 112}), tensor("history_yaws", {-1, 11, 1})});
    CHECK_FALSE(bound(both).assumed.history_num_frames);
    CHECK_FALSE(bound(image, settings_of(R"(, "config": {})")).assumed.width);
  }

  TEST_CASE("a model without inputs takes all keys of a sample") {
    const auto contract = bound(with_inputs({}));
    CHECK(contract.inputs.empty());
    CHECK(contract.image() == "f32");
  }
}

}  // namespace bind_inputs_test
