#include "core/model/outputs.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/support/models.hpp"

namespace outputs_test {

using doctest::Approx;
using namespace bev::model;
using bev::test::bound;
using bev::test::refusal_of;
using bev::test::settings_of;
using bev::test::tensor;

namespace {

using Numbers = std::vector<double>;
using Shape = std::vector<std::uint32_t>;

/// Subjects at (100, 50), turned by a quarter to the left, and at the origin.
const Numbers kWorldFromAgent{0, -1, 100, 1, 0, 50, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1};
const Numbers kCentroids{100, 50, 0, 0};
const Numbers kYaws{1.5, 0};

Poses poses(std::size_t count) {
  return {std::span(kWorldFromAgent).first(count * 9),
          std::span(kCentroids).first(count * 2), std::span(kYaws).first(count)};
}

Contract with(std::vector<Tensor> outputs, std::string_view settings = "") {
  return bound({{}, std::move(outputs)},
               settings.empty() ? Settings{} : settings_of(settings));
}

const Contract kPaths = with({tensor("positions", {-1, -1, 2})});

/// Positions of one output, in the world.
Predicted moved(const Contract& contract, const Numbers& data, const Shape& shape,
                std::size_t subjects = 1) {
  return in_world(contract, {{data, shape}}, poses(subjects));
}

std::string refused(const Contract& contract, const Numbers& data, const Shape& shape,
                    std::size_t subjects = 1) {
  return refusal_of([&] { moved(contract, data, shape, subjects); });
}

Numbers confidences(const char* name, const Numbers& given) {
  const auto contract = with({tensor("pred", {-1, -1, 1, 2}), tensor(name, {-1, -1})});
  const auto modes = static_cast<std::uint32_t>(given.size());
  const Numbers positions(given.size() * 2);
  const Shape shape{1, modes, 1, 2};
  const Shape row{1, modes};
  return in_world(contract, {{positions, shape}, {given, row}}, poses(1)).confidences;
}

}  // namespace

TEST_SUITE("model/outputs") {
  TEST_CASE("positions in the subject's frame move to the world") {
    const auto found = moved(kPaths, {1, 0, 2, 3, 1, 0, 2, 3}, {2, 2, 2}, 2);
    CHECK(found.batch == 2);
    CHECK(found.modes == 1);
    CHECK(found.steps == 2);
    CHECK(found.positions == Numbers{100, 51, 97, 52, 1, 0, 2, 3});
    CHECK(found.confidences == Numbers{1, 1});
    CHECK(found.yaws.empty());
  }

  TEST_CASE("positions in the world, or from the centroid, are not turned") {
    const auto tensors = std::vector{tensor("positions", {-1, -1, 3})};
    const auto world = with(tensors, R"(, "frame": "world")");
    CHECK(moved(world, {7, 8, 0.25}, {1, 1, 3}).positions == Numbers{7, 8});
    CHECK(moved(world, {7, 8, 0.25}, {1, 1, 3}).yaws == Numbers{0.25});
    const auto offset = with(tensors, R"(, "frame": "world_offset", "units": 0.5)");
    CHECK(moved(offset, {2, 4, 0.25}, {1, 1, 3}).positions == Numbers{101, 52});
    CHECK(moved(offset, {2, 4, 0.25}, {1, 1, 3}).yaws == Numbers{0.25});
  }

  TEST_CASE("positions of several modes, and flat ones") {
    const auto modes = with({tensor("pred", {-1, -1, -1, 2})});
    const auto found = moved(modes, {1, 0, 2, 0}, {1, 2, 1, 2});
    CHECK(found.modes == 2);
    CHECK(found.positions == Numbers{100, 51, 100, 52});
    CHECK(found.confidences == Numbers{0.5, 0.5});
    const auto flat = moved(with({tensor("out", {-1, 4})}), {1, 0, 2, 0}, {1, 4});
    CHECK(flat.steps == 2);
    CHECK(flat.positions == found.positions);
  }

  TEST_CASE("yaws are added to the subject's heading") {
    const auto inside = with({tensor("positions", {-1, -1, 3})});
    CHECK(moved(inside, {0, 0, 0.25}, {1, 1, 3}).yaws == Numbers{1.75});
    const auto beside =
        with({tensor("positions", {-1, -1, 2}), tensor("yaws", {-1, -1, 1})});
    const Numbers positions{0, 0};
    const Shape shape{1, 1, 2};
    const Numbers yaws{0.5};
    const Shape yaw_shape{1, 1, 1};
    const Outputs outputs{{positions, shape}, {}, {yaws, yaw_shape}};
    CHECK(in_world(beside, outputs, poses(1)).yaws == Numbers{2});
  }

  TEST_CASE("confidences that are no distribution go through softmax") {
    CHECK(confidences("confidences", {0.25, 0.75}) == Numbers{0.25, 0.75});
    CHECK(confidences("scores", {0.25, 0.7505}) == Numbers{0.25, 0.7505});
    const auto logits = confidences("confidences", {std::log(1.0), std::log(3.0)});
    CHECK(logits[0] == Approx(0.25));
    CHECK(logits[1] == Approx(0.75));
    CHECK(confidences("logits", {0.5, 0.5}) == Numbers{0.5, 0.5});
    CHECK(confidences("logits", {0.25, 0.75})[0] != 0.25);
    CHECK(confidences("scores", {1.5, -0.5})[1] > 0);
    CHECK(confidences("scores", {1e9, -1e9}) == Numbers{1, 0});
  }

  TEST_CASE("other shapes are refused") {
    CHECK(refused(kPaths, {1, 2, 3}, {1, 1, 2}) ==
          "model.onnx: positions: unexpected shape (found (1, 1, 2) of 3 values, "
          "expected "
          "(B, T, 2 or 3), (B, K, T, 2 or 3) or (B, 2 T))");
    for (const Shape& shape :
         {Shape{4}, Shape{1, 1, 4}, Shape{1, 1, 1, 1, 4}, Shape{1, 3}, Shape{1, 0, 2},
          Shape{1, 0}, Shape{1, 0, 2, 2}, Shape{}}) {
      std::size_t size = 1;
      for (const auto length : shape) size *= length;
      CHECK(refused(kPaths, Numbers(size), shape).find("unexpected shape") !=
            std::string::npos);
    }
    CHECK(refused(kPaths, {1, 2}, {1, 1, 2}, 2) ==
          "model.onnx: positions: size of the batch (found 1, expected 2)");
    CHECK(refused(kPaths, {}, {0xffffffff, 0xffffffff, 0xffffffff}) != "");
    CHECK(moved(kPaths, {}, {0, 12, 2}, 0).positions.empty());
  }

  TEST_CASE("outputs beside the positions have their sizes") {
    const auto contract =
        with({tensor("pred", {-1, 2, 1, 2}), tensor("scores", {-1, 2})});
    const Numbers positions(4);
    const Shape shape{1, 2, 1, 2};
    const Numbers three(3);
    const Shape row{1, 3};
    CHECK(
        refusal_of([&] {
          in_world(contract, {{positions, shape}, {three, row}}, poses(1));
        }) ==
        "model.onnx: scores: unexpected shape (found (1, 3) of 3 values, expected (B, "
        "K), a value per mode)");
    CHECK(refused(contract, positions, shape) != "");
    CHECK(refusal_of([&] {
            in_world(kPaths, {{Numbers{1, 2}, Shape{1, 1, 2}}},
                     {kWorldFromAgent, kCentroids, std::span(kYaws).first(1)});
          }) ==
          "model.onnx: poses: lengths differ (found 18, 4 and 1 numbers, expected 9, 2 "
          "and 1 per sample)");
  }

  TEST_CASE("values that are not finite, or too large, are counted") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK(refused(kPaths, {nan, nan, 0, 0}, {2, 1, 2}, 2) ==
          "model.onnx: positions: not finite in 1 of 2 samples");
    CHECK(refused(kPaths, {nan, 0, 0, -infinity}, {2, 1, 2}, 2) ==
          "model.onnx: positions: not finite in 2 of 2 samples");
    CHECK(
        refused(kPaths, {0, 0, 2e6, 0}, {2, 1, 2}, 2) ==
        "model.onnx: positions: too large in 1 of 2 samples (expected at most 1e6 m)");
    const auto world =
        with({tensor("positions", {-1, -1, 2})}, R"(, "frame": "world")");
    CHECK(refused(world, {2e6, 0}, {1, 1, 2}) == "");
    CHECK(refused(world, {2e9, 0}, {1, 1, 2}) != "");
    CHECK(refusal_of([&] {
            confidences("scores", {nan, 1});
          }) == "model.onnx: scores: not finite in 1 of 1 samples");
  }

