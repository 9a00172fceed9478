#include <doctest/doctest.h>

#include <filesystem>

#include "core/base/error.hpp"
#include "native/save/commit_parts.hpp"
#include "native/save/data_saver.hpp"
#include "native/save/parts_folder.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/fake_s3_service.hpp"
#include "tests/support/saved_rows.hpp"
#include "tests/support/temp_folder.hpp"

namespace commit_races_test {

using bev::native::commit_parts;
using bev::native::DataSaver;
using bev::native::SaveMode;
using bev::test::check_rows;
using bev::test::error_code;
using bev::test::kBatchRows;
using bev::test::lz4_config;
using bev::test::MadeBatch;
using bev::test::read_saved;
using bev::test::save_all;
using bev::test::TempFolder;
namespace fs = std::filesystem;

TEST_SUITE("native/save/commit_races") {
  TEST_CASE("a .zip in S3 keeps what another writer commits before any request") {
    const auto config = lz4_config();
    const TempFolder at;
    save_all(at.at("base.zip"), config);
    fs::copy(at.at("base.zip"), at.at("other.zip"));
    const auto append = [&](const std::string& store, std::uint64_t first) {
      DataSaver saver(store, config, {.mode = SaveMode::append});
      MadeBatch batch(config, first, kBatchRows, 3);
      saver.save(batch.arrays());
      saver.commit();
    };
    append(at.at("other.zip"), 1000);
    const auto base = bev::test::file_text(at.at("base.zip"));
    const auto other = bev::test::file_text(at.at("other.zip"));
    int interleavings = 0;
    for (std::size_t request = 1;; ++request) {
      CAPTURE(request);
      bev::test::FakeS3Service service;
      service.s3.set("d.zip", {base, "base"});
      bool happened = false;
      service.s3.set_fault({.at = request, .act = [&] {
                              happened = service.s3.objects()["d.zip"].bytes ==
                                         base;  // its If-Match
                              if (happened) service.s3.set("d.zip", {other, "other"});
                            }});
      const auto code = error_code([&] { append("s3://bucket/d.zip", 250); });
      if (!happened) {
        CHECK(code == std::nullopt);
        break;
      }
      ++interleavings;
      const auto now = service.s3.objects()["d.zip"].bytes;
      if (code) {
        CHECK((now == other));
      } else {  // it had not read the base yet
        const auto name = config.attributes()[0].name;
        CHECK(read_saved(at.write("now.zip", now), name).meta.shape[0] == 270);
      }
    }
    CHECK(interleavings > 5);
  }

  TEST_CASE("a store has one lock, whatever the path to it") {
    const TempFolder at;
    const auto config = lz4_config();
    save_all(at.at("d.zarr"), config);
    fs::create_symlink(at.at("d.zarr"), at.at("link.zarr"));
    using bev::native::PartsFolder;
    CHECK(PartsFolder::path_of(at.at("link.zarr")) ==
          PartsFolder::path_of(at.at("d.zarr")));
    DataSaver one(at.at("d.zarr"), config, {.mode = SaveMode::append});
    MadeBatch batch(config, 250, kBatchRows, 3);
    one.save(batch.arrays());
    CHECK_THROWS_AS(commit_parts(at.at("link.zarr")), bev::Error);
    one.commit();
    check_rows(at.at("d.zarr"), config, 250 + kBatchRows);
  }

  TEST_CASE("a store that lost its name to a killed commit is found by the next") {
    const TempFolder at;
    const auto config = lz4_config();
    save_all(at.at("d.zarr"), config);
    // As without RENAME_EXCHANGE, after the first rename
    fs::rename(at.at("d.zarr"), at.at("d.zarr.replaced"));
    DataSaver saver(at.at("d.zarr"), config, {.mode = SaveMode::append});
    MadeBatch batch(config, 250, kBatchRows, 3);
    saver.save(batch.arrays());
    saver.commit();
    check_rows(at.at("d.zarr"), config, 250 + kBatchRows);
    CHECK_FALSE(fs::exists(at.at("d.zarr.replaced")));
  }
}

}  // namespace commit_races_test
