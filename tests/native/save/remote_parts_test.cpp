#include "native/save/remote_parts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "native/save/commit_parts.hpp"
#include "native/save/data_saver.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/fake_s3_service.hpp"
#include "tests/support/saved_rows.hpp"
#include "tests/support/temp_folder.hpp"

namespace remote_parts_test {

using bev::Errc;
using bev::native::commit_parts;
using bev::native::DataSaver;
using bev::native::discard_parts;
using bev::native::SaveMode;
using bev::test::check_rows;
using bev::test::error_code;
using bev::test::FakeS3Service;
using bev::test::kBatchRows;
using bev::test::lz4_config;
using bev::test::MadeBatch;
using bev::test::TempFolder;
namespace fs = std::filesystem;

namespace {

const std::string kStore = "s3://bucket/d.zarr";

/// Another machine: it shares nothing but the service.
struct Machine {
  Machine() { ::setenv("BEVSCOPE_PARTS", at.path().c_str(), 1); }
  TempFolder at;
};

/// Saves batches [10 saver, 10 saver + 10) on a machine of its own.
void save_on_machine(std::uint64_t number, SaveMode mode = SaveMode::create,
                     std::uint64_t first_batch = 0) {
  const Machine machine;
  DataSaver saver(kStore, lz4_config(),
                  {.saver = number, .mode = mode, .upload = true});
  for (std::uint64_t i = 0; i < 10; ++i) {
    MadeBatch batch(lz4_config(), (first_batch + number * 10 + i) * kBatchRows,
                    kBatchRows, 3);
    saver.save(batch.arrays());
    if (i % 4 == 0) saver.flush();
  }
  saver.finish();
  CHECK_FALSE(
      bev::native::PartsFolder::open(kStore, bev::native::PartsFolder::Lock::shared));
}

std::size_t objects_below(const FakeS3Service& service, const std::string& prefix) {
  const auto all = service.s3.objects();
  return static_cast<std::size_t>(std::count_if(
      all.begin(), all.end(),
      [&](const auto& object) { return object.first.starts_with(prefix); }));
}

}  // namespace

TEST_SUITE("native/save/remote_parts") {
  TEST_CASE("savers of three machines are joined by a fourth, in order") {
    FakeS3Service service;
    for (const std::uint64_t number : {2U, 0U, 1U}) save_on_machine(number);
    CHECK(objects_below(service, "d.zarr/") == 0);
    const Machine machine;
    CHECK(commit_parts(kStore, 3) == 300);
    check_rows(kStore, lz4_config(), 300);
    CHECK(objects_below(service, "d.zarr.parts/") == 0);
    CHECK(error_code([] { commit_parts(kStore, 3); }) == Errc::not_found);
  }

  TEST_CASE("too few, too many and unfinished savers are not committed") {
    FakeS3Service service;
    save_on_machine(0);
    save_on_machine(1);
    const Machine machine;
    for (const std::uint64_t wrong : {1U, 3U}) {
      CHECK(error_code([&] { commit_parts(kStore, wrong); }) == Errc::invalid_argument);
    }
    service.s3.set("d.zarr.parts/000007/image/0-9", {"x", ""});
    CHECK(error_code([] { commit_parts(kStore, 3); }) == Errc::invalid_argument);
    CHECK(objects_below(service, "d.zarr/") == 0);
    CHECK(discard_parts(kStore));
    CHECK(objects_below(service, "d.zarr") == 0);
    CHECK_FALSE(discard_parts(kStore));
  }

  TEST_CASE("an upload that failed is repeated by a saver that resumes") {
    FakeS3Service service;
    const Machine machine;
    {
      DataSaver saver(kStore, lz4_config(), {.upload = true});
      MadeBatch batch(lz4_config(), 0, 250, 3);
      saver.save(batch.arrays());
      service.s3.fail_once("PUT /bucket/d.zarr.parts/000000/manifest.json",
                           "403 Forbidden");
      CHECK(error_code([&] { saver.finish(); }) == Errc::network);
    }
    CHECK(error_code([] { commit_parts(kStore, 1); }) == Errc::invalid_argument);
    DataSaver again(kStore, lz4_config(), {.upload = true});
    CHECK(again.rows() == 250);
    again.finish();
    CHECK(commit_parts(kStore, 1) == 250);
    check_rows(kStore, lz4_config(), 250);
  }

  TEST_CASE("two savers of one number, and other configs, are refused") {
    FakeS3Service service;
    save_on_machine(0);
    const Machine machine;
    const auto upload = [](const bev::save::DataConfig& config, std::uint64_t first) {
      DataSaver saver(kStore, config, {.upload = true});
      MadeBatch batch(config, first, 250, 3);
      saver.save(batch.arrays());
      saver.finish();
    };
    CHECK(error_code([&] { upload(lz4_config(), 7); }) == Errc::invalid_argument);
    discard_parts(kStore);
    save_on_machine(1);
    const Machine other;
    CHECK(error_code([&] {
            upload(bev::test::with(lz4_config(), {{"name", "other"}}), 0);
          }) == Errc::invalid_argument);
  }

  TEST_CASE("a commit that failed after it had fetched is repeated") {
    FakeS3Service service;
    save_on_machine(0);
    save_on_machine(1);
    const Machine machine;
    service.s3.fail_once("PUT /bucket/d.zarr/.zmetadata", "403 Forbidden");
    CHECK(error_code([] { commit_parts(kStore, 2); }) == Errc::network);
    CHECK(objects_below(service, "d.zarr.parts/") > 0);
    CHECK(commit_parts(kStore, 2) == 200);
    check_rows(kStore, lz4_config(), 200);
    CHECK(objects_below(service, "d.zarr.parts/") == 0);
  }

  TEST_CASE("parts that arrive during a commit are not removed with the others") {
    FakeS3Service service;
    for (const std::uint64_t number : {0U, 1U, 2U}) save_on_machine(number);
    const std::vector<std::uint64_t> joined = {0, 1};
    bev::native::remove_remote_parts(kStore, joined);
    CHECK(objects_below(service, "d.zarr.parts/000000/") == 0);
    CHECK(objects_below(service, "d.zarr.parts/000001/") == 0);
    CHECK(objects_below(service, "d.zarr.parts/000002/manifest.json") == 1);
    const Machine machine;
    CHECK(commit_parts(kStore, 1) == 100);
    CHECK(objects_below(service, "d.zarr.parts/") == 0);
  }

  TEST_CASE("a damaged upload is an error, and nothing is published") {
    FakeS3Service service;
    save_on_machine(0);
    for (const auto& [key, object] : service.s3.objects()) {
      if (key.find("/label/") != key.npos) service.s3.set(key, {"damaged", ""});
    }
    const Machine machine;
    CHECK(error_code([] { commit_parts(kStore, 1); }) == Errc::corrupt_chunk);
    CHECK(objects_below(service, "d.zarr/.z") == 0);
  }

  TEST_CASE("upload and its commit are for S3; an uploading saver does not commit") {
    FakeS3Service service;
    const TempFolder at;
    CHECK(error_code([&] {
            DataSaver(at.at("d.zarr"), lz4_config(), {.upload = true});
          }) == Errc::invalid_argument);
    CHECK(error_code([&] { commit_parts(at.at("d.zarr"), 1); }) ==
          Errc::invalid_argument);
    const Machine machine;
    DataSaver saver(kStore, lz4_config(), {.upload = true});
    MadeBatch batch(lz4_config(), 0, 250, 3);
    saver.save(batch.arrays());
    CHECK(error_code([&] { saver.commit(); }) == Errc::invalid_argument);
    saver.finish();
    CHECK(commit_parts(kStore, 1) == 250);
  }
}

}  // namespace remote_parts_test
