#include "core/model/inputs.hpp"

#include <doctest/doctest.h>

#include "tests/support/models.hpp"

namespace inputs_test {

using namespace bev::model;
using bev::test::bound;
using bev::test::planner;
using bev::test::refusal_of;
using bev::test::settings_of;
using bev::test::tensor;

namespace {

using Shape = std::vector<std::uint32_t>;

std::string refused(const Contract& contract, const std::vector<Tensor>& arrays,
                    bool batched = false) {
  return refusal_of([&] { feeds_of(contract, arrays, batched); });
}

Contract scaled(std::string_view channels) {
  const std::string list(channels);
  return bound(planner(), settings_of(R"(, "scale": {"image": {"mean": )" + list +
                                      R"(, "std": )" + list + "}}"));
}

}  // namespace

TEST_SUITE("model/inputs") {
  TEST_CASE("a sample gets the axis of a batch, a batch has it") {
    const auto contract = bound(planner());
    const auto one = feeds_of(contract, {tensor("image", {5, 112, 112})}, false);
    REQUIRE(one.size() == 1);
    CHECK(one[0].shape == Shape{1, 5, 112, 112});
    const auto four = feeds_of(contract, {tensor("image", {4, 5, 112, 112})}, true);
    CHECK(four[0].shape == Shape{4, 5, 112, 112});
    CHECK(describe(four) == R"([{"key":"image","name":"image","scaled":false,)"
                            R"("shape":[4,5,112,112],"type":"float32"}])");
    CHECK(feeds_of(contract, {tensor("image", {0, 5, 112, 112})}, true)[0].shape[0] ==
          0);
  }

  TEST_CASE("an array that is absent or of another shape is refused") {
    const auto contract = bound(planner());
    CHECK(refused(contract, {tensor("yaw", {}), tensor("extent", {3})}) ==
          "model.onnx: input image: no image in the samples (found yaw, extent)");
    CHECK(refused(contract, {tensor("image", {25, 112, 112})}) ==
          "model.onnx: input image: shape does not match (found (batch, 5, 112, 112), "
          "the samples have (25, 112, 112))");
    CHECK(refused(contract, {tensor("image", {5, 112, 112})}, true) != "");
    CHECK(refused(contract, {tensor("image", {4, 5, 112, 112})}) != "");
    CHECK(refused(contract, {tensor("image", {5, -1, 112})}) ==
          "image: unknown length");
    CHECK(refused(contract, {tensor("image", {5, 112, 112}, "int64")}) ==
          "image: unexpected type (found int64 (5, 112, 112), expected float32)");
  }

  TEST_CASE("the image has the form of the input") {
    const auto floats = bound(planner());
    CHECK(refused(floats, {tensor("image", {5, 112, 112}, "uint8")}) ==
          "model.onnx: input image: type does not match (found float32 (batch, 5, 112, "
          "112), the samples have uint8 (5, 112, 112))");
    auto signature = planner();
    signature.inputs[0] = tensor("image", {-1, 5, 112, 112}, "uint8");
    const auto bytes = bound(signature);
    CHECK(refused(bytes, {tensor("image", {5, 112, 112}, "uint8")}) == "");
    CHECK(refused(bytes, {tensor("image", {5, 112, 112})}) != "");
  }

  TEST_CASE("arrays of one batch have its size, and that of the model") {
    const Signature two{
        {tensor("yaw", {-1}, "float64"), tensor("centroid", {-1, 2}, "float64")},
        {tensor("positions", {-1, 12, 2})}};
    CHECK(
        refused(bound(two),
                {tensor("yaw", {3}, "float64"), tensor("centroid", {4, 2}, "float64")},
                true) ==
        "model.onnx: input centroid: size of the batch (found 4, expected 3)");
    auto fixed = planner();
    fixed.inputs[0] = tensor("image", {1, 5, 112, 112});
    CHECK(refused(bound(fixed), {tensor("image", {16, 5, 112, 112})}, true) ==
          "model.onnx: input image: size of the batch (found 16, expected 1)");
    CHECK(refused(bound(fixed), {tensor("image", {5, 112, 112})}) == "");
  }

  TEST_CASE("values are normalised, by one number or by channel") {
    const std::vector<float> values{1, 2, 3, 4};
    CHECK(normalised(scaled("[2]"), 0, values, Shape{1, 2, 1, 2}) ==
          std::vector<float>{-0.5, 0, 0.5, 1});
    CHECK(normalised(scaled("[1, 2]"), 0, values, Shape{1, 2, 1, 2}) ==
          std::vector<float>{0, 1, 0.5, 1});
    CHECK(normalised(scaled("[1, 2]"), 0, values, Shape{2, 2}) ==
          std::vector<float>{0, 0, 2, 1});
    CHECK(normalised(bound(planner()), 0, values, Shape{4}) == values);
  }

  TEST_CASE("another number of channels or values is refused") {
    const std::vector<float> values{1, 2, 3, 4};
    const auto said = [&](std::string_view channels, const Shape& shape) {
      return refusal_of([&] { normalised(scaled(channels), 0, values, shape); });
    };
    CHECK(said("[1, 2, 3]", {1, 2, 1, 2}) ==
          "model.json: scale.image: wrong number of channels (found 3, expected 1 or 2 "
          "for 4 values)");
    CHECK(said("[1]", {1, 2, 1, 3}) != "");
    CHECK(said("[1]", {0xffffffff, 0xffffffff, 0xffffffff}) != "");
    CHECK(refusal_of([&] { normalised(scaled("[1]"), 1, values, Shape{4}); }) != "");
  }
}

}  // namespace inputs_test
