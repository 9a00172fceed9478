#include "native/save/commit_parts.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "core/base/error.hpp"
#include "native/save/data_saver.hpp"
#include "native/save/list_datasets.hpp"
#include "native/save/parts_folder.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/save_host.hpp"
#include "tests/support/saved_rows.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/traced.hpp"

using bev::Errc;
using bev::native::commit_parts;
using bev::native::DataSaver;
using bev::native::SaveMode;
using bev::test::check_rows;
using bev::test::Content;
using bev::test::content_of;
using bev::test::error_code;
using bev::test::kBatchRows;
using bev::test::lz4_config;
using bev::test::MadeBatch;
using bev::test::read_saved;
using bev::test::save_all;
using bev::test::save_batches;
using bev::test::sharded_config;
using bev::test::TempFolder;
using bev::test::with;
namespace fs = std::filesystem;

namespace {

/// Returns the objects as content_of() does.
Content content_of_objects(const bev::test::SavedObjects& objects) {
  Content out;
  for (const auto& [key, bytes] : objects) out[key] = bev::test::text_of(bytes);
  return out;
}

}  // namespace

TEST_SUITE("native/save/commit_parts") {
  TEST_CASE("4 savers at once, 10 runs: equal order and bytes") {
    const auto config = lz4_config();
    Content expected;
    for (int run = 0; run < 10; ++run) {
      const TempFolder at;
      const auto store = at.at("d.zarr");
      std::vector<pid_t> children;
      for (std::uint64_t saver = 0; saver < 4; ++saver) {
        const auto child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {
          try {
            DataSaver own(store, config, {.saver = saver});
            for (std::uint64_t i = 0; i < 7 + saver; ++i) {
              MadeBatch batch(config, 1000 * saver + i * kBatchRows, kBatchRows, 3);
              own.save(batch.arrays());
              if (i % 2 == 0) own.flush();
            }
            own.finish();
          } catch (...) {
            ::_exit(1);
          }
          ::_exit(0);
        }
        children.push_back(child);
      }
      for (const auto child : children) {
        int status = 0;
        ::waitpid(child, &status, 0);
        CHECK(status == 0);
      }
      CHECK(commit_parts(store) == 340);
      const auto found = content_of(store);
      if (run == 0) expected = found;
      CHECK((found == expected));
      CHECK_FALSE(fs::exists(store + ".parts"));
    }
    const TempFolder at;
    const auto store = at.at("d.zarr");
    std::vector<std::byte> rows;
    for (std::uint64_t saver = 0; saver < 4; ++saver) {
      DataSaver own(store, config, {.saver = saver});
      MadeBatch batch(config, 1000 * saver, (7 + saver) * kBatchRows, 3);
      own.save(batch.arrays());
      own.finish();
      rows.insert(rows.end(), batch.bytes(0).begin(), batch.bytes(0).end());
    }
    commit_parts(store);
    CHECK((read_saved(store, "image").rows == rows));
  }

  TEST_CASE("readers see the old data set until commit, then the new one") {
    const TempFolder at;
    const auto config = lz4_config();
    const auto store = at.at("d.zarr");
    save_all(store, config);
    const auto before = content_of(store);
    for (const auto mode : {SaveMode::append, SaveMode::replace}) {
      DataSaver saver(store, config, {.mode = mode});
      while (saver.batches() < 30) {
        MadeBatch batch(config, 250 + saver.batches() * kBatchRows, kBatchRows, 3);
        saver.save(batch.arrays());
        saver.flush();
        CHECK((content_of(store) == before));
      }
      if (mode == SaveMode::replace) {
        saver.abort();
        CHECK((content_of(store) == before));
        CHECK_FALSE(fs::exists(store + ".parts"));
        continue;
      }
      saver.finish();
      CHECK((content_of(store) == before));
      commit_parts(store);
      check_rows(store, config, 550);
      save_all(at.at("other.zarr"), config);
      fs::remove_all(store);
      fs::rename(at.at("other.zarr"), store);
    }
  }

  TEST_CASE("append extends folders and .zips; replace begins anew") {
    for (const auto* name : {"d.zarr", "d.zip"}) {
      CAPTURE(name);
      const TempFolder at;
      const auto config = lz4_config();
      const auto store = at.at(name);
      save_all(store, config);
      for (const std::uint64_t first : {250U, 253U, 256U}) {
        DataSaver saver(store, config, {.mode = SaveMode::append});
        MadeBatch batch(config, first, 3, 3);
        saver.save(batch.arrays());
        saver.commit();
        check_rows(store, config, first + 3);
      }
      DataSaver saver(store, config, {.mode = SaveMode::replace});
      MadeBatch batch(config, 0, 20, 3);
      saver.save(batch.arrays());
      saver.commit();
      check_rows(store, config, 20);
    }
  }

  TEST_CASE("append to shards keeps the full ones and writes the last one again") {
    for (const auto* name : {"d.zarr", "d.zip"}) {
      CAPTURE(name);
      const TempFolder at;
      const auto config = sharded_config();
      const auto store = at.at(name);
      save_all(store, config);
      for (const std::uint64_t first : {250U, 253U, 256U, 350U}) {
        const auto before = read_saved(store, "image");
        const auto full = before.meta.shape[0] / before.meta.chunks[0] / 3;
        REQUIRE(full > 0);
        const auto path = fs::path(store) / "image/c/0/0/0";
        const auto links = fs::is_directory(store) ? fs::hard_link_count(path) : 0;
        const TempFolder kept;
        if (links > 0) fs::create_hard_link(path, kept.at("old"));
        DataSaver saver(store, config, {.mode = SaveMode::append});
        MadeBatch batch(config, first, first == 256 ? 94 : 3, 3);
        saver.save(batch.arrays());
        saver.commit();
        check_rows(store, config, first + (first == 256 ? 94 : 3));
        if (links > 0) CHECK(fs::equivalent(path, kept.at("old")));
        CHECK(read_saved(store, "image").meta.chunks == before.meta.chunks);
      }
    }
  }

  TEST_CASE("version 3 without shards links what savers have written") {
    const TempFolder at;
    const auto config = with(lz4_config(), {{"zarr_format", 3}});
    const auto store = at.at("d.zarr");
    save_all(store, config);
    check_rows(store, config, 250);
    CHECK(fs::exists(store + "/image/c/0/0/0"));
    CHECK_FALSE(fs::exists(store + "/.zgroup"));
    const auto found = bev::native::list_datasets(at.at("."));
    REQUIRE(found.size() == 1);
    CHECK(found[0].rows == 250);
    CHECK(found[0].config.to_json() == config.to_json());
  }

  TEST_CASE("attachments of all savers are copied, and kept when rows are appended") {
    for (const auto* name : {"d.zarr", "d.zip"}) {
      CAPTURE(name);
      const TempFolder at;
      const auto config = lz4_config();
      const auto store = at.at(name);
      const std::string large(3'000'000, 'x');
      at.write("large.bin", large);
      {
        DataSaver one(store, config, {.saver = 1});
        DataSaver two(store, config, {.saver = 2});
        one.attach_file("large.bin", at.at("large.bin"));
        two.attach_file("large.bin", at.at("large.bin"));
        two.attach("note", std::as_bytes(std::span("first", 5)));
        two.attach("note", std::as_bytes(std::span("second", 6)));
        CHECK(error_code([&] { one.attach_file("a", at.at("absent")); }) ==
              Errc::not_found);
        CHECK(error_code([&] { one.attach("../a", {}); }) == Errc::invalid_argument);
        save_batches(one, config, 3);
        one.finish();
        two.finish();
      }
      commit_parts(store);
      CHECK(bev::test::file_text(at.at("large.bin")) == large);
      const auto check = [&](std::size_t count) {
        const auto source = bev::native::open_source(store);
        CHECK(bev::test::saved_text(*source, "attachments/large.bin") == large);
        CHECK(bev::test::saved_text(*source, "attachments/note") == "second");
        CHECK(bev::native::committed_at(store)->attachments.size() == count);
      };
      check(2);
      {
        DataSaver more(store, config, {.mode = SaveMode::append});
        more.attach("more", {});
        more.commit();
      }
      check(3);
      check_rows(store, config, 30);
      DataSaver other(store, config, {.mode = SaveMode::append});
      other.attach("note", std::as_bytes(std::span("third", 5)));
      CHECK_THROWS_WITH_AS(other.commit(),
                           "attachments/note: is attached twice, with different bytes",
                           bev::Error);
      check(3);
    }
  }

  TEST_CASE(
      "a saver of attachments that is killed at any time resumes to equal bytes") {
    const auto config = lz4_config();
    const auto save = [&](const std::string& store) {
      DataSaver saver(store, config);
      saver.attach("a", std::as_bytes(std::span("content", 7)));
      save_batches(saver, config, 3);
      saver.attach("b", std::as_bytes(std::span("content", 7)));
      saver.commit();
    };
    const TempFolder at;
    save(at.at("whole.zarr"));
    const auto expected = content_of(at.at("whole.zarr"));
    CHECK(expected.contains("attachments/b"));
    const auto traced =
        bev::test::run_killed_at(0, [&] { save(at.at("traced.zarr")); });
    std::size_t killed = 0;
    for (const auto point : bev::test::kill_points(traced.changes, 20)) {
      CAPTURE(point);
      const TempFolder own;
      const auto store = own.at("d.zarr");
      if (bev::test::run_killed_at(point, [&] { save(store); }).killed) ++killed;
      if (fs::exists(store)) {
        bev::native::discard_parts(store);
      } else {
        save(store);
      }
      CHECK((content_of(store) == expected));
      CHECK_FALSE(fs::exists(store + ".parts"));
    }
    CHECK(killed >= 17);
  }

  TEST_CASE("a damaged attachment is an error of the commit, which publishes nothing") {
    const TempFolder at;
    const auto config = lz4_config();
    const auto store = at.at("d.zarr");
    {
      DataSaver saver(store, config);
      saver.attach("a", std::as_bytes(std::span("content", 7)));
      save_batches(saver, config, 3);
      saver.finish();
    }
    const auto folder = fs::path(store + ".parts/000000/attachments");
    const auto object = fs::directory_iterator(folder)->path();
    at.write(object.lexically_relative(at.path()).string(), "changed");
    CHECK(error_code([&] { commit_parts(store); }) == Errc::corrupt_chunk);
    CHECK_FALSE(fs::exists(store));
  }

  TEST_CASE(
      "few rows are one chunk of their length; more rows do not keep that length") {
    const TempFolder at;
    const auto config = bev::test::small_config(4096);
    const auto store = at.at("d.zarr");
    std::uint64_t rows = 0;
    for (const std::uint64_t count : {5U, 20U, 200U, 40U}) {
      DataSaver saver(store, config,
                      {.mode = rows == 0 ? SaveMode::create : SaveMode::append});
      MadeBatch batch(config, rows, count, 3);
      saver.save(batch.arrays());
      saver.commit();
      rows += count;
      check_rows(store, config, rows);
      const auto image = read_saved(store, "image");
      CHECK(image.meta.chunks[0] == std::min<std::uint64_t>(rows, 65));
      CHECK(read_saved(store, "label").meta.chunks[0] == rows);
    }
  }

  TEST_CASE("commit is refused while savers run, and for incomplete parts") {
    const TempFolder at;
    const auto config = lz4_config();
    const auto store = at.at("d.zarr");
    CHECK(error_code([&] { commit_parts(store); }) == Errc::not_found);
    {
      DataSaver saver(store, config, {.saver = 5});
      save_batches(saver, config, 4);
      CHECK_THROWS_WITH_AS(commit_parts(store), doctest::Contains("savers are running"),
                           bev::Error);
    }
    CHECK_THROWS_WITH_AS(commit_parts(store),
                         doctest::Contains("saver 5: part is not complete"),
                         bev::Error);
    CHECK_FALSE(fs::exists(store));
    DataSaver saver(store, config, {.saver = 5});
    CHECK(saver.rows() == 30);
    saver.commit();
    check_rows(store, config, 30);
  }

  TEST_CASE("a store replaced since the savers began is not overwritten") {
    const TempFolder at;
    const auto config = lz4_config();
    const auto store = at.at("d.zarr");
    save_all(store, config);
    DataSaver saver(store, config, {.mode = SaveMode::append});
    MadeBatch batch(config, 250, kBatchRows, 3);
    saver.save(batch.arrays());
    fs::remove_all(store);
    {
      DataSaver other(at.at("o.zarr"), config);
      save_batches(other, config, 1);
      other.commit();
    }
    fs::rename(at.at("o.zarr"), store);
    const auto before = content_of(store);
    CHECK(error_code([&] { saver.commit(); }) == Errc::changed);
    CHECK((content_of(store) == before));
  }

  TEST_CASE("a damaged part is an error of the commit, which publishes nothing") {
    for (const auto* damage : {"other bytes", ""}) {
      const TempFolder at;
      const auto config = lz4_config();
      const auto store = at.at("d.zarr");
      {
        DataSaver saver(store, config);
        save_batches(saver, config, 25);
        saver.finish();
      }
      const auto image = store + ".parts/000000/image";
      const auto object = fs::directory_iterator(image)->path();
      at.write(object.lexically_relative(at.path()).string(), damage);
      CHECK(error_code([&] { commit_parts(store); }) == Errc::corrupt_chunk);
      CHECK_FALSE(fs::exists(store));
    }
  }

  TEST_CASE("parts whose settings cannot be read are neither joined nor removed") {
    const TempFolder at;
    const auto config = lz4_config();
    const auto store = at.at("d.zarr");
    {
      DataSaver saver(store, config);
      save_batches(saver, config, 4);
      saver.finish();
    }
    at.write("d.zarr.parts/settings.json", "{");
    const auto before = content_of(store + ".parts");
    CHECK(error_code([&] { bev::native::discard_parts(store); }) ==
          Errc::invalid_metadata);
    CHECK(error_code([&] { commit_parts(store); }) == Errc::invalid_metadata);
    CHECK(error_code([&] { DataSaver(store, config); }) == Errc::invalid_metadata);
    CHECK((content_of(store + ".parts") == before));
  }

  TEST_CASE("a session without threads makes the same part and the same data set") {
    std::vector<bev::save::DataConfig> configs = {
        sharded_config(), with(lz4_config(), {{"zarr_format", 3}})};
    for (const auto& compressor : bev::test::save_compressors()) {
      configs.push_back(bev::test::small_config(2048, compressor));
    }
    for (const auto& config : configs) {
      const TempFolder at;
      const auto store = at.at("d.zarr");
      DataSaver saver(store, config);
      save_batches(saver, config, 25);
      saver.finish();
      bev::test::SavedObjects part;
      bev::save::PartSession session(config, 0);
      bev::test::save_to(part, session, 25);
      bev::test::flush_to(part, session, true);
      CHECK((content_of(store + ".parts/000000") == content_of_objects(part)));
      commit_parts(store);
      CHECK((content_of(store) ==
             content_of_objects(bev::test::committed(config, part))));
    }
  }

  TEST_CASE("joined without threads, parts and an appended data set have equal bytes") {
    const TempFolder at;
    const auto config = lz4_config();
    const auto store = at.at("d.zarr");
    bev::test::SavedObjects objects;
    for (const auto mode : {SaveMode::create, SaveMode::append, SaveMode::replace}) {
      std::vector<bev::test::SavedObjects> parts;
      for (const std::uint64_t saver : {7U, 3U}) {
        DataSaver own(store, config, {.saver = saver, .mode = mode});
        MadeBatch batch(config, 100 * saver, 41 + saver, 3);
        own.save(batch.arrays());
        own.finish();
        parts.push_back(
            bev::test::complete_part(config, saver, 100 * saver, 41 + saver));
      }
      const auto there = bev::native::committed_at(store);
      const auto settings = bev::save::first_settings(config, mode, there, store);
      objects = bev::test::committed(settings, parts, objects);
      commit_parts(store);
      CHECK((content_of(store) == content_of_objects(objects)));
    }
  }
}
