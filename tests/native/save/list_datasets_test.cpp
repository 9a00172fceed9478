#include "native/save/list_datasets.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "core/base/error.hpp"
#include "native/cli/commands.hpp"
#include "native/save/data_saver.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/fake_s3_service.hpp"
#include "tests/support/save_configs.hpp"
#include "tests/support/temp_folder.hpp"

namespace list_datasets_test {

using bev::Errc;
using bev::native::DataSaver;
using bev::native::list_datasets;
using bev::native::SaveMode;
using bev::test::error_code;
using bev::test::file_text;
using bev::test::MadeBatch;
using bev::test::small_config;
using bev::test::TempFolder;
namespace fs = std::filesystem;

namespace {

void save(const std::string& store, std::uint64_t rows) {
  const auto config = small_config();
  DataSaver saver(store, config);
  MadeBatch batch(config, 0, rows);
  saver.save(batch.arrays());
  saver.commit();
}

class FakeService : public bev::test::FakeS3Service {
 public:
  /// Saves a data set and puts its objects below a prefix, or its archive at a key.
  void save_at(const std::string& key, std::uint64_t rows) {
    const TempFolder at;
    const auto name = fs::path(key).filename().string();
    save(at.at(name), rows);
    if (key.ends_with(".zip")) return s3.set(key, {file_text(at.at(name)), "w"});
    for (const auto& entry : fs::recursive_directory_iterator(at.at(name))) {
      if (!entry.is_regular_file()) continue;
      const auto below = entry.path().lexically_relative(at.at(name)).string();
      s3.set(key + "/" + below, {file_text(entry.path().string()), "w"});
    }
  }
};

}  // namespace

TEST_SUITE("native/save/list_datasets") {
  TEST_CASE("lists folders and .zips of savers, sorted, and nothing else") {
    const TempFolder at;
    save(at.at("b.zarr"), 70);
    save(at.at("a.zip"), 3);
    at.write("other.zarr/.zattrs", "{}");
    at.write("notes.txt", "x");
    at.write("c.zarr.partial/.zattrs", "{");
    const auto found = list_datasets(at.path().string() + "/");
    REQUIRE(found.size() == 2);
    CHECK(found[0].path == at.at("a.zip"));
    CHECK(found[0].rows == 3);
    CHECK(found[1].path == at.at("b.zarr"));
    CHECK(found[1].rows == 70);
    CHECK(found[1].config.to_json() == small_config().to_json());
    // .zgroup, .zattrs, .zmetadata, two .zarray and .zattrs, two chunks of images, one of labels
    CHECK(found[1].objects == 10);
    std::uint64_t bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(at.at("b.zarr"))) {
      if (entry.is_regular_file()) bytes += entry.file_size();
    }
    CHECK(found[1].bytes == bytes);
    CHECK_FALSE(found[1].has_parts);
    CHECK(list_datasets(at.at("b.zarr")).size() == 1);
    CHECK(list_datasets(at.at("other.zarr")).empty());
  }

  TEST_CASE("rows that are not committed are marked") {
    const TempFolder at;
    save(at.at("b.zarr"), 70);
    DataSaver saver(at.at("b.zarr"), small_config(), {.mode = SaveMode::append});
    CHECK(list_datasets(at.at("b.zarr")).at(0).has_parts);
    CHECK(list_datasets(at.path().string()).size() == 1);
  }

  TEST_CASE("a missing path and a damaged data set are errors") {
    const TempFolder at;
    CHECK(error_code([&] { list_datasets(at.at("none")); }) == Errc::not_found);
    save(at.at("b.zarr"), 70);
    at.write("b.zarr/.zattrs", "{");
    CHECK(error_code([&] { list_datasets(at.path().string()); }) ==
          Errc::invalid_metadata);
    CHECK(bev::native::ls_main(std::vector<std::string>{"--help"}) == 0);
  }

  TEST_CASE("a prefix of S3 is listed by one request, and each data set is read") {
    FakeService service;
    service.save_at("data/b.zarr", 70);
    service.save_at("data/a.zip", 3);
    service.s3.set("data/other.zarr/.zattrs", {"{}", "w"});
    service.s3.set("data/notes.txt", {"x", "w"});
    service.s3.set("elsewhere/c.zarr/.zattrs", {"{", "w"});
    const auto found = list_datasets("s3://bucket/data");
    REQUIRE(found.size() == 2);
    CHECK(found[0].path == "s3://bucket/data/a.zip");
    CHECK(found[0].rows == 3);
    CHECK(found[1].path == "s3://bucket/data/b.zarr");
    CHECK(found[1].rows == 70);
    CHECK(found[1].objects == 10);
    std::uint64_t bytes = 0;
    for (const auto& [key, object] : service.s3.objects()) {
      if (key.starts_with("data/b.zarr/")) bytes += object.bytes.size();
    }
    CHECK(found[1].bytes == bytes);
    const auto lines = service.s3.lines();
    CHECK(std::count_if(lines.begin(), lines.end(), [](const std::string& line) {
            return line.find("delimiter=") != line.npos;
          }) == 1);
    CHECK(list_datasets("s3://bucket/data/b.zarr").at(0).rows == 70);
    CHECK(list_datasets("s3://bucket/data/a.zip").at(0).rows == 3);
    CHECK(list_datasets("s3://bucket").empty());
  }

  TEST_CASE("an absent prefix and a damaged data set of S3 are errors") {
    FakeService service;
    CHECK(error_code([] { list_datasets("s3://bucket/none"); }) == Errc::not_found);
    service.save_at("data/b.zarr", 7);
    service.s3.set("data/b.zarr/.zattrs", {"{", "w"});
    CHECK(error_code([] { list_datasets("s3://bucket/data"); }) ==
          Errc::invalid_metadata);
    service.s3.fail_once("GET /bucket?", "403 Forbidden");
    CHECK(error_code([] { list_datasets("s3://bucket/data"); }) == Errc::network);
  }

  TEST_CASE("rows collected for a data set of S3 mark it") {
    FakeService service;
    service.save_at("data/b.zarr", 7);
    CHECK_FALSE(list_datasets("s3://bucket/data").at(0).has_parts);
    DataSaver saver("s3://bucket/data/b.zarr", small_config(),
                    {.mode = SaveMode::append});
    CHECK(list_datasets("s3://bucket/data").at(0).has_parts);
  }
}

}  // namespace list_datasets_test
