#include "core/model/tensor.hpp"

#include <doctest/doctest.h>

#include <tuple>

#include "tests/support/models.hpp"

namespace tensor_test {

using namespace bev::model;
using bev::test::refusal_of;

namespace {

Signature read(const std::string& inputs) {
  return read_signature(R"({"inputs": [)" + inputs + R"(], "outputs": []})", "m.onnx");
}

std::string refused(const std::string& inputs) {
  return refusal_of([&] { read(inputs); });
}

}  // namespace

TEST_SUITE("model/tensor") {
  TEST_CASE("names of ONNX, Python's runtime and NumPy are the same types") {
    for (const auto* name : {"float32", "tensor(float)", "<f4"})
      CHECK(element_of(name) == Element::float32);
    for (const auto* name : {"bool", "tensor(bool)", "|b1"})
      CHECK(element_of(name) == Element::boolean);
    for (const auto* name : {"float16", "tensor(float16)", "<f2"})
      CHECK(element_of(name) == Element::float16);
    CHECK(is_float(Element::float16));
    CHECK(element_of("tensor(bfloat16)") == Element::other);
    CHECK(to_string(Element::int64) == "int64");
  }

  TEST_CASE("axes are lengths, names, or unknown") {
    const auto signature = read(
        R"x({"name": "a", "type": "float32", "shape": ["batch", 11, null]},
           {"name": "b", "type": "float16", "shape": null},
           {"name": "c", "type": "tensor(bool)"})x");
    const auto& [a, b, c] =
        std::tie(signature.inputs[0], signature.inputs[1], signature.inputs[2]);
    CHECK(text_of(a) == "float32 (batch, 11, ?)");
    CHECK(text_of(b) == "float16 ...");
    CHECK(text_of(c) == "bool ...");
    CHECK((*a.axes)[1].admits(11));
    CHECK_FALSE((*a.axes)[1].admits(12));
    CHECK((*a.axes)[0].admits(12));
  }

  TEST_CASE("other JSON is refused") {
    CHECK(refused("3") == "m.onnx: inputs[0]: wrong type (expected an object)");
    CHECK(refused(R"({"name": "a"})") == "m.onnx: inputs[0].type: missing");
    CHECK(refused(R"({"name": "a", "type": "float32", "shape": [-1]})") ==
          "m.onnx: inputs[0].shape[0]: not a whole number, or too large (found -1.0)");
    CHECK(refused(R"({"name": "a", "type": "float32", "shape": [4294967295]})") ==
          "m.onnx: inputs[0].shape[0]: too large");
    CHECK(refused(R"({"name": "a", "type": "int32"}, {"name": "a", "type": "bool"})") ==
          "m.onnx: inputs[1]: a occurs twice");
    CHECK(refusal_of([] { read_signature("[]", "m.onnx"); }) ==
          "m.onnx: wrong type (expected an object)");
  }

  TEST_CASE("numbers of tensors and axes, and names, are bounded") {
    CHECK(refused(R"({"name": "a", "type": "bool", "shape": [1,1,1,1,1,1,1,1,1]})") ==
          "m.onnx: inputs[0].shape: too many axes (found 9, expected at most 8)");
    CHECK(refused(R"({"name": ")" + std::string(201, 'a') + R"(", "type": "bool"})") ==
          "m.onnx: inputs[0].name: 201 bytes (expected at most 200)");
    std::string many;
    for (int i = 0; i < 257; ++i) many += (i > 0 ? ", 0" : "0");
    CHECK(refused(many) ==
          "m.onnx: inputs: too many (found 257, expected at most 256)");
    CHECK(refused(std::string(Signature::kMaxBytes, ' ')).find("bytes (expected") !=
          std::string::npos);
  }
}

}  // namespace tensor_test
