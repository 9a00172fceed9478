#include "native/save/part_writer.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/file_size_limit.hpp"
#include "tests/support/save_configs.hpp"
#include "tests/support/temp_folder.hpp"

using bev::Errc;
using bev::native::PartWriter;
using bev::native::read_object;
using bev::save::DataConfig;
using bev::save::EncodedRows;
using bev::save::Manifest;
using bev::test::error_code;
using bev::test::file_text;
using bev::test::FileSizeLimit;
using bev::test::MadeBatch;
using bev::test::small_config;
using bev::test::TempFolder;
namespace fs = std::filesystem;

namespace {

/// Encodes rows [first, first + rows) of an attribute.
EncodedRows rows_of(const DataConfig& config, std::size_t attribute,
                    std::uint64_t first, std::uint64_t rows) {
  MadeBatch made(config, first, rows);
  return {first, rows,
          encode_rows(config, config.attributes()[attribute], made.bytes(attribute))};
}

/// Puts rows [first, first + rows) of both attributes.
void put(PartWriter& part, const DataConfig& config, std::uint64_t first,
         std::uint64_t rows, bool is_rest) {
  for (std::size_t i = 0; i < 2; ++i) {
    part.put(i, rows_of(config, i, first, rows), is_rest);
  }
}

/// Returns a journal of so many rows in chunks of 20.
Manifest journal_of(const DataConfig& config, std::uint64_t rows) {
  Manifest out;
  out.config = config.fingerprint();
  out.rows = rows;
  out.batches = rows / 10;
  out.arrays.resize(2);
  for (auto& array : out.arrays) {
    if (rows >= 20) array.chunk_rows = 20;
  }
  return out;
}

/// Identity and time of the last change of a file.
std::pair<ino_t, std::int64_t> version_of(const fs::path& path) {
  struct stat found {};
  REQUIRE(::stat(path.c_str(), &found) == 0);
  return {found.st_ino, found.st_mtim.tv_sec * 1'000'000'000 + found.st_mtim.tv_nsec};
}

}  // namespace

TEST_SUITE("native/save/part_writer") {
  TEST_CASE("a part opened again has the journal's objects, and no others") {
    const TempFolder at;
    const auto config = small_config();
    const auto folder = at.path() / "000000";
    {
      PartWriter part(folder, config, 0);
      CHECK(part.journal().rows == 0);
      put(part, config, 0, 20, false);
      put(part, config, 20, 5, true);
      part.write_journal(journal_of(config, 25));
      put(part, config, 25, 5, false);  // in no journal
      CHECK(fs::exists(folder / "image/25-5"));
    }
    const PartWriter part(folder, config, 0);
    CHECK(part.journal().rows == 25);
    CHECK(part.journal().arrays[0].objects.size() == 2);
    CHECK(fs::exists(folder / "image/0-20"));
    CHECK_FALSE(fs::exists(folder / "image/25-5"));
    MadeBatch rest(config, 20, 5);
    CHECK((part.read_rest(0) == rest.bytes(0)));
    CHECK((part.read_rest(1) == rest.bytes(1)));
  }

  TEST_CASE("objects that the journal names are never written again") {
    const TempFolder at;
    const auto config = small_config();
    const auto folder = at.path() / "000000";
    PartWriter part(folder, config, 0);
    put(part, config, 0, 5, true);
    part.write_journal(journal_of(config, 5));
    const auto before = version_of(folder / "image/0-5");
    part.drop_rest();
    put(part, config, 0, 5, true);
    CHECK(version_of(folder / "image/0-5") == before);
    auto other = rows_of(config, 0, 7, 5);
    other.first = 0;
    CHECK(error_code([&] { part.put(0, other, true); }) == Errc::invalid_metadata);
    CHECK(version_of(folder / "image/0-5") == before);
    part.write_journal(journal_of(config, 5));
    CHECK(fs::exists(folder / "image/0-5"));
  }

  TEST_CASE("the rest of one journal is removed by the next") {
    const TempFolder at;
    const auto config = small_config();
    const auto folder = at.path() / "000000";
    PartWriter part(folder, config, 0);
    put(part, config, 0, 5, true);
    part.write_journal(journal_of(config, 5));
    part.drop_rest();
    put(part, config, 0, 9, true);
    CHECK(fs::exists(folder / "image/0-5"));  // until the journal is replaced
    part.write_journal(journal_of(config, 9));
    CHECK_FALSE(fs::exists(folder / "image/0-5"));
    CHECK(fs::exists(folder / "image/0-9"));
  }

  TEST_CASE("a part has one writer, and one number") {
    const TempFolder at;
    const auto config = small_config();
    const auto folder = at.path() / "000000";
    {
      PartWriter part(folder, config, 0);
      CHECK(error_code([&] { PartWriter(folder, config, 0); }) ==
            Errc::invalid_argument);
      put(part, config, 0, 5, true);
      part.write_journal(journal_of(config, 5));
    }
    CHECK(error_code([&] { PartWriter(folder, config, 1); }) == Errc::invalid_metadata);
    CHECK(error_code([&] { PartWriter(folder, small_config(5000), 0); }) ==
          Errc::invalid_metadata);
    PartWriter part(folder, config, 0);
    part.remove();
    CHECK_FALSE(fs::exists(folder));
  }

  TEST_CASE("a write that fails is an error, and leaves the last journal") {
    const TempFolder at;
    const auto config = small_config();
    const auto folder = at.path() / "000000";
    PartWriter part(folder, config, 0);
    put(part, config, 0, 5, true);
    part.write_journal(journal_of(config, 5));
    const auto journal = file_text(folder / "manifest.json");
    {
      const FileSizeLimit limit(100);
      CHECK(error_code([&] { put(part, config, 5, 9, true); }) == Errc::io);
      CHECK(error_code([&] { part.write_journal(journal_of(config, 5)); }) == Errc::io);
    }
    CHECK_FALSE(fs::exists(folder / "image/5-9"));
    CHECK(file_text(folder / "manifest.json") == journal);
    CHECK(part.journal().rows == 5);
  }

  TEST_CASE("an object removed before the journal is written is an error") {
    const TempFolder at;
    const auto config = small_config();
    const auto folder = at.path() / "000000";
    PartWriter part(folder, config, 0);
    put(part, config, 0, 5, true);
    fs::remove(folder / "label/0-5");
    CHECK(error_code([&] { part.write_journal(journal_of(config, 5)); }) == Errc::io);
    CHECK_FALSE(fs::exists(folder / "manifest.json"));
  }

  TEST_CASE("objects are compared with the journal when they are read") {
    const TempFolder at;
    const auto config = small_config();
    const auto& schema = config.attributes()[0];
    const auto folder = at.path() / "000000";
    PartWriter part(folder, config, 0);
    put(part, config, 0, 5, true);
    part.write_journal(journal_of(config, 5));
    const auto object = part.journal().arrays[0].objects[0];
    CHECK(read_object(folder, schema, object) == rows_of(config, 0, 0, 5).bytes);
    auto text = file_text(folder / "image/0-5");
    text[7] = static_cast<char>(text[7] ^ 1);
    at.write("000000/image/0-5", text);
    CHECK(error_code([&] { read_object(folder, schema, object); }) ==
          Errc::corrupt_chunk);
    CHECK(error_code([&] { static_cast<void>(part.read_rest(0)); }) ==
          Errc::corrupt_chunk);
    fs::resize_file(folder / "image/0-5", 3);
    CHECK(error_code([&] { read_object(folder, schema, object); }) ==
          Errc::corrupt_chunk);
    fs::remove(folder / "image/0-5");
    CHECK(error_code([&] { read_object(folder, schema, object); }) ==
          Errc::missing_key);
  }
}
