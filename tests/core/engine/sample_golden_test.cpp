#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/engine/engine.hpp"
#include "core/engine/sample_query.hpp"
#include "tests/support/files.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/npz.hpp"

// Every number of every sample that the reference made: all configs, both data sets,
// ego and agents.

using bev::Engine;
using bev::ImageForm;
using bev::ResultArray;
using bev::SampleKind;
using bev::SampleOptions;
using bev::SampleQuery;
using bev::test::FolderStore;
using bev::test::goldens;
using bev::test::NpyArray;
using bev::test::read_npz;
using bev::test::read_text;
using nlohmann::json;

namespace {

/// What was compared of a key, and how far off the worst of it was.
struct Tally {
  std::size_t values = 0;
  double most = 0;
};
using Tallies = std::map<std::string, Tally>;

/// One file of samples: "B_stub_multi_agent.npz", and the mask of its agents.
struct SampleFile {
  std::string path;
  std::string config;
  std::string data_set;
  std::string mask;  // "" for the ego vehicle
};

double tolerance(const std::string& key, const std::string& dtype, double expected) {
  if (dtype == "<f8") return 1e-9 * std::max(1.0, std::abs(expected));
  if (dtype != "<f4") return 0;
  return key.ends_with("velocities") || key == "curr_speed" ? 1e-4 : 1e-5;
}

template <class T>
std::vector<double> widened(std::span<const std::byte> bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return {values.begin(), values.end()};
}

std::vector<double> numbers(const std::string& dtype,
                            std::span<const std::byte> bytes) {
  if (dtype == "<f4") return widened<float>(bytes);
  if (dtype == "<f8") return widened<double>(bytes);
  return widened<std::uint8_t>(bytes);
}

void compare(const std::string& key, const ResultArray& got, const NpyArray& expected,
             Tally& tally) {
  CAPTURE(key);
  REQUIRE("'" + got.dtype + "'" == expected.descr);
  REQUIRE(got.shape == expected.shape);
  REQUIRE(got.bytes.size() == expected.bytes.size());
  if (got.dtype == "<i8") {  // too wide for a double
    CHECK(std::equal(got.bytes.begin(), got.bytes.end(), expected.bytes.begin()));
    tally.values += expected.count();
    return;
  }
  const auto a = numbers(got.dtype, got.bytes);
  const auto b = numbers(got.dtype, expected.bytes);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto off = std::abs(a[i] - b[i]);
    const bool near = off <= tolerance(key, got.dtype, b[i]);
    if (!near) CHECK_MESSAGE(near, key, "[", i, "] is ", a[i], ", expected ", b[i]);
    tally.most = std::max(tally.most, off);
  }
  tally.values += a.size();
}

std::vector<std::int64_t> kept_rows(const std::string& mask) {
  const auto counts = read_npz(goldens() + "/" + mask).at("mask").as<std::uint32_t>();
  std::vector<std::int64_t> rows;
  for (std::size_t row = 0; row < counts.size() / 2; ++row) {
    if (counts[2 * row + 1] >= 1) rows.push_back(static_cast<std::int64_t>(row));
  }
  return rows;
}

void compare_sample(const std::map<std::string, NpyArray>& arrays,
                    const std::string& prefix, const bev::test::Run& sample,
                    Tallies& tallies) {
  std::size_t expected_keys = 0;
  for (const auto& [name, array] : arrays) {
    if (!name.starts_with(prefix)) continue;
    const auto key = name.substr(prefix.size());
    if (key == "image") continue;
    compare(key, sample[key], array, tallies[key]);
    ++expected_keys;
  }
  CHECK(sample.arrays.size() == expected_keys);
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

  void compare(const SampleFile& file, Tallies& tallies) {
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
      char prefix[16];
      std::snprintf(prefix, sizeof prefix, "%05lld.", static_cast<long long>(index));
      compare_sample(arrays, prefix, bev::test::run(engine, *query, store), tallies);
    }
  }

 private:
  json manifest_;
  std::map<std::string, Engine> engines_;
};

}  // namespace

TEST_SUITE("engine/sample_golden") {
  TEST_CASE("samples are the reference's, in all keys, types and shapes") {
    BEV_REQUIRE_GOLDENS();
    SampleFiles files;
    const auto all = files.all();
    REQUIRE(all.size() == 74);
    Tallies tallies;
    for (const auto& file : all) files.compare(file, tallies);
    CHECK(tallies.size() == 24);  // all of them but image
    for (const auto& [key, tally] : tallies) {
      CHECK(tally.values > 0);
      std::printf("  %-24s %8zu values, largest difference %.3g\n", key.c_str(),
                  tally.values, tally.most);
    }
  }
}
