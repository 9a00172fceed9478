#include <doctest/doctest.h>

#include <bevscope/saver.hpp>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "include/bevscope/error.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/temp_folder.hpp"

namespace saver_test {

using bev::Errc;
using bev::test::error_code;
using bev::test::TempFolder;

namespace {

constexpr const char* kConfig =
    R"({"name": "n", "attributes": [{"name": "x", "dtype": "<i4", "shape": [2]}]})";

/// Saves rows (first, 7), (first + 1, 7) and so on.
void save(bev::DataSaver& saver, std::int32_t first, std::uint64_t rows) {
  std::vector<std::int32_t> values;
  for (std::uint64_t i = 0; i < rows; ++i) {
    values.push_back(first + static_cast<std::int32_t>(i));
    values.push_back(7);
  }
  const std::vector<bev::SavedArray> batch = {
      {"x", "<i4", {rows, 2}, std::as_bytes(std::span(values))}};
  saver.save(batch);
}

}  // namespace

TEST_SUITE("library/saver") {
  TEST_CASE("rows of several savers are committed, listed, appended") {
    const TempFolder at;
    const auto store = at.at("d.zarr");
    for (const std::uint64_t number : {1U, 0U}) {
      bev::DataSaver saver(store, kConfig, {.saver = number});
      save(saver, static_cast<std::int32_t>(10 * number), 10);
      CHECK(saver.rows() == 10);
      CHECK(saver.batches() == 1);
      saver.flush();
      saver.finish();
    }
    CHECK_FALSE(std::filesystem::exists(store));
    CHECK(bev::commit_parts(store) == 20);
    {
      bev::DataSaver saver(store, kConfig, {.mode = bev::SaveMode::append});
      save(saver, 20, 5);
      saver.commit();
    }
    const auto listed = bev::list_datasets(at.path().string());
    REQUIRE(listed.size() == 1);
    CHECK(listed[0].rows == 25);
    CHECK(listed[0].name == "n");
    CHECK(listed[0].path == store);
    std::string expected;
    for (std::int32_t row = 0; row < 25; ++row) {
      for (const auto value : {row, 7}) {
        expected.append(reinterpret_cast<const char*>(&value), sizeof value);
      }
    }
    CHECK(bev::test::file_text(store + "/x/0.0") == expected);
  }

  TEST_CASE("aborted and discarded rows leave nothing; modes are the caller's") {
    const TempFolder at;
    const auto store = at.at("d.zarr");
    {
      bev::DataSaver saver(store, kConfig);
      save(saver, 0, 3);
      saver.commit();
    }
    CHECK(error_code([&] { bev::DataSaver(store, kConfig); }) ==
          Errc::invalid_argument);
    {
      bev::DataSaver saver(store, kConfig, {.mode = bev::SaveMode::replace});
      save(saver, 0, 9);
      saver.abort();
    }
    CHECK_FALSE(bev::discard_parts(store));
    {
      bev::DataSaver saver(store, kConfig, {.mode = bev::SaveMode::replace});
      save(saver, 0, 9);
      saver.finish();
    }
    CHECK(bev::list_datasets(store).at(0).has_parts);
    CHECK(bev::discard_parts(store));
    CHECK(error_code([&] { bev::commit_parts(store); }) == Errc::not_found);
    CHECK(bev::list_datasets(store).at(0).rows == 3);
  }

  TEST_CASE("a complete config is equal text for equal configs") {
    const auto complete = bev::complete_config(kConfig);
    CHECK(complete.find("\"max_object_size\":8388608") != complete.npos);
    CHECK(bev::complete_config(complete) == complete);
    CHECK(bev::config_fingerprint(complete) == bev::config_fingerprint(kConfig));
    CHECK(error_code([] { bev::complete_config("{}"); }) == Errc::invalid_argument);
  }

  TEST_CASE("a batch or config that does not fit is an error") {
    const TempFolder at;
    CHECK(error_code([&] { bev::DataSaver(at.at("d"), "{}"); }) ==
          Errc::invalid_argument);
    bev::DataSaver saver(at.at("d"), kConfig);
    const std::vector<bev::SavedArray> batch = {{"y", "<i4", {0, 2}, {}}};
    CHECK(error_code([&] { saver.save(batch); }) == Errc::invalid_argument);
  }
}

}  // namespace saver_test
