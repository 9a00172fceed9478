#include <doctest/doctest.h>

#include <bevscope/dataset.hpp>
#include <bevscope/error.hpp>
#include <bevscope/version.hpp>
#include <memory>
#include <string>
#include <vector>

#include "tests/library/memory_source.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/small_scenes.hpp"

namespace dataset_test {

using bev::Dataset;
using bev::Errc;
using bev::test::error_code;
using bev::test::MemorySource;
using bev::test::small_store;

namespace {

Dataset small_dataset() {
  return Dataset(std::make_shared<MemorySource>(small_store()));
}

}  // namespace

TEST_SUITE("library/dataset") {
  TEST_CASE("opening reads the metadata only") {
    const auto source = std::make_shared<MemorySource>(small_store());
    const Dataset dataset(source);
    for (const auto& key : source->keys) CHECK(key.find("/.z") + key.find(".z") > 0);
    CHECK(dataset.scene_count() == 2);
    CHECK(dataset.frame_count() == 10);
    CHECK(dataset.agent_count() == 30);
    CHECK(dataset.labels()[3] == "PERCEPTION_LABEL_CAR");
    CHECK(bev::version() == BEVSCOPE_VERSION);
  }

  TEST_CASE("arrays are described with their fields") {
    const auto dataset = small_dataset();
    const auto& agents = dataset.array("agents");
    CHECK(agents.size() == 30);
    CHECK(agents.chunks == std::vector<std::uint64_t>{8});
    CHECK(agents.fields[0].name == "centroid");
    CHECK(agents.fields[0].dtype == "<f8");
    CHECK(agents.fields[0].shape == std::vector<std::size_t>{2});
    CHECK(dataset.arrays().size() == 4);
    CHECK(error_code([&] { dataset.array("nothing"); }) == Errc::not_found);
  }

  TEST_CASE("a frame is spans that outlive the data set") {
    auto dataset = std::make_unique<Dataset>(small_dataset());
    const auto frame = dataset->frame(1, 2);
    dataset.reset();
    CHECK(frame.index == 7);
    CHECK(frame.ego.centroid == bev::Point{1004, -5});
    CHECK(frame.ego.translation[2] == 1);
    CHECK(frame.ego.trail.size() == 3);
    CHECK(frame.agents.size() == 3);
    CHECK(frame.agents.track_id[2] == 3);
    CHECK(frame.agents.centroid[1] == bev::Point{1004, 1});
    CHECK(frame.agents.extent[0] == std::array<float, 3>{4, 2, 1.5F});
    CHECK(frame.agents.agent_class[0] == bev::AgentClass::vehicle);
    CHECK(frame.agents.kept[0]);
    CHECK(frame.agents.label_probabilities[0][14] == 0.25F);
    CHECK(frame.agents.trails.size() == 3);
    CHECK(frame.agents.trails[0].size() == 3);
    CHECK(frame.lights.size() == 2);
    CHECK(frame.lights.face_id[1] == "green");
    CHECK(frame.lights.state[0] == bev::FaceState::active);
    CHECK(frame.lights.status[1] == std::array<float, 3>{0, 1, 0});
  }

  TEST_CASE("a frame stays valid while others are read") {
    auto dataset = small_dataset();
    const auto first = dataset.frame_at(0);
    const auto last = dataset.frame_at(9);
    CHECK(first.ego.centroid == bev::Point{0, -5});
    CHECK(first.agents.centroid[2] == bev::Point{0, 2});
    CHECK(last.agents.centroid[2] == bev::Point{1012, 2});
  }

  TEST_CASE(
      "an index outside the data is out_of_range and leaves the data set usable") {
    auto dataset = small_dataset();
    CHECK(error_code([&] { dataset.frame(2, 0); }) == Errc::out_of_range);
    CHECK(error_code([&] { dataset.frame_at(10); }) == Errc::out_of_range);
    CHECK(dataset.frame_at(9).index == 9);
  }

  TEST_CASE("a scene, a timeline and the summary are read") {
    auto dataset = small_dataset();
    const auto scene = dataset.scene(1);
    CHECK(scene.array<std::int64_t>("frames.agent_index_interval")[0] == 0);
    CHECK(scene.text("scenes.host")[0] == "host-1");
    const auto timeline = dataset.timeline(0, 1);
    CHECK(timeline.array<double>("track.speed").size() == 5);
    CHECK(dataset.summary().find("Num Scenes") != std::string::npos);
  }

  TEST_CASE("agents are selected scene by scene") {
    auto dataset = small_dataset();
    const auto selected = dataset.select_agents(1);
    CHECK(selected.first_row == 15);
    CHECK(selected.counts.size() == 15);
    CHECK(selected.counts[0] == std::array<std::uint32_t, 2>{0, 4});
    CHECK(selected.rejected.label_threshold == 0);
    bev::AgentRules strict;
    strict.label_threshold = 1;  // the sum of known classes is 1 for all agents
    const auto none = dataset.select_agents(1, strict);
    CHECK(none.rejected.label_threshold == 15);
    CHECK(none.rejected.distance_to_ego == 0);
  }

  TEST_CASE("an absent chunk is an error for records unless fill values are allowed") {
    auto store = small_store();
    store.objects.erase("agents/0");
    Dataset strict(std::make_shared<MemorySource>(store));
    CHECK(error_code([&] { strict.frame_at(0); }) == Errc::missing_key);
    bev::DatasetOptions options;
    options.missing = bev::MissingChunks::fill;
    Dataset lenient(std::make_shared<MemorySource>(store), options);
    CHECK(lenient.frame_at(0).agents.track_id[0] == 0);
  }

  TEST_CASE("a data set without source is refused") {
    CHECK(error_code([] { Dataset dataset(std::shared_ptr<bev::Source>{}); }) ==
          Errc::invalid_argument);
  }
}

}  // namespace dataset_test
