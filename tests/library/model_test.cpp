#include <doctest/doctest.h>

#include <bevscope/error.hpp>
#include <bevscope/model.hpp>
#include <string>
#include <vector>

namespace model_test {

const std::string kSignature = R"({
  "inputs": [{"name": "history_positions", "type": "float32", "shape": ["n", 2, 2]}],
  "outputs": [{"name": "positions", "type": "float32", "shape": ["n", 1, 2]}]})";

TEST_SUITE("library/model") {
  TEST_CASE("a contract is that of the core") {
    const bev::ModelContract contract("a.onnx", kSignature);
    CHECK(contract.json().find(R"("history_num_frames":1)") != std::string::npos);
    const std::string arrays =
        R"([{"name": "history_positions", "type": "<f4", "shape": [2, 2]}])";
    CHECK(contract.feeds(arrays, false).find(R"("shape":[1,2,2])") !=
          std::string::npos);
    CHECK_THROWS_WITH_AS(contract.feeds("[]", false),
                         "a.onnx: input history_positions: no history_positions in the "
                         "samples (found none)",
                         bev::Error);
    CHECK_THROWS_AS(bev::ModelContract("a.onnx", "{}"), bev::Error);
  }

  TEST_CASE("settings normalise inputs and scale positions") {
    const std::string settings = R"({"format": "bevscope-model", "version": 1,
      "scale": {"history_positions": {"mean": [1], "std": [2]}}, "units": 2})";
    const bev::ModelContract contract("a.onnx", kSignature, settings);
    const std::vector<float> values{1, 3};
    const std::vector<std::uint32_t> flat{2};
    CHECK(contract.normalised(0, values, flat) == std::vector<float>{0, 1});
    const std::vector<double> positions{1, 0};
    const std::vector<std::uint32_t> shape{1, 1, 2};
    const std::vector<double> pose{0, -1, 100, 1, 0, 50, 0, 0, 1}, centroid{100, 50};
    const std::vector<double> yaw{1.5};
    bev::ModelAnswer answer;
    answer.positions = {positions, shape};
    answer.world_from_agent = pose;
    answer.centroids = centroid;
    answer.yaws = yaw;
    const auto found = contract.in_world(answer);
    CHECK(found.positions == std::vector<double>{100, 52});
    CHECK(found.confidences == std::vector<double>{1});
    CHECK(found.yaws.empty());
    const auto steps = contract.first_steps(answer);
    CHECK(steps.positions == std::vector<double>{2, 0});
    CHECK(steps.yaws == std::vector<double>{0});
    CHECK_THROWS_WITH_AS(bev::ModelContract("a.onnx", kSignature, "{", "a.json"),
                         "a.json: not JSON", bev::Error);
  }
}

}  // namespace model_test
