#include "core/sample/window.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "core/base/error.hpp"
#include "core/sample/params.hpp"

using bev::Errc;
using bev::Error;
using bev::sample::AgentRows;
using bev::sample::find_subject;
using bev::sample::Labels;
using bev::sample::SampleParams;
using bev::sample::Window;

namespace {

/// Two frames with two agents each; the tracks are 7, 8 and 7, 7.
class TwoFrames {
 public:
  TwoFrames() {
    frames.agent_index_interval = {{10, 12}, {12, 14}};
    frames.timestamp = {0, 100};
    frames.ego_translation = {{1, 2, 0}, {3, 4, 0}};
    agents.centroid = {{0, 0}, {1, 0}, {2, 0}, {3, 0}};
    agents.extent.assign(4, {4, 2, 1});
    agents.yaw = {0.1F, 0.2F, 0.3F, 0.4F};
    agents.track_id = {7, 8, 7, 7};
    labels.resize(4);
    for (auto& label : labels) label[3] = 1;
    labels[2][3] = 0.25F;
  }

  Window window(std::size_t current) const {
    return {frames, yaws, current, AgentRows(agents), 10, labels, 10};
  }

  bev::scene::FrameColumns frames;
  bev::scene::PoseColumns agents;
  std::vector<Labels> labels;
  std::vector<double> yaws{0.5, 0.75};
};

Errc code_of(const Window& window, std::optional<std::uint64_t> track,
             const SampleParams& params = {}) {
  try {
    find_subject(window, track, params);
  } catch (const Error& error) {
    return error.code();
  }
  return Errc::internal;
}

}  // namespace

TEST_SUITE("sample/window") {
  TEST_CASE("a frame's agents are its own rows, with their labels") {
    const TwoFrames two;
    const auto rows = two.window(0).agents_of(1);
    REQUIRE(rows.size() == 2);
    CHECK(rows.centroid[0][0] == 2);
    CHECK(rows.yaw[1] == 0.4F);
    REQUIRE(rows.label_probabilities.size() == 2);
    CHECK(rows.label_probabilities[0][3] == 0.25F);
  }

  TEST_CASE("a frame whose agents were not read has none") {
    const TwoFrames two;
    const AgentRows all(two.agents);
    const Window later{two.frames, two.yaws, 1, all.rows(2, 4), 12, {}, 0};
    CHECK(later.agents_of(0).size() == 0);
    CHECK(later.agents_of(1).size() == 2);
    const Window fewer{two.frames, two.yaws, 1, all.rows(0, 3), 10, {}, 0};
    CHECK(fewer.agents_of(1).size() == 0);
  }

  TEST_CASE("labels that cover only some agents of a frame are not used") {
    const TwoFrames two;
    auto window = two.window(0);
    window.labels = window.labels.first(3);
    CHECK(window.agents_of(0).label_probabilities.size() == 2);
    CHECK(window.agents_of(1).label_probabilities.empty());
    window.first_labelled = 11;
    CHECK(window.agents_of(0).label_probabilities.empty());
    CHECK(window.agents_of(1).label_probabilities.size() == 2);
  }

  TEST_CASE("of duplicate track ids the first row is found, or the first kept one") {
    const TwoFrames two;
    const auto rows = two.window(1).agents_of(1);
    CHECK(rows.find(7) == std::size_t{0});
    CHECK(rows.find_kept(7, 0.5F) == std::size_t{1});
    CHECK(rows.find_kept(7, 0.2F) == std::size_t{0});
    CHECK_FALSE(rows.find_kept(7, 1.0F).has_value());
    CHECK_FALSE(rows.find(9).has_value());
  }

  TEST_CASE("the subject is the ego vehicle or a kept agent of the current frame") {
    const TwoFrames two;
    const auto ego = find_subject(two.window(1), std::nullopt, {});
    CHECK_FALSE(ego.track_id.has_value());
    CHECK(ego.centroid == bev::geom::Vec2{3, 4});
    CHECK(ego.yaw_rad == 0.75);
    CHECK(ego.extent[0] == 4.87);
    const auto agent = find_subject(two.window(1), 7, {});
    CHECK(agent.centroid.x == 3);  // the first row of track 7 is below the threshold
    CHECK(agent.yaw_rad == static_cast<double>(0.4F));
  }

  TEST_CASE("an absent track has the error code that the parameters state") {
    const TwoFrames two;
    SampleParams params;
    CHECK(code_of(two.window(1), 8, params) == Errc::out_of_range);
    params.absent_track = Errc::invalid_argument;
    CHECK(code_of(two.window(1), 8, params) == Errc::invalid_argument);
    params.filter_agents_threshold = 1;
    CHECK(code_of(two.window(0), 8, params) == Errc::invalid_argument);
  }

  TEST_CASE("poses that are not finite are damage") {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    TwoFrames two;
    two.frames.ego_translation[1][0] = kNan;
    CHECK_THROWS_WITH_AS(find_subject(two.window(1), std::nullopt, {}),
                         doctest::Contains("pose of the ego vehicle is not finite"),
                         Error);
    CHECK(code_of(two.window(1), std::nullopt) == Errc::corrupt_chunk);
    CHECK(code_of(two.window(0), std::nullopt) == Errc::internal);  // no error
    two.yaws[0] = std::numeric_limits<double>::infinity();
    CHECK(code_of(two.window(0), std::nullopt) == Errc::corrupt_chunk);
    two.agents.centroid[1][1] = -std::numeric_limits<double>::infinity();
    CHECK(code_of(two.window(0), 8) == Errc::corrupt_chunk);
    two.agents.yaw[0] = std::numeric_limits<float>::quiet_NaN();
    CHECK(code_of(two.window(0), 7) == Errc::corrupt_chunk);
  }
}