  TEST_CASE("a closed loop takes the first step of the most confident mode") {
    const auto contract = with({tensor("pred", {-1, 2, 2, 2}),
                                tensor("scores", {-1, 2}), tensor("yaws", {-1, 2, 2})});
    const Numbers positions{1, 2, 9, 9, 0.1, 0.2, 9, 9, 5, 6, 9, 9, 7, 8, 9, 9};
    const Numbers scores{0.25, 0.75, 0.5, 0.5};
    const Numbers yaws{0.1, 9, 0.2, 9, 0.3, 9, 0.4, 9};
    const Shape shape{2, 2, 2, 2}, row{2, 2}, steps{2, 2, 2};
    const auto found = first_steps(
        contract, {{positions, shape}, {scores, row}, {yaws, steps}}, poses(2));
    CHECK(found.positions == Numbers{0.1, 0.2, 5, 6});  // to the bit
    CHECK(found.yaws == Numbers{0.2, 0.3});
  }

  TEST_CASE("steps in the world are relative to the subject") {
    const auto tensors = std::vector{tensor("positions", {-1, -1, 3})};
    const Shape shape{1, 1, 3};
    const auto world = with(tensors, R"(, "frame": "world")");
    const Numbers at{98, 51, 1.75};
    const auto found = first_steps(world, {{at, shape}}, poses(1));
    CHECK(found.positions == Numbers{1, 2});
    CHECK(found.yaws == Numbers{0.25});
    const auto offset = with(tensors, R"(, "frame": "world_offset", "units": 0.5)");
    const Numbers by{-4, 2, 1.5};
    CHECK(first_steps(offset, {{by, shape}}, poses(1)).positions == Numbers{1, 2});
  }

