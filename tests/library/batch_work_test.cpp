#include <doctest/doctest.h>

#include <bevscope/batch_work.hpp>
#include <bevscope/dataset.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "include/bevscope/error.hpp"
#include "tests/library/memory_source.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/small_scenes.hpp"

namespace batch_work_test {

using bev::Errc;
using bev::test::error_code;
using nlohmann::json;

namespace {

using Objects = std::map<std::string, std::vector<std::byte>>;

bev::WriteObject into(Objects& objects) {
  return [&objects](std::string_view key, std::span<const std::byte> bytes) {
    objects[std::string(key)].assign(bytes.begin(), bytes.end());
  };
}

/// 24,000 agents in 8 scenes.
bev::Dataset dataset() {
  return bev::Dataset(std::make_shared<bev::test::MemorySource>(bev::test::small_store(
      {.scenes = 8, .frames = 30, .agents = 100, .agents_per_chunk = 5000})));
}

/// Writes a mask in parts that end at these chunks.
Objects mask_in_parts(const std::vector<std::uint64_t>& ends, json& report) {
  Objects objects;
  auto opened = dataset();
  std::vector<std::string> reports;
  std::uint64_t begin = 0;
  for (const auto end : ends) {
    reports.push_back(bev::write_mask_chunks(opened, {}, {begin, end}, into(objects)));
    begin = end;
  }
  report = json::parse(bev::write_mask_documents(opened, {}, reports, into(objects)));
  return objects;
}

}  // namespace

TEST_SUITE("library/batch_work") {
  TEST_CASE("a mask in parts has the bytes and the report of the whole") {
    json whole_report;
    json parts_report;
    const auto whole = mask_in_parts({3}, whole_report);
    CHECK(whole.size() == 6);
    CHECK(whole.contains("agents_mask/0.5/2.0"));
    CHECK(mask_in_parts({1, 2, 3}, parts_report) == whole);
    CHECK(parts_report == whole_report);
    CHECK(whole_report["total_agent_frames"] == 24'000);
  }

  TEST_CASE("a mask without one of its parts is an error") {
    Objects objects;
    auto opened = dataset();
    const auto report = bev::write_mask_chunks(opened, {}, {0, 1}, into(objects));
    CHECK(error_code([&] {
            bev::write_mask_documents(opened, {}, {report}, into(objects));
          }) == Errc::unsupported);
    CHECK(error_code([&] {
            bev::write_mask_documents(opened, {}, {"{}"}, into(objects));
          }) == Errc::invalid_argument);
    CHECK(error_code([&] {
            bev::write_mask_chunks(opened, {}, {0, 4}, into(objects));
          }) == Errc::out_of_range);
  }

  TEST_CASE("statistics of parts join to those of all chunks") {
    auto opened = dataset();
    std::vector<std::string> parts;
    for (std::uint64_t i = 0; i < 5; ++i) {
      parts.push_back(opened.statistics("agents", {i, i + 1}));
    }
    CHECK(bev::join_statistics(parts) == opened.statistics("agents", {0, 5}));
    CHECK(error_code([&] { bev::join_statistics({"[]"}); }) == Errc::invalid_metadata);
    CHECK(error_code([&] { opened.statistics("no", {0, 1}); }) == Errc::not_found);
  }

  TEST_CASE("documents are read as they were written") {
    const auto text = bev::make_work_plan(R"({"job":"mask"})", "f", {"{}", "{}"});
    const auto plan = bev::read_work_plan(text, "plan.json");
    CHECK(plan.tasks.size() == 2);
    std::vector<std::string> results;
    for (std::uint64_t task = 0; task < 2; ++task) {
      results.push_back(bev::make_work_result(
          {plan.id, task, {{"a/" + std::to_string(task), 3, std::string(64, 'b')}}}));
      CHECK(bev::read_work_result(results.back(), "r").task == task);
    }
    const auto manifest = bev::read_work_manifest(
        bev::make_work_manifest(text, results, {{".zgroup", 1, std::string(64, 'c')}}),
        "m");
    CHECK(manifest.plan == plan.id);
    CHECK(manifest.objects.size() == 3);
    results.pop_back();
    CHECK(error_code([&] { bev::make_work_manifest(text, results, {}); }) ==
          Errc::invalid_argument);
  }

  TEST_CASE("a chunk is padded with the fill value") {
    const std::string zarray = R"({"chunks":[4],"compressor":null,"dtype":"<i2",
        "fill_value":-1,"filters":null,"order":"C","shape":[5],"zarr_format":2})";
    const std::vector<std::byte> rows{std::byte{7}, std::byte{0}};
    const auto chunk = bev::encode_chunk(zarray, rows);
    REQUIRE(chunk.size() == 8);
    CHECK(chunk[0] == std::byte{7});
    CHECK(chunk[7] == std::byte{0xff});
    CHECK(error_code([&] { bev::encode_chunk(zarray, std::vector<std::byte>(9)); }) ==
          Errc::invalid_argument);
    CHECK(error_code([&] { bev::encode_chunk("{}", rows); }) != std::nullopt);
  }
}

}  // namespace batch_work_test
