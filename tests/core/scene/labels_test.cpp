#include "core/scene/labels.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include "core/engine/engine.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/npz.hpp"

using namespace bev::scene;
using bev::scene::keeps;
using bev::scene::kept_mass;

namespace {

std::array<float, 17> probabilities(std::size_t label, float value) {
  std::array<float, 17> out{};
  out[label] = value;
  return out;
}

}  // namespace

TEST_SUITE("scene/labels") {
  TEST_CASE("the most probable label is the first of equals") {
    std::array<float, kLabelCount> p{};
    CHECK(most_probable(p) == 0);
    p[12] = p[14] = 0.5F;
    CHECK(most_probable(p) == 12);
  }

  TEST_CASE("NaN is never the most probable") {
    std::array<float, kLabelCount> p{};
    p[0] = std::numeric_limits<float>::quiet_NaN();
    p[3] = 0.1F;
    CHECK(most_probable(p) == 3);
  }

  TEST_CASE("labels fall into four classes") {
    CHECK(class_of_label(3) == AgentClass::vehicle);
    CHECK(class_of_label(9) == AgentClass::vehicle);
    CHECK(class_of_label(10) == AgentClass::cyclist);
    CHECK(class_of_label(13) == AgentClass::cyclist);
    CHECK(class_of_label(14) == AgentClass::pedestrian);
    for (const std::size_t other : {0U, 1U, 2U, 15U, 16U}) {
      CHECK(class_of_label(other) == AgentClass::other);
    }
  }

  TEST_CASE("a face without a value above zero is unknown") {
    CHECK(state_of(std::array{1.0F, 0.0F, 0.0F}) == FaceState::active);
    CHECK(state_of(std::array{0.0F, 1.0F, 0.0F}) == FaceState::inactive);
    CHECK(state_of(std::array{0.0F, 0.0F, 0.0F}) == FaceState::unknown);
    CHECK(state_of(std::array{-1.0F, 0.0F, 0.0F}) == FaceState::unknown);
  }

  TEST_CASE("labels 3 to 15 count, those before and after do not") {
    for (std::size_t label = 0; label < 17; ++label) {
      CAPTURE(label);
      CHECK(kept_mass(probabilities(label, 1)) == (label >= 3 && label <= 15 ? 1 : 0));
    }
  }

  TEST_CASE("the mass must be above the threshold, not at it") {
    CHECK(keeps(probabilities(3, 0.5F), 0.4999F));
    CHECK_FALSE(keeps(probabilities(3, 0.5F), 0.5F));
    CHECK_FALSE(keeps(probabilities(1, 1), 0));
    CHECK_FALSE(keeps(probabilities(3, 1), 1));
  }

  TEST_CASE("the mass is a float32 sum from left to right") {
    auto all = probabilities(3, 1);
    for (std::size_t label = 4; label < 16; ++label) all[label] = 0x1p-25F;
    CHECK(kept_mass(all) == 1);
    CHECK(keeps(all, 0x1.fffffep-1F));
  }

  TEST_CASE("frames of multi_scene keep the agents that the reference keeps") {
    BEV_REQUIRE_GOLDENS();
    const auto folder = bev::test::goldens();
    const bev::test::FolderStore store(folder + "/inputs/multi_scene.zarr");
    bev::Engine engine;
    std::size_t compared = 0;
    for (const auto& entry :
         bev::test::read_npz(folder + "/outputs/data/filters.npz")) {
      const auto& key = entry.first;
      const auto& golden = entry.second;
      if (!key.starts_with("labels.")) continue;  // labels.FRAME.THRESHOLD
      CAPTURE(key);
      const auto dot = key.find('.', 7);
      const auto frame = std::stoull(key.substr(7, dot - 7));
      const auto threshold = std::strtof(key.c_str() + dot + 1, nullptr);
      const auto query = engine.frame_at(frame, {0, 0, threshold});
      const auto kept = run(engine, *query, store).values<std::uint8_t>("agents.kept");
      std::vector<std::int64_t> rows;
      for (std::size_t i = 0; i < kept.size(); ++i) {
        if (kept[i] != 0) rows.push_back(static_cast<std::int64_t>(i));
      }
      CHECK(rows == golden.as<std::int64_t>());
      ++compared;
    }
    CHECK(compared == 49);
  }

  TEST_CASE("labels beyond the list are of no class") {
    CHECK(class_of_label(17) == AgentClass::other);
    CHECK(class_of_label(std::numeric_limits<std::size_t>::max()) == AgentClass::other);
  }

  TEST_CASE("the state of equal values is the first of them") {
    CHECK(state_of(std::array<float, 3>{1, 1, 1}) == FaceState::active);
    CHECK(state_of(std::array<float, 3>{0, 0.5F, 0.5F}) == FaceState::inactive);
    CHECK(state_of(std::array<float, 3>{0.5F, 0.25F, 1}) == FaceState::unknown);
  }

  TEST_CASE("a face's NaN is no state, and neither is a negative value") {
    constexpr auto kNan = std::numeric_limits<float>::quiet_NaN();
    CHECK(state_of(std::array<float, 3>{kNan, kNan, kNan}) == FaceState::unknown);
    CHECK(state_of(std::array<float, 3>{kNan, 0.1F, kNan}) == FaceState::inactive);
    CHECK(state_of(std::array<float, 3>{-1, -0.5F, -2}) == FaceState::unknown);
  }

  TEST_CASE("a probability that is NaN passes no threshold") {
    std::array<float, bev::scene::kLabelCount> labels{};
    labels[3] = 1;
    labels[5] = std::numeric_limits<float>::quiet_NaN();
    CHECK_FALSE(bev::scene::keeps(labels, -1));
    CHECK(std::isnan(bev::scene::kept_mass(labels)));
    labels[5] = std::numeric_limits<float>::infinity();
    CHECK(bev::scene::keeps(labels, 1e30F));
  }

  TEST_CASE("a threshold of 0 drops agents of probability 0, a negative one none") {
    const std::array<float, bev::scene::kLabelCount> none{};
    CHECK_FALSE(bev::scene::keeps(none, 0));
    CHECK(bev::scene::keeps(none, -0.5F));
  }
}
