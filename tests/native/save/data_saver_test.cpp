#include "native/save/data_saver.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <random>

#include "core/base/error.hpp"
#include "native/save/commit_parts.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/file_size_limit.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/saved_rows.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/traced.hpp"

using bev::Errc;
using bev::native::commit_parts;
using bev::native::DataSaver;
using bev::native::SaveMode;
using bev::native::SaverOptions;
using bev::save::DataConfig;
using bev::test::check_rows;
using bev::test::Content;
using bev::test::content_of;
using bev::test::error_code;
using bev::test::kBatchRows;
using bev::test::lz4_config;
using bev::test::MadeBatch;
using bev::test::read_saved;
using bev::test::rounds;
using bev::test::save_all;
using bev::test::save_batches;
using bev::test::save_compressors;
using bev::test::sharded_config;
using bev::test::small_config;
using bev::test::TempFolder;
using bev::test::with;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

std::ptrdiff_t count_in(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), {});
}

std::uint64_t pick(std::mt19937_64& random, std::uint64_t count) {
  return random() % count;
}

/// Returns a config of one to three attributes with random types, shapes and limit.
DataConfig random_config(std::mt19937_64& random) {
  const std::vector<json> dtypes = {
      "|u1", "<i2", "<f4",     "<f8",
      "<U3", "|S5", "<M8[ns]", json::parse(R"([["a", "<i4"], ["b", "<f4", [3]]])")};
  json attributes = json::array();
  const auto count = 1 + pick(random, 3);
  for (std::uint64_t i = 0; i < count; ++i) {
    json shape = json::array();
    for (auto axes = pick(random, 3); axes > 0; --axes) {
      shape.push_back(1 + pick(random, 6));
    }
    attributes.push_back({{"name", "a" + std::to_string(i)},
                          {"dtype", dtypes[pick(random, dtypes.size())]},
                          {"shape", shape}});
  }
  const auto compressors = save_compressors();
  const json config = {{"name", "random"},
                       {"attributes", attributes},
                       {"compressor", compressors[pick(random, compressors.size())]},
                       {"max_object_size", 4096 << pick(random, 3)}};
  return DataConfig::parse(config.dump());
}

/// As random_config(), of version 3, with types and codecs that it has.
DataConfig random_sharded_config(std::mt19937_64& random) {
  for (;;) {
    const auto config = random_config(random);
    try {
      return with(config,
                  {{"zarr_format", 3}, {"chunks_per_shard", 1 + pick(random, 5)}});
    } catch (const bev::Error&) {
    }
  }
}

/// Kills a saver at 20 points, and resumes it.
void check_killed(const DataConfig& config) {
  std::size_t changes = 0;
  Content expected;
  {
    const TempFolder at;
    const auto store = at.at("d.zarr");
    const auto traced = bev::test::run_killed_at(0, [&] { save_all(store, config); });
    REQUIRE(traced.exit_code == 0);
    changes = traced.changes;
    expected = content_of(store);
    REQUIRE_FALSE(expected.empty());
  }
  std::size_t killed = 0;
  for (const auto point : bev::test::kill_points(changes, 20)) {
    CAPTURE(point);
    const TempFolder at;
    const auto store = at.at("d.zarr");
    killed += bev::test::run_killed_at(point, [&] { save_all(store, config); }).killed
                  ? 1
                  : 0;
    if (fs::exists(store)) {
      CHECK((content_of(store) == expected));
      bev::native::discard_parts(store);
    } else {
      save_all(store, config);
      CHECK((content_of(store) == expected));
    }
    CHECK_FALSE(fs::exists(store + ".parts"));
  }
  CHECK(killed >=
        10);  // threads differ in the number of system calls: late points may lie
              // behind the end
}

}  // namespace

