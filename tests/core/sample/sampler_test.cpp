#include "core/sample/sampler.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <limits>

#include "tests/support/memory_dataset.hpp"
#include "tests/support/small_scenes.hpp"

namespace sampler_test {

using bev::Errc;
using bev::sample::Sample;
using bev::sample::SampleId;
using bev::sample::SampleParams;
using bev::sample::Sampler;
using bev::test::error_code;
using bev::test::MemoryDataset;
using bev::test::MemoryStore;
using bev::test::small_store;
using doctest::Approx;
using Floats = std::vector<float>;

namespace {

SampleParams params(std::uint32_t frames_per_step = 1) {
  SampleParams out;
  out.history_num_frames = 2;
  out.future_num_frames = 2;
  out.frames_per_step = frames_per_step;
  out.raster = {{10, 10}, {1, 1}, {0.5, 0.5}, false};
  return out;
}

/// Samples of two scenes of five frames, in which the ego vehicle moves 2 m per frame.
class Sampling {
 public:
  explicit Sampling(const SampleParams& how = params(),
                    MemoryStore store = small_store())
      : sampler(how), data_(std::move(store)) {}

  Sample at(const SampleId& id) {
    data_.read(
        [&](bev::store::Reader& reader) { return sampler.read(reader, *data_, id); });
    Sample out;
    sampler.build(out);
    return out;
  }
  std::optional<Errc> error_at(const SampleId& id) {
    return error_code([&] { at(id); });
  }

  Sampler sampler;

 private:
  MemoryDataset data_;
};

}  // namespace

TEST_SUITE("sample/sampler") {
  TEST_CASE("history and future end with the scene, not with the data set") {
    Sampling sampling;
    const auto first = sampling.at({1, 0});
    CHECK(first.history_availabilities == Floats{1, 0, 0});
    CHECK(first.target_positions == Floats{2, 0, 4, 0});
    CHECK(first.scene_index == 1);
    CHECK(first.frame_index == 0);
    const auto last = sampling.at({0, 4});
    CHECK(last.target_availabilities == Floats{0, 0});
    CHECK(last.history_positions == Floats{0, 0, -2, 0, -4, 0});
  }

  TEST_CASE("samples in any order are those of a fresh sampler") {
    Sampling sampling;
    for (const SampleId& id :
         {SampleId{0, 4, 2}, SampleId{1, 2, 2}, SampleId{0, 0, 2}, SampleId{1, 4, 2}}) {
      CAPTURE(id.scene);
      CAPTURE(id.frame);
      const auto reused = sampling.at(id);
      const auto fresh = Sampling().at(id);
      CHECK(reused.history_positions == fresh.history_positions);
      CHECK(reused.target_positions == fresh.target_positions);
      CHECK(reused.world_from_agent == fresh.world_from_agent);
      CHECK(reused.host_id == fresh.host_id);
    }
  }

  TEST_CASE("a track is followed; a row of agents determines its track") {
    Sampling sampling;
    const auto track = sampling.at({0, 2, 3});  // moves 3 m per frame
    CHECK(track.track_id == 3);
    CHECK(track.history_positions == Floats{0, 0, -3, 0, -6, 0});
    CHECK(track.target_positions == Floats{3, 0, 6, 0});
    const auto row = sampling.at({0, 2, std::nullopt, 8});
    CHECK(row.track_id == 3);
    CHECK(row.history_positions == track.history_positions);
  }

  TEST_CASE("absent scenes, frames and agents are out of range") {
    Sampling sampling;
    CHECK(sampling.error_at({2, 0}) == Errc::out_of_range);
    CHECK(sampling.error_at({0, 5}) == Errc::out_of_range);
    CHECK(sampling.error_at({0, ~std::uint64_t{0}}) == Errc::out_of_range);
    CHECK(sampling.error_at({0, 0, 9}) == Errc::out_of_range);
    CHECK(sampling.error_at({0, 2, std::nullopt, 9}) == Errc::out_of_range);
    CHECK(sampling.error_at({0, 2, std::nullopt, 5}) == Errc::out_of_range);
    CHECK(sampling.error_at({0, 2}) == std::nullopt);
  }

  TEST_CASE("a threshold above every agent leaves no track to sample") {
    auto strict = params();
    strict.filter_agents_threshold = 1;
    Sampling sampling(strict);
    CHECK(sampling.error_at({0, 2, 1}) == Errc::out_of_range);
    CHECK(sampling.error_at({0, 2}) == std::nullopt);
  }

  TEST_CASE("a pose that is not finite is damage") {
    auto store = small_store();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    // The translation of frame 1 follows its timestamp and two intervals.
    std::memcpy(store.objects.at("frames/0").data() + 136 + 40, &nan, sizeof nan);
    Sampling sampling(params(), std::move(store));
    CHECK(sampling.error_at({0, 1}) == Errc::corrupt_chunk);
    CHECK(sampling.error_at({1, 1}) == std::nullopt);
  }

  TEST_CASE("only an ego vehicle with its whole future is perturbable") {
    Sampling sampling;
    sampling.at({0, 2});
    CHECK(sampling.sampler.is_perturbable());
    sampling.at({0, 3});
    CHECK_FALSE(sampling.sampler.is_perturbable());
    CHECK(error_code([&] {
            sampling.sampler.perturb({1, 0, 0}, 0);
          }) == Errc::invalid_argument);
    sampling.at({0, 2, 1});
    CHECK_FALSE(sampling.sampler.is_perturbable());
    auto blind = params();
    blind.future_num_frames = 0;
    Sampling without(blind);
    without.at({0, 2});
    CHECK_FALSE(without.sampler.is_perturbable());
  }

  TEST_CASE("frames that are skipped cannot be perturbed") {
    Sampling sampling(params(2));
    const auto sample = sampling.at({0, 0});
    CHECK(sample.target_positions == Floats{4, 0, 8, 0});
    CHECK(error_code([&] {
            sampling.sampler.perturb({1, 0, 0}, 0);
          }) == Errc::invalid_argument);
  }

  TEST_CASE("a perturbed sample is displaced, the next read is as recorded") {
    Sampling sampling;
    const auto recorded = sampling.at({0, 2});
    sampling.sampler.perturb({.lateral = 0.5, .longitudinal = 0.25}, 0);
    Sample perturbed;
    sampling.sampler.build(perturbed);
    CHECK(perturbed.centroid[0] == Approx(recorded.centroid[0] + 0.25));
    CHECK(perturbed.centroid[1] == Approx(recorded.centroid[1] + 0.5));
    CHECK(perturbed.history_positions[2] != recorded.history_positions[2]);
    const auto again = sampling.at({0, 2});
    CHECK(again.centroid == recorded.centroid);
    CHECK(again.target_positions == recorded.target_positions);
    CHECK(again.history_positions == recorded.history_positions);
  }

  TEST_CASE("the render input has only frames of the scene, newest first") {
    Sampling sampling;
    sampling.at({1, 1});
    const auto input = sampling.sampler.render_input();
    REQUIRE(input.history.size() == 2);
    CHECK(input.history[0].ego_in_world.x == 1002);
    CHECK(input.history[1].ego_in_world.x == 1000);
    CHECK(input.history[0].agents.size() == 0);  // not requested
    CHECK(input.ego_z == 1);
  }
}

}  // namespace sampler_test
