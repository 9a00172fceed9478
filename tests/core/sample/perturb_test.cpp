#include "core/sample/perturb.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "core/geom/angle.hpp"
#include "core/sample/relative_poses.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/npz.hpp"

namespace perturb_test {

using bev::Error;
using bev::sample::perturb;
using bev::sample::PerturbationDraws;
using bev::scene::FrameColumns;
using Golden = std::map<std::string, bev::test::NpyArray>;

namespace {

template <class Array>
std::vector<Array> arrays_of(const std::vector<double>& values) {
  std::vector<Array> out(values.size() / std::tuple_size_v<Array>);
  for (std::size_t i = 0; i < values.size(); ++i) {
    out[i / std::tuple_size_v<Array>][i % std::tuple_size_v<Array>] = values[i];
  }
  return out;
}

/// Returns every frame of a dataset's first scene.
FrameColumns read_frames(const std::string& dataset) {
  bev::Engine engine;
  const auto query = engine.scene(0);
  const auto scene = bev::test::run(engine, *query, bev::test::FolderStore(dataset));
  FrameColumns frames;
  frames.timestamp = scene.values<std::int64_t>("frames.timestamp");
  frames.ego_translation =
      arrays_of<std::array<double, 3>>(scene.values<double>("frames.ego_translation"));
  frames.ego_rotation =
      arrays_of<std::array<double, 9>>(scene.values<double>("frames.ego_rotation"));
  return frames;
}

FrameColumns slice(const FrameColumns& all, std::size_t begin, std::size_t end) {
  FrameColumns out;
  for (auto i = begin; i < end; ++i) {
    out.timestamp.push_back(all.timestamp[i]);
    out.ego_translation.push_back(all.ego_translation[i]);
    out.ego_rotation.push_back(all.ego_rotation[i]);
  }
  return out;
}

/// Returns frames straight ahead along x, `step` metres per frame.
FrameColumns straight(std::size_t frames, double step) {
  FrameColumns out;
  for (std::size_t i = 0; i < frames; ++i) {
    out.timestamp.push_back(static_cast<std::int64_t>(i));
    out.ego_translation.push_back({step * static_cast<double>(i), 0, 3});
    out.ego_rotation.push_back({1, 0, 0, 0, 1, 0, 0, 0, 1});
  }
  return out;
}

/// The largest differences of positions and headings from golden frames.
struct Worst {
  double metres = 0;
  double radians = 0;

