#include "native/convert/scenario_conversion.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "tests/support/error_code.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/waymo.hpp"

namespace scenario_conversion_test {

using namespace bev;
using namespace bev::native;
using nlohmann::json;
using test::MemoryStore;

namespace {

std::string record(const std::string& id) {
  auto scenario = test::small_waymo();
  scenario.id = id;
  return test::tfrecord(test::encoded(scenario));
}

json document(const MemoryStore& store, const std::string& key) {
  const auto& bytes = store.objects.at(key);
  return json::parse(
      std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

/// Returns the files below a folder by name.
std::map<std::string, std::vector<std::byte>> files_below(const std::string& folder) {
  namespace fs = std::filesystem;
  std::map<std::string, std::vector<std::byte>> out;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const auto text = test::file_text(entry.path().string());
    const auto bytes = std::as_bytes(std::span(text));
    out[fs::relative(entry.path(), folder).generic_string()].assign(bytes.begin(),
                                                                    bytes.end());
  }
  return out;
}

json attributes(const MemoryStore& store) {
  return document(store, ".zattrs")["bevscope"];
}

}  // namespace

TEST_SUITE("convert/scenario_conversion") {
  TEST_CASE("files are found in folders by name, in the order of the paths") {
    const test::TempFolder folder;
    const auto b = folder.write("in/b.tfrecord-00001-of-00002", "");
    const auto a = folder.write("in/deep/a.tfrecord", "");
    folder.write("in/readme.txt", "");
    const auto other = folder.write("other", "");
    CHECK(find_scenarios(ScenarioFormat::waymo, {other, folder.at("in")}) ==
          std::vector<std::string>{other, b, a});
    CHECK(test::error_code([&] {
            find_scenarios(ScenarioFormat::waymo, {folder.at("absent")});
          }) == Errc::not_found);
    std::filesystem::create_directory(folder.at("empty"));
    CHECK(test::error_code([&] {
            find_scenarios(ScenarioFormat::waymo, {folder.at("empty")});
          }) == Errc::not_found);
  }

  TEST_CASE("each record is a scene, whatever the number of jobs") {
    const test::TempFolder folder;
    ScenarioConversion conversion;
    conversion.files = {folder.write("1.tfrecord", record("a") + record("b")),
                        folder.write("2.tfrecord", record("c"))};
    conversion.with_map = true;
    MemoryStore first;
    std::vector<std::uint64_t> steps;
    const auto report = convert_scenarios(conversion, first,
                                          [&](std::uint64_t done, std::uint64_t total) {
                                            CHECK(total == 3);
                                            steps.push_back(done);
                                          });
    CHECK(steps == std::vector<std::uint64_t>{1, 2, 3});
    CHECK(json::parse(report)["scenes"] == 3);
    CHECK(json::parse(report)["map"]["lanes"] == 6);
    CHECK(json::parse(report)["map"]["lights"] == 3);
    CHECK(json::parse(report)["map"]["duplicates"] == 0);
    const auto own = attributes(first);
    CHECK(own["source"] == "waymo");
    CHECK(own["scenes"][1]["scenario_id"] == "b");
    CHECK(own["scenes"][1]["file"] == "1.tfrecord");
    CHECK(own["scenes"][1]["record"] == 1);
    CHECK(own["scenes"][2]["record"] == 0);
    CHECK(own["scenes"][2].contains("moved_by"));
    for (const std::size_t jobs : {2U, 5U}) {
      conversion.jobs = jobs;
      MemoryStore other;
      CHECK(convert_scenarios(conversion, other, {}) == report);
      CHECK(other.objects == first.objects);
    }
  }

  TEST_CASE("an interrupted conversion to a folder continues to equal files") {
    const test::TempFolder folder;
    std::string records;
    for (int i = 0; i < 7; ++i) records += record(std::to_string(i));
    ScenarioConversion conversion;
    conversion.files = {folder.write("1.tfrecord", records)};
    conversion.checkpoint = 2;
    conversion.jobs = 3;
    for (const bool with_map : {false, true}) {
      CAPTURE(with_map);
      conversion.with_map = with_map;
      MemoryStore whole;
      const auto report = convert_scenarios(conversion, whole, {});
      for (const std::uint64_t stop : {1U, 4U, 5U, 7U}) {
        CAPTURE(stop);
        const auto out = folder.at(std::to_string(stop) + (with_map ? "m" : ""));
        const auto interrupt = [&](std::uint64_t done, std::uint64_t) {
          if (done == stop) throw Error(Errc::io, "interrupted");
        };
        CHECK(test::error_code(
                  [&] { convert_scenarios(conversion, out, interrupt); }) == Errc::io);
        CHECK(!std::filesystem::exists(out));
        std::vector<std::uint64_t> steps;
        CHECK(json::parse(convert_scenarios(conversion, out, [&](auto done, auto) {
                steps.push_back(done);
              })) == json::parse(report));
        CHECK(steps.front() == (stop - 1) / 2 * 2 + 1);
        CHECK(files_below(out) == whole.objects);
      }
    }
  }

  TEST_CASE("a conversion that only lacks its name is completed") {
    const test::TempFolder folder;
    ScenarioConversion conversion;
    conversion.files = {folder.write("1.tfrecord", record("a") + record("b"))};
    conversion.with_map = true;
    const auto out = folder.at("out");
    const auto report = convert_scenarios(conversion, out, {});
    const auto objects = files_below(out);
    // As after a failed rename.
    std::filesystem::rename(out, out + ".partial");
    const auto path = std::filesystem::absolute(conversion.files[0]).lexically_normal();
    const json progress = {
        {"settings", {{"mask", "scored"}, {"map", true}, {"tables", ""}}},
        {"sources", json::array({json::array({path.string(), 2})})},
        {"done", 2},
        {"report", json::parse(report)}};
    folder.write("out.partial/.progress.json", progress.dump());
    CHECK(json::parse(convert_scenarios(conversion, out, {})) == json::parse(report));
    CHECK(files_below(out) == objects);
  }

  TEST_CASE("a single scenario is not moved") {
    const test::TempFolder folder;
    ScenarioConversion conversion;
    conversion.files = {folder.write("1.tfrecord", record("a"))};
    conversion.with_map = true;
    MemoryStore store;
    convert_scenarios(conversion, store, {});
    CHECK(!attributes(store)["scenes"][0].contains("moved_by"));
  }

  TEST_CASE("errors name file and record") {
    const test::TempFolder folder;
    auto damaged = record("a") + record("b");
    damaged[damaged.size() - 10] ^= 1;
    auto invalid = test::small_waymo();
    invalid.times_s.clear();
    const auto problem = [&](const std::string& content) {
      ScenarioConversion conversion;
      conversion.files = {folder.write("x.tfrecord", content)};
      MemoryStore store;
      try {
        convert_scenarios(conversion, store, {});
      } catch (const Error& error) {
        return std::string(error.what());
      }
      return std::string();
    };
    const auto path = folder.at("x.tfrecord");
    CHECK(problem(damaged) == path + ": record at byte " +
                                  std::to_string(record("a").size()) +
                                  ": wrong checksum of the content");
    CHECK(problem(record("a") + test::tfrecord(test::encoded(invalid))) ==
          path + ": record 1: scenario: no timestamps_seconds");
    CHECK(problem("no record").starts_with(path + ": record at byte 0: truncated"));
    CHECK(problem("") == "no scenarios found");
  }
}

}  // namespace scenario_conversion_test
