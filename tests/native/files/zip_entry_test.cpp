#include "native/files/zip_entry.hpp"

#include <doctest/doctest.h>

#include <optional>

#include "core/base/error.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/zip_writer.hpp"

namespace zip_entry_test {

using bev::Errc;
using bev::Error;
using bev::native::File;
using bev::native::read_zip_entry;
using bev::test::TempFolder;
using bev::test::ZipWriter;

namespace {

std::string read(const std::string& zip, const std::string& entry) {
  const TempFolder folder;
  const auto file = File::open(folder.write("a.zip", zip), "a.zip");
  const auto bytes = read_zip_entry(*file, "a.zip", entry);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::optional<Errc> code_of(const std::string& zip, const std::string& entry = "b") {
  try {
    read(zip, entry);
  } catch (const Error& error) {
    return error.code();
  }
  return std::nullopt;
}

std::string two_entries() {
  ZipWriter zip;
  zip.add("a", "stored", false);
  zip.add("b", std::string(5000, 'x') + "deflated", true);
  return zip.finish();
}

}  // namespace

TEST_SUITE("native/files/zip_entry") {
  TEST_CASE("an entry is read, stored or deflated") {
    CHECK(read(two_entries(), "a") == "stored");
    CHECK(read(two_entries(), "b") == std::string(5000, 'x') + "deflated");
  }

  TEST_CASE("a comment may follow") {
    auto zip = two_entries();
    zip[zip.size() - 2] = 100;  // its length
    CHECK(read(zip + std::string(100, '#'), "a") == "stored");
  }

  TEST_CASE("an unknown name is not_found") {
    CHECK(code_of(two_entries(), "c") == Errc::not_found);
  }

  TEST_CASE("other and truncated files are errors") {
    CHECK(code_of("") == Errc::corrupt_chunk);
    CHECK(code_of(std::string(100'000, 'z')) == Errc::corrupt_chunk);
    const auto zip = two_entries();
    for (std::size_t size = 0; size < zip.size(); ++size) {
      CHECK(code_of(zip.substr(0, size)).has_value());
    }
  }

  TEST_CASE("a flipped bit gives an error or the same bytes, never other bytes") {
    const auto zip = two_entries();
    const auto expected = read(zip, "b");
    for (std::size_t bit = 0; bit < 8 * zip.size(); bit += 3) {
      auto damaged = zip;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
      if (!code_of(damaged)) CHECK(read(damaged, "b") == expected);
    }
  }

  TEST_CASE("an impossible size is rejected before allocation") {
    auto zip = two_entries();
    const auto entry = zip.rfind("PK\x01\x02");
    for (std::size_t i = 0; i < 4; ++i) zip[entry + 24 + i] = '\x7f';
    CHECK(code_of(zip) == Errc::corrupt_chunk);
  }
}

}  // namespace zip_entry_test