TEST_SUITE("native/save/data_saver") {
  TEST_CASE("saved rows are read back, as a zarr group with consolidated metadata") {
    for (const auto& compressor : save_compressors()) {
      for (const auto* name : {"d.zarr", "d.zarr.zip"}) {
        CAPTURE(compressor.dump());
        const TempFolder at;
        const auto config = small_config(2048, compressor);
        const auto store = at.at(name);
        {
          DataSaver saver(store, config);
          save_batches(saver, config, 25);
          CHECK(saver.rows() == 250);
          CHECK_FALSE(fs::exists(store));
          saver.commit();
        }
        check_rows(store, config, 250);
        CHECK(count_in(at.path()) == 1);
        const auto source = bev::native::open_source(store);
        const auto group = bev::zarr::parse_consolidated(
            bev::test::saved_text(*source, ".zmetadata"), ".zmetadata");
        CHECK(group.arrays.size() == 2);
        CHECK(group.refused.empty());
      }
    }
  }

  TEST_CASE("bytes do not depend on batches, flushes and threads") {
    const auto config = lz4_config();
    const TempFolder at;
    save_all(at.at("a.zarr"), config);
    const auto expected = content_of(at.at("a.zarr"));
    CHECK(expected.size() > 10);
    for (const std::uint64_t rows : {1U, 64U, 250U}) {
      CAPTURE(rows);
      const auto store = at.at("b" + std::to_string(rows));
      DataSaver saver(store, config, {.threads = static_cast<std::size_t>(rows % 5)});
      for (std::uint64_t first = 0; first < 250; first += rows) {
        MadeBatch batch(config, first, std::min(rows, 250 - first), 3);
        saver.save(batch.arrays());
      }
      saver.commit();
      CHECK((content_of(store) == expected));
    }
  }

  TEST_CASE("an invalid batch is refused before any of it is saved") {
    const TempFolder at;
    const auto config = lz4_config();
    const auto store = at.at("d.zarr");
    DataSaver saver(store, config);
    MadeBatch good(config, 0, kBatchRows, 3);
    saver.save(good.arrays());
    MadeBatch bad(config, kBatchRows, kBatchRows, 3);
    bad.arrays()[1].shape = {3};
    CHECK(error_code([&] { saver.save(bad.arrays()); }) == Errc::invalid_argument);
    CHECK(saver.rows() == kBatchRows);
    MadeBatch next(config, kBatchRows, kBatchRows, 3);
    saver.save(next.arrays());
    saver.commit();
    check_rows(store, config, 2 * kBatchRows);
    CHECK(error_code([&] { saver.save(good.arrays()); }) == Errc::invalid_argument);
    CHECK(error_code([&] { saver.flush(); }) == Errc::invalid_argument);
  }

  TEST_CASE("random schemas: no object above the limit, none but the last below half") {
    std::mt19937_64 random(20);
    std::size_t objects = 0;
    for (int i = 0; i < rounds(100); ++i) {
      CAPTURE(i);
      const TempFolder at;
      const auto config = random_config(random);
      CAPTURE(config.to_json());
      const auto noise = static_cast<unsigned>(1 + pick(random, 4));
      const auto rows = 300 + pick(random, 2000);
      {
        MadeBatch batch(config, 0, rows, noise);
        DataSaver saver(at.at("d"), config, {.threads = 1});
        saver.save(batch.arrays());
        saver.commit();
      }
      for (const auto& attribute : config.attributes()) {
        const auto sizes = read_saved(at.at("d"), attribute.name).object_sizes;
        for (std::size_t n = 0; n < sizes.size(); ++n) {
          CHECK(sizes[n] <= config.max_object_size());
          if (n + 1 < sizes.size()) CHECK(2 * sizes[n] >= config.max_object_size());
        }
        objects += sizes.size();
      }
    }
    CHECK(objects > rounds(std::size_t{700}));
  }

  TEST_CASE("random schemas in shards: no object above the limit") {
    std::mt19937_64 random(21);
    std::size_t objects = 0;
    std::size_t small = 0;
    for (int i = 0; i < rounds(100); ++i) {
      CAPTURE(i);
      const TempFolder at;
      const auto config = random_sharded_config(random);
      CAPTURE(config.to_json());
      const auto noise = static_cast<unsigned>(1 + pick(random, 4));
      MadeBatch batch(config, 0, 300 + pick(random, 2000), noise);
      {
        DataSaver saver(at.at("d"), config, {.threads = 1});
        saver.save(batch.arrays());
        saver.commit();
      }
      for (std::size_t a = 0; a < config.attributes().size(); ++a) {
        const auto found = read_saved(at.at("d"), config.attributes()[a].name);
        CHECK((found.rows == batch.bytes(a)));
        const auto& sizes = found.object_sizes;
        for (std::size_t n = 0; n < sizes.size(); ++n) {
          CHECK(sizes[n] <= config.max_object_size());
          const bool is_last = n + 1 == sizes.size();
          if (!is_last && 2 * sizes[n] < config.max_object_size()) ++small;
        }
        objects += sizes.size();
      }
    }
    CHECK(objects > rounds(std::size_t{600}));
    CHECK(small * 20 <= objects);
    MESSAGE(objects, " shards, ", small, " below half of the limit");
  }

  TEST_CASE("data that compresses less later never exceeds the limit") {
    for (const auto& config : {lz4_config(), sharded_config()}) {
      for (const auto* name : {"d.zarr", "d.zarr.zip"}) {
        CAPTURE(name);
        const TempFolder at;
        const auto store = at.at(name);
        DataSaver saver(store, config);
        MadeBatch flat(config, 0, 3000, 0);
        MadeBatch noisy(config, 3000, 1000, 1);
        saver.save(flat.arrays());
        saver.save(noisy.arrays());
        saver.commit();
        for (std::size_t i = 0; i < 2; ++i) {
          const auto found = read_saved(store, config.attributes()[i].name);
          for (const auto size : found.object_sizes) {
            CHECK(size <= config.max_object_size());
          }
          auto expected = flat.bytes(i);
          expected.insert(expected.end(), noisy.bytes(i).begin(), noisy.bytes(i).end());
          CHECK((found.rows == expected));
        }
      }
    }
  }

  TEST_CASE("rows that wait are bounded in bytes") {
    const TempFolder at;
    const auto config = small_config(4096);
    DataSaver saver(at.at("d.zarr"), config, {.threads = 2, .queue_bytes = 20'000});
    MadeBatch batch(config, 0, 5000, 3);
    saver.save(batch.arrays());
    saver.flush();
    CHECK(saver.peak_queue_bytes() <= 20'000);
    CHECK(saver.peak_queue_bytes() >=
          4096);  // more, unless each block is taken at once
  }

  TEST_CASE("a data set without rows is valid") {
    const TempFolder at;
    const auto config = lz4_config();
    DataSaver saver(at.at("d.zarr"), config);
    saver.commit();
    check_rows(at.at("d.zarr"), config, 0);
  }

  TEST_CASE("a saver resumes from its last flush") {
    const TempFolder at;
    const auto config = lz4_config();
    save_all(at.at("whole.zarr"), config);
    const auto store = at.at("d.zarr");
    std::uint64_t flushed = 0;
    for (std::uint64_t count = 2; count < 25; count += 4) {
      DataSaver saver(store, config);
      CHECK(saver.batches() == flushed);
      flushed = count / 3 * 3;
      save_batches(saver, config, count);  // the last one or two are lost
    }
    DataSaver saver(store, config);
    save_batches(saver, config, 25);
    saver.commit();
    CHECK((content_of(store) == content_of(at.at("whole.zarr"))));
  }

  TEST_CASE("20 savers that are killed resume with equal bytes; readers see no part") {
    check_killed(lz4_config());
  }

  TEST_CASE("20 savers of shards that are killed resume with equal bytes") {
    check_killed(sharded_config());
  }

  TEST_CASE("an existing store, another config and another mode are refused") {
    const TempFolder at;
    const auto config = lz4_config();
    const auto other = small_config(4096);
    const auto store = at.at("d.zarr");
    save_all(store, config);
    CHECK_THROWS_WITH_AS(DataSaver(store, config), doctest::Contains("already exists"),
                         bev::Error);
    CHECK_FALSE(fs::exists(store + ".parts"));
    std::string message;
    try {
      DataSaver saver(store, other, {.mode = SaveMode::append});
    } catch (const bev::Error& error) {
      message = error.what();
    }
    CHECK(message.find("another config (") != std::string::npos);
    CHECK(message.find(": found ") != std::string::npos);
    DataSaver first(store, config, {.mode = SaveMode::append});
    CHECK_THROWS_WITH_AS(DataSaver(store, config, {.mode = SaveMode::append}),
                         doctest::Contains("another process saves under this number"),
                         bev::Error);
    CHECK_THROWS_WITH_AS(
        DataSaver(store, config, {.saver = 1, .mode = SaveMode::replace}),
        doctest::Contains("other savers use mode append"), bev::Error);
    at.write("photos/1.jpg", "x");
    CHECK_THROWS_WITH_AS(
        DataSaver(at.at("photos"), config, {.mode = SaveMode::replace}),
        doctest::Contains("not a data set written by a saver"), bev::Error);
  }

  TEST_CASE("a full disk is an error at every later call, and loses no flushed row") {
    const TempFolder at;
    const auto config = small_config(4096);
    const auto store = at.at("d.zarr");
    {
      DataSaver saver(store, config);
      save_batches(saver, config, 6);
      MadeBatch batch(config, 60, 1000, 3);
      {
        const bev::test::FileSizeLimit limit(1000);
        CHECK(error_code([&] {
                saver.save(batch.arrays());
                saver.flush();
              }) == Errc::io);
        CHECK(error_code([&] { saver.flush(); }) == Errc::io);
      }
      CHECK(error_code([&] { saver.commit(); }) == Errc::io);
      CHECK(error_code([&] { saver.save(batch.arrays()); }) == Errc::io);
    }
    CHECK_FALSE(fs::exists(store));
    DataSaver saver(store, config);
    CHECK(saver.rows() == 60);
    save_batches(saver, config, 25);
    saver.commit();
    check_rows(store, config, 250);
  }
}
