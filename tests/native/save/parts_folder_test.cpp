#include "native/save/parts_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "core/base/error.hpp"
#include "native/save/part_writer.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/saved_rows.hpp"
#include "tests/support/temp_folder.hpp"

using bev::Errc;
using bev::Error;
using bev::native::committed_at;
using bev::native::PartsFolder;
using bev::native::PartWriter;
using bev::native::SaveMode;
using bev::test::error_code;
using bev::test::lz4_config;
using bev::test::save_all;
using bev::test::small_config;
using bev::test::TempFolder;
namespace fs = std::filesystem;

namespace {

/// Returns the message of the error that `call` throws.
template <class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_SUITE("native/save/parts_folder") {
  TEST_CASE("savers that join agree on config and mode") {
    const TempFolder at;
    const auto store = at.at("d.zarr");
    const auto config = small_config();
    const auto other = small_config(5000);
    const PartsFolder first(store, config, SaveMode::create);
    const PartsFolder second(store, config, SaveMode::create);
    CHECK(second.settings().config.to_json() == config.to_json());
    CHECK(second.settings().mode == SaveMode::create);
    CHECK(second.settings().base.empty());
    const auto message =
        message_of([&] { PartsFolder(store, other, SaveMode::create); });
    CHECK(message == store +
                         ".parts: other savers use another config (max_object_size: "
                         "found 4096, given 5000)");
    CHECK(error_code([&] { PartsFolder(store, config, SaveMode::append); }) ==
          Errc::invalid_argument);
  }

  TEST_CASE("an existing store needs append or replace, and its own config to append") {
    const TempFolder at;
    const auto store = at.at("d.zarr");
    save_all(store, lz4_config());
    const auto error_of = [&](const bev::save::DataConfig& config, SaveMode mode) {
      return error_code([&] { PartsFolder(store, config, mode); });
    };
    CHECK(error_of(lz4_config(), SaveMode::create) == Errc::invalid_argument);
    CHECK(error_of(small_config(), SaveMode::append) == Errc::invalid_argument);
    CHECK_FALSE(fs::exists(store + ".parts"));
    const PartsFolder folder(store, lz4_config(), SaveMode::append);
    CHECK(folder.settings().base == committed_at(store)->id);
    CHECK(committed_at(store)->rows == 250);
    CHECK_FALSE(error_of(small_config(), SaveMode::append) == std::nullopt);
  }

  TEST_CASE("commit and savers exclude each other") {
    const TempFolder at;
    const auto store = at.at("d.zarr");
    const auto open = [&](PartsFolder::Lock lock) {
      return PartsFolder::open(store, lock);
    };
    CHECK_FALSE(open(PartsFolder::Lock::exclusive));
    {
      const PartsFolder saver(store, small_config(), SaveMode::create);
      CHECK(error_code([&] { open(PartsFolder::Lock::exclusive); }) ==
            Errc::invalid_argument);
      CHECK(open(PartsFolder::Lock::shared));
    }
    const auto alone = open(PartsFolder::Lock::exclusive);
    CHECK(alone->settings().config.to_json() == small_config().to_json());
    CHECK(error_code([&] { PartsFolder(store, small_config(), SaveMode::create); }) ==
          Errc::invalid_argument);
  }

  TEST_CASE("parts are listed by number; other entries are not parts") {
    const TempFolder at;
    const auto store = at.at("d.zarr");
    const PartsFolder folder(store, small_config(), SaveMode::create);
    CHECK(folder.savers().empty());
    for (const std::uint64_t saver : {1'000'000U, 2U, 30U}) {
      fs::create_directory(folder.part(saver));
    }
    at.write("d.zarr.parts/000009", "a file");
    at.write("d.zarr.parts/notes/x", "a folder");
    CHECK(folder.part(2).filename() == "000002");
    CHECK(folder.savers() == std::vector<std::uint64_t>{2, 30, 1'000'000});
    CHECK(error_code([&] { static_cast<void>(folder.manifests()); }) ==
          Errc::invalid_argument);
  }

  TEST_CASE("a manifest in the wrong part is refused") {
    const TempFolder at;
    const PartsFolder folder(at.at("d.zarr"), small_config(), SaveMode::create);
    bev::save::Manifest journal;
    journal.config = small_config().fingerprint();
    journal.saver = 1;
    journal.arrays.resize(2);
    PartWriter(folder.part(1), small_config(), 1).write_journal(journal);
    REQUIRE(folder.manifests().size() == 1);
    CHECK(folder.manifests()[0].saver == 1);
    fs::rename(folder.part(1), folder.part(2));
    CHECK(error_code([&] { static_cast<void>(folder.manifests()); }) ==
          Errc::invalid_metadata);
  }

  TEST_CASE("a folder is removed by one rename; its leftovers can be removed") {
    const TempFolder at;
    const auto store = at.at("d.zarr");
    at.write("d.zarr.parts.removed/000000/x", "left by a killed process");
    {
      const PartsFolder saver(store, small_config(), SaveMode::create);
      fs::create_directory(saver.part(0));
      PartsFolder::remove_if_empty(store);  // others use it
    }
    PartsFolder::remove_if_empty(store);  // has a part
    REQUIRE(fs::exists(store + ".parts"));
    PartsFolder::open(store, PartsFolder::Lock::exclusive)->remove();
    CHECK_FALSE(fs::exists(store + ".parts"));
    CHECK_FALSE(fs::exists(store + ".parts.removed"));
    at.write("d.zarr.parts.removed/x", "");
    PartsFolder::remove_leftovers(store);
    CHECK(fs::is_empty(at.path()));
    { const PartsFolder saver(store, small_config(), SaveMode::create); }
    PartsFolder::remove_if_empty(store);
    CHECK(fs::is_empty(at.path()));
  }

  TEST_CASE("a URL is refused, not taken for a folder") {
    const auto open = [] {
      PartsFolder("ftp://host/d.zarr", small_config(), SaveMode::create);
    };
    CHECK(error_code(open) == Errc::unsupported);
    CHECK(error_code([] {
            PartsFolder::open("https://host/d.zarr", PartsFolder::Lock::exclusive);
          }) == Errc::unsupported);
    CHECK_FALSE(fs::exists("ftp:"));
  }

  TEST_CASE("damaged settings are errors") {
    const TempFolder at;
    const auto store = at.at("d.zarr");
    for (const auto* text : {"{", "{}", R"({"mode": "create", "base": 3})",
                             R"({"mode": "other", "base": "", "config": {}})"}) {
      at.write("d.zarr.parts/settings.json", text);
      CHECK(error_code([&] {
              PartsFolder::open(store, PartsFolder::Lock::exclusive);
            }) == Errc::invalid_metadata);
    }
  }

  TEST_CASE("only data sets of savers are committed ones") {
    const TempFolder at;
    CHECK_FALSE(committed_at(at.at("absent")));
    fs::create_directory(at.path() / "empty");
    CHECK_FALSE(committed_at(at.at("empty")));
    at.write("other.zarr/.zgroup", R"({"zarr_format": 2})");
    CHECK(error_code([&] { committed_at(at.at("other.zarr")); }) ==
          Errc::invalid_argument);
    at.write("other.zarr/.zattrs", R"({"bevscope_save": {"rows": -1}})");
    CHECK(error_code([&] { committed_at(at.at("other.zarr")); }) ==
          Errc::invalid_metadata);
  }
}
