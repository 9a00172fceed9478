#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/engine/engine.hpp"
#include "core/engine/sample_query.hpp"
#include "tests/support/files.hpp"
#include "tests/support/golden_tally.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/npz.hpp"

namespace sample_golden_test {

// Compares every number of every reference sample: all configs, both data sets, ego and
// agents.

using bev::Engine;
using bev::ImageForm;
using bev::SampleKind;
using bev::SampleOptions;
using bev::SampleQuery;
using bev::test::FolderStore;
using bev::test::goldens;
using bev::test::GoldenTally;
using bev::test::read_npz;
using bev::test::read_text;
using nlohmann::json;

namespace {

/// One file of samples: "B_stub_multi_agent.npz", and the mask of its agents.
struct SampleFile {
  std::string path;
  std::string config;
  std::string data_set;
  std::string mask;  // "" for the ego vehicle
};

std::vector<std::int64_t> kept_rows(const std::string& mask) {
  const auto counts = read_npz(goldens() + "/" + mask).at("mask").as<std::uint32_t>();
  std::vector<std::int64_t> rows;
  for (std::size_t row = 0; row < counts.size() / 2; ++row) {
    if (counts[2 * row + 1] >= 1) rows.push_back(static_cast<std::int64_t>(row));
  }
  return rows;
}

class SampleFiles {
 public:
  SampleFiles() : manifest_(json::parse(read_text(goldens() + "/manifest.json"))) {}

  std::vector<SampleFile> all() const {
    std::vector<SampleFile> files;
    for (const auto& [path, entry] : manifest_["files"].items()) {
      if (!path.starts_with("outputs/samples/") || !path.ends_with(".npz")) continue;
      const std::string call = entry["call"];
      const auto mask = call.find("outputs/select/");
      const auto end = call.find(".npz", mask);
      const auto data = call.find("inputs/");
      files.push_back(
          {path, entry["config"], call.substr(data, call.find(".zarr") + 5 - data),
           mask == std::string::npos ? "" : call.substr(mask, end + 4 - mask)});
    }
    return files;
  }

  void compare(const SampleFile& file, GoldenTally& tally) {
    CAPTURE(file.path);
    const FolderStore store(goldens() + "/" + file.data_set);
    auto& engine = engines_[file.data_set];
    SampleOptions options;
    options.config = manifest_["configs"][file.config].dump();
    options.kind = file.mask.empty() ? SampleKind::ego : SampleKind::agent;
    options.image = ImageForm::none;
    const auto query = engine.samples(options);
    const auto rows =
        file.mask.empty() ? std::vector<std::int64_t>() : kept_rows(file.mask);
    const auto arrays = read_npz(goldens() + "/" + file.path);
    for (const auto index : arrays.at("indices").as<std::int64_t>()) {
      CAPTURE(index);
      if (file.mask.empty()) {
        query->at_frame(index);
      } else {
        query->at_agent(rows.at(static_cast<std::size_t>(index)));
      }
      tally.compare(arrays, index, bev::test::run(engine, *query, store));
    }
  }

 private:
  json manifest_;
  std::map<std::string, Engine> engines_;
};

}  // namespace

TEST_SUITE("engine/sample_golden") {
  TEST_CASE("samples equal L5Kit's in all keys, types and shapes") {
    BEV_REQUIRE_GOLDENS();
    SampleFiles files;
    const auto all = files.all();
    REQUIRE(all.size() == 74);
    GoldenTally tally;
    for (const auto& file : all) files.compare(file, tally);
    CHECK(tally.keys() == 24);  // all of them but image
    tally.print();
  }
}

}  // namespace sample_golden_test