  void compare(const FrameColumns& ours, std::size_t at, const double* translation,
               const double* rotation) {
    for (std::size_t k = 0; k < 3; ++k) {
      metres =
          std::max(metres, std::fabs(ours.ego_translation[at][k] - translation[k]));
    }
    for (std::size_t k = 0; k < 9; ++k) {
      radians = std::max(radians, std::fabs(ours.ego_rotation[at][k] - rotation[k]));
    }
  }
};

}  // namespace

TEST_SUITE("sample/perturb") {
  TEST_CASE("perturbed drives are the reference's within a tenth of a millimetre") {
    BEV_REQUIRE_GOLDENS();
    const auto folder = bev::test::goldens();
    const auto all = read_frames(folder + "/inputs/single_scene.zarr");
    const auto golden = bev::test::read_npz(folder + "/outputs/perturb/ackerman.npz");
    Worst worst;
    for (std::size_t k = 0; k < 30; ++k) {
      const auto name = (k < 10 ? "0" : "") + std::to_string(k) + ".";
      CAPTURE(name);
      const auto params = golden.at(name + "params").as<double>();
      const auto state = static_cast<std::size_t>(params[0]);
      const auto history = static_cast<std::size_t>(params[1]);
      const auto future = static_cast<std::size_t>(params[2]);
      auto frames = slice(all, state - history, state + future + 1);
      perturb(frames, history, {params[3], params[4], params[5]}, params[6]);
      for (const std::string side : {"history", "future"}) {
        const auto places = golden.at(name + side + "_translation").as<double>();
        const auto turns = golden.at(name + side + "_rotation").as<double>();
        const auto count = places.size() / 3;
        REQUIRE(count == (side == "history" ? history + 1 : future));
        for (std::size_t i = 0; i < count; ++i) {
          const auto at = side == "history" ? history - i : history + 1 + i;
          worst.compare(frames, at, &places[3 * i], &turns[9 * i]);
        }
      }
    }
    MESSAGE("largest difference: " << worst.metres << " m, " << worst.radians);
    CHECK(worst.metres < 1e-4);
    CHECK(worst.radians < 1e-4);
  }

  TEST_CASE("draws are those of NumPy with the same seeds") {
    BEV_REQUIRE_GOLDENS();
    const auto golden =
        bev::test::read_npz(bev::test::goldens() + "/outputs/perturb/ego_gaussian.npz");
    const auto draws = golden.at("gaussian_draws").as<double>();
    PerturbationDraws::Options options;
    options.deviation = {0.5, 1, 0.1};
    options.offset_seed = 3;
    PerturbationDraws ours(options);
    for (std::size_t i = 0; i < draws.size(); i += 3) {
      const auto offset = ours.next();
      REQUIRE(offset.has_value());
      CHECK(offset->lateral == doctest::Approx(draws[i]).epsilon(1e-14));
      CHECK(offset->longitudinal == doctest::Approx(draws[i + 1]).epsilon(1e-14));
      CHECK(offset->yaw == doctest::Approx(draws[i + 2]).epsilon(1e-14));
    }
  }

  TEST_CASE("samples in a row are perturbed, and left alone, as the reference's") {
    BEV_REQUIRE_GOLDENS();
    const auto folder = bev::test::goldens();
    const auto all = read_frames(folder + "/inputs/single_scene.zarr");
    const auto golden =
        bev::test::read_npz(folder + "/outputs/perturb/ego_gaussian.npz");
    PerturbationDraws::Options options{0.7, {}, {0.5, 1, 0.1}, 42, 3};
    PerturbationDraws draws(options);
    std::size_t perturbed = 0;
    for (const auto index : golden.at("indices").as<std::int64_t>()) {
      const auto state = static_cast<std::size_t>(index);
      CAPTURE(state);
      auto frames = slice(all, state, std::min(state + 51, all.size()));
      if (frames.size() == 51) {
        const auto offset = draws.next();
        if (offset) perturb(frames, 0, *offset);
        perturbed += offset ? 1 : 0;
      }
      auto name = std::to_string(state);
      name = std::string(5 - name.size(), '0') + name + ".";
      const auto centroid = golden.at(name + "centroid").as<double>();
      CHECK(std::fabs(frames.ego_translation[0][0] - centroid[0]) < 1e-4);
      CHECK(std::fabs(frames.ego_translation[0][1] - centroid[1]) < 1e-4);
      const double yaw = bev::sample::ego_yaw(frames, 0);
      CHECK(std::fabs(yaw - golden.at(name + "yaw").as<double>()[0]) < 1e-4);
      const auto targets = golden.at(name + "target_positions").as<float>();
      for (std::size_t i = 1; i < frames.size(); ++i) {
        const double dx = frames.ego_translation[i][0] - frames.ego_translation[0][0];
        const double dy = frames.ego_translation[i][1] - frames.ego_translation[0][1];
        const double x = std::cos(yaw) * dx + std::sin(yaw) * dy;
        const double y = std::cos(yaw) * dy - std::sin(yaw) * dx;
        CHECK(std::fabs(x - static_cast<double>(targets[2 * i - 2])) < 2e-4);
        CHECK(std::fabs(y - static_cast<double>(targets[2 * i - 1])) < 2e-4);
      }
    }
    CHECK(perturbed == 2);
  }

  TEST_CASE("times, heights and the frames before stay") {
    auto frames = straight(20, 1);
    perturb(frames, 5, {0.5, -0.25, 0.05});
    CHECK(frames.ego_translation[5] == std::array<double, 3>{4.75, 0.5, 3});
    CHECK(frames.ego_rotation[5][3] == doctest::Approx(std::sin(0.05)));
    for (std::size_t i = 0; i < 20; ++i) {
      CHECK(frames.timestamp[i] == static_cast<std::int64_t>(i));
      CHECK(frames.ego_translation[i][2] == 3);
      if (i < 5) CHECK(frames.ego_translation[i] == straight(20, 1).ego_translation[i]);
    }
    CHECK(std::fabs(frames.ego_translation[19][1]) < 0.5);
  }

  TEST_CASE("a car that hardly moves is not put to the side") {
    auto frames = straight(20, 0.1);
    perturb(frames, 0, {0.5, 0.25, 0.05}, 5);
    CHECK(frames.ego_translation[0][0] == doctest::Approx(0.25));
    CHECK(frames.ego_translation[0][1] == 0);
    CHECK(frames.ego_rotation[0][3] == 0);
    auto moved = straight(20, 0.1);
    perturb(moved, 0, {0.5, 0.25, 0.05}, 1);
    CHECK(moved.ego_translation[0][1] == doctest::Approx(0.5));
  }

  TEST_CASE("a missing next frame and values that are not finite are errors") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    auto frames = straight(5, 1);
    CHECK_THROWS_WITH_AS(perturb(frames, 4, {}),
                         "perturbation: no frame follows the current one", Error);
    CHECK_THROWS_AS(perturb(frames, 5, {}), Error);
    CHECK_THROWS_WITH_AS(perturb(frames, 0, {nan, 0, 0}),
                         "perturbation: pose or offset is not finite", Error);
    frames.ego_translation[3][1] = nan;
    CHECK_THROWS_AS(perturb(frames, 0, {}), Error);
    CHECK(frames.ego_translation[0] == straight(5, 1).ego_translation[0]);
  }

  TEST_CASE("a probability of 0 leaves every sample, one of 1 none") {
    PerturbationDraws never({0, {}, {1, 1, 1}, 0, 0});
    PerturbationDraws always({1, {1, 2, 3}, {}, 0, 0});
    for (int i = 0; i < 100; ++i) {
      CHECK_FALSE(never.next().has_value());
      CHECK(always.next()->longitudinal == 2);
    }
  }

  TEST_CASE("options that mean nothing are refused") {
    using Options = PerturbationDraws::Options;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const auto& options :
         {Options{1.5, {}, {}, 0, 0}, Options{nan, {}, {}, 0, 0},
          Options{1, {nan, 0, 0}, {}, 0, 0}, Options{1, {}, {0, -1, 0}, 0, 0}}) {
      CHECK_THROWS_AS(PerturbationDraws{options}, Error);
    }
  }
}

}  // namespace perturb_test
