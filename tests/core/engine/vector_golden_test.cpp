#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/engine/engine.hpp"
#include "core/engine/map_query.hpp"
#include "core/engine/sample_query.hpp"
#include "tests/support/files.hpp"
#include "tests/support/golden_tally.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/npz.hpp"

namespace vector_golden_test {

// Compares every number of every vectorized reference sample, with agents in the
// reference's order.

using bev::Engine;
using bev::SampleKind;
using bev::SampleOptions;
using bev::SampleQuery;
using bev::test::FolderStore;
using bev::test::goldens;
using bev::test::GoldenTally;
using bev::test::NpyArray;
using bev::test::read_file;
using bev::test::read_npz;
using bev::test::read_text;
using nlohmann::json;
using Arrays = std::map<std::string, NpyArray>;

namespace {

/// The reference's samples, file by file.
class Vectors {
 public:
  Vectors()
      : manifest_(json::parse(read_text(goldens() + "/manifest.json"))),
        town_(read_file(goldens() + "/inputs/town_map.pb"),
              read_file(goldens() + "/inputs/meta.json")) {}

  /// @param name  "V1_single_ego"
  void open(const std::string& name, SampleOptions options) {
    const auto source = name.find("single") != std::string::npos ? "single" : "multi";
    store_.emplace(goldens() + "/inputs/" + source + "_scene.zarr");
    engine_.emplace();
    arrays_ = read_npz(goldens() + "/outputs/vector/" + name + ".npz");
    options.config = manifest_["configs"][name.substr(0, 2)].dump();
    options.vectorized = true;
    query_ = engine_->samples(options, town_.shared());
  }

  const Arrays& arrays() const { return arrays_; }
  SampleQuery& query() { return *query_; }

  /// Compares the query's current sample with a numbered reference sample.
  void compare_with(std::int64_t number) {
    tally_.compare(arrays_, number, bev::test::run(*engine_, *query_, *store_));
  }

  void print() const { tally_.print(); }

 private:
  json manifest_;
  bev::MapQuery town_;
  std::optional<FolderStore> store_;
  std::optional<Engine> engine_;
  Arrays arrays_;
  std::unique_ptr<SampleQuery> query_;
  GoldenTally tally_;
};

void compare_frames(Vectors& vectors, const std::string& name, SampleKind kind) {
  CAPTURE(name);
  SampleOptions options;
  options.kind = kind;
  vectors.open(name, options);
  for (const auto index : vectors.arrays().at("indices").as<std::int64_t>()) {
    vectors.query().at_frame(index);
    vectors.compare_with(index);
  }
}

void compare_agents(Vectors& vectors, const std::string& name) {
  CAPTURE(name);
  SampleOptions options;
  options.kind = SampleKind::agent;
  vectors.open(name, options);
  const auto rows = vectors.arrays().at("rows").as<std::int64_t>();
  for (std::size_t i = 0; i < rows.size(); i += 4) {
    const auto unsigned_at = [&](std::size_t k) {
      return static_cast<std::uint64_t>(rows[i + k]);
    };
    vectors.query().at_track(unsigned_at(1), unsigned_at(2), unsigned_at(3));
    vectors.compare_with(rows[i]);
    vectors.query().at_agent(rows[i]);
    vectors.compare_with(rows[i]);
  }
}

}  // namespace

TEST_SUITE("engine/vector_golden") {
  TEST_CASE("vectorized samples equal L5Kit's in all keys, types and shapes") {
    BEV_REQUIRE_GOLDENS();
    Vectors vectors;
    for (const std::string config : {"V1", "V2", "V3"}) {
      for (const std::string source : {"_single", "_multi"}) {
        compare_frames(vectors, config + source + "_ego", SampleKind::ego);
        compare_agents(vectors, config + source + "_agent");
      }
    }
    vectors.print();
  }

  TEST_CASE("samples with ego among the agents equal L5Kit's") {
    BEV_REQUIRE_GOLDENS();
    Vectors vectors;
    for (const std::string config : {"V1", "V3"}) {
      for (const std::string source : {"_single", "_multi"}) {
        compare_frames(vectors, config + source + "_egoagent", SampleKind::ego_agent);
      }
    }
    vectors.print();
  }

  TEST_CASE("evaluation samples list the scene's valid agents") {
    BEV_REQUIRE_GOLDENS();
    auto valid = std::make_shared<bev::scene::AgentIndex>();
    std::vector<std::uint8_t> mask(1'000'000);
    for (std::size_t i = 0; i < mask.size(); i += 997) mask[i] = 1;
    valid->append_mask(mask);
    SampleOptions options;
    options.kind = SampleKind::ego_agent;
    options.eval = true;
    options.valid_agents = valid;
    Vectors vectors;
    vectors.open("V1_single_egoagent_eval", options);
    vectors.query().at_frame(0);
    vectors.compare_with(0);
    vectors.query().at_frame(-1);
    vectors.compare_with(0);
  }
}

}  // namespace vector_golden_test
