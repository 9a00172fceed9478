#include "core/zip/zip_sink.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "core/base/error.hpp"
#include "tests/support/zip_reader.hpp"

using bev::test::ZipReader;
using bev::zip::ZipSink;

namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

struct Archive {
  std::vector<std::byte> bytes;
  ZipSink sink{[this](std::span<const std::byte> more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
  }};
};

}  // namespace

TEST_SUITE("zip/zip_sink") {
  TEST_CASE("members are contiguous and read back unchanged") {
    Archive archive;
    const std::string chunk(100'000, 'c');
    archive.sink.put(".zgroup", bytes_of("{}"));
    archive.sink.put("agents/0", bytes_of(chunk));
    archive.sink.put("agents/1", {});
    archive.sink.finish();
    ZipReader reader(archive.bytes);
    CHECK(reader.directory.members().size() == 3);
    CHECK(reader.read(".zgroup") == "{}");
    CHECK(reader.read("agents/0") == chunk);
    CHECK(reader.read("agents/1") == "");
    CHECK(reader.read("agents/0", bev::ByteRange{7, 17}) == "cccccccccc");
    CHECK_FALSE(reader.whole);
  }

  TEST_CASE("the later of two equal keys wins") {
    Archive archive;
    archive.sink.put("a", bytes_of("old"));
    archive.sink.put("a", bytes_of("newer"));
    archive.sink.finish();
    CHECK(ZipReader(archive.bytes).read("a") == "newer");
  }

  TEST_CASE("an empty archive has no members") {
    Archive archive;
    archive.sink.finish();
    CHECK(ZipReader(archive.bytes).directory.members().empty());
  }

  TEST_CASE("more than 65,535 members require zip64") {
    Archive archive;
    for (int i = 0; i < 65'535; ++i) archive.sink.put(std::to_string(i), {});
    archive.sink.put("last", bytes_of("here"));
    archive.sink.finish();
    ZipReader reader(archive.bytes);
    CHECK(reader.directory.members().size() == 65'536);
    CHECK(reader.read("last") == "here");
  }

  TEST_CASE("a name longer than its field is an error") {
    Archive archive;
    CHECK_THROWS_AS(archive.sink.put(std::string(70'000, 'a'), {}), bev::Error);
  }
}