  TEST_CASE("without yaws, subjects turn to where they move, unless they hardly do") {
    const Shape shape{1, 1, 2};
    const auto turn = [&](const Numbers& step) {
      return first_steps(kPaths, {{step, shape}}, poses(1)).yaws[0];
    };
    CHECK(turn({1, 1}) == Approx(std::atan2(1.0, 1.0)));
    CHECK(turn({0, 0.05}) == 0);
    CHECK(turn({0, 0.051}) == Approx(std::atan2(1.0, 0.0)));
  }

  TEST_CASE("only models whose first position is the next frame drive") {
    const Numbers step{1, 0};
    const Shape shape{1, 1, 2};
    const auto refused_by = [&](std::string_view settings) {
      const auto contract = with({tensor("positions", {-1, -1, 2})}, settings);
      return refusal_of([&] { first_steps(contract, {{step, shape}}, poses(1)); });
    };
    CHECK(refused_by(R"(, "first_step": 2)") ==
          "model.onnx: cannot drive: its first position is not one frame ahead (found "
          "first_step 2 and step_time 0.1, expected 1 and 0.1)");
    CHECK(refused_by(R"(, "step_time": 0.5)") != "");
    CHECK(refused_by(R"(, "step_time": 0.1)") == "");
  }

  TEST_CASE("records are offsets from the centroid, along the world axes") {
    const Numbers positions{1, 0, 2, 3, 1, 0, 2, 3};
    const Shape shape{2, 2, 1, 2};
    const Numbers confidences{0.25, 0.7505, 0.25, 0.75};
    const Shape row{2, 2};
    const auto contract =
        with({tensor("pred", {-1, -1, 1, 2}), tensor("scores", {-1, -1})});
    const auto found =
        records_of(contract, {{positions, shape}, {confidences, row}}, poses(2));
    CHECK(found.modes == 2);
    CHECK(found.steps == 1);
    CHECK(found.coords == Numbers{0, 1, -3, 2, 1, 0, 2, 3});
    // Files of predictions need a sum of 1.
    CHECK(found.confidences[0] + found.confidences[1] == Approx(1).epsilon(1e-12));
    CHECK(found.confidences[2] == 0.25);
  }

  TEST_CASE("only positions of the next frames are records") {
    const Numbers step{1, 0};
    const Shape shape{1, 1, 2};
    const auto contract =
        with({tensor("positions", {-1, -1, 2})}, R"(, "step_time": 0.5)");
    CHECK(
        refusal_of([&] {
          records_of(contract, {{step, shape}}, poses(1));
        }) ==
        "model.onnx: predictions cannot be compared with frames: its first position "
        "is not one frame ahead (found first_step 1 and step_time 0.5, expected 1 and "
        "0.1)");
  }

  TEST_CASE("the number of positions is bounded") {
    const auto most = static_cast<std::uint32_t>(Predicted::kMaxPositions);
    CHECK(refused(kPaths, Numbers(most * 2 + 2), {1, most + 1, 2}) ==
          "model.onnx: positions: too many (found 4194305, expected at most 4194304)");
  }
}

}  // namespace outputs_test
