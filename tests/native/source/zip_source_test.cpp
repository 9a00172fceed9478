#include "native/source/zip_source.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "core/base/error.hpp"
#include "native/serve/server.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/zip_writer.hpp"

namespace zip_source_test {

using bev::ByteRange;
using bev::Errc;
using bev::Error;
using bev::native::find_array;
using bev::native::open_source;
using bev::test::TempFolder;
using bev::test::ZipWriter;

namespace {

std::string text(const std::optional<std::vector<std::byte>>& bytes) {
  REQUIRE(bytes);
  return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

const std::string kChunk(3000, 'x');

/// Returns an archive with a store of one array below `prefix`, with stored and
/// deflated chunks.
std::string archive(const std::string& prefix) {
  ZipWriter zip;
  zip.add("readme", "not ours", false);
  zip.add(prefix + ".zgroup", "{}", false);
  zip.add(prefix + "x/.zarray", "{}", true);
  zip.add(prefix + "x/0", "0123456789" + kChunk, false);
  zip.add(prefix + "x/1", "9876543210" + kChunk, true);
  return zip.finish();
}

}  // namespace

TEST_SUITE("native/source/zip_source") {
  TEST_CASE("reads members whole and by range, stored and deflated") {
    for (const auto* prefix : {"", "town.zarr/", "a/b/"}) {
      CAPTURE(prefix);
      const TempFolder folder;
      folder.write("t.zip", archive(prefix));
      const auto source = open_source(folder.at("t.zip"));
      CHECK(text(source->read("x/0", std::nullopt)) == "0123456789" + kChunk);
      CHECK(text(source->read("x/1", std::nullopt)) == "9876543210" + kChunk);
      CHECK(text(source->read("x/0", ByteRange{2, 5})) == "234");
      CHECK(text(source->read("x/1", ByteRange{2, 5})) == "765");
      CHECK(text(source->read("x/0", ByteRange{3005, 9000})) == "xxxxx");
      CHECK(text(source->read("x/1", ByteRange{3005, 9000})) == "xxxxx");
      CHECK_FALSE(source->read("x/2", std::nullopt));
      CHECK(source->size("x/0") == 3010);
      const auto listed = source->list("x/");
      REQUIRE(listed);
      CHECK(listed->size() == 3);
      CHECK(listed->at(1).key == "x/0");
    }
  }

  TEST_CASE("reads many members at a time, each once") {
    const TempFolder folder;
    folder.write("t.zip", archive(""));
    const auto source = open_source(folder.at("t.zip"));
    const std::vector<bev::ReadRequest> wanted{
        {"x/0", ByteRange{1, 3}}, {"x/9"}, {"x/1"}, {"x/0"}};
    std::vector<std::string> got(wanted.size());
    source->read_all(wanted, [&](const auto& request, auto bytes) {
      got[static_cast<std::size_t>(&request - wanted.data())] =
          bytes ? text(bytes) : "absent";
    });
    CHECK(got == std::vector<std::string>{"12", "absent", "9876543210" + kChunk,
                                          "0123456789" + kChunk});
  }

  TEST_CASE("an array in an archive has an address") {
    const TempFolder folder;
    folder.write("t.zip", archive("town.zarr/"));
    const auto found = find_array(folder.at("t.zip/x"));
    CHECK(found.dataset == folder.at("t.zip"));
    CHECK(found.array == "x");
    const auto message = folder.at("t.zip") + ": a group (expected an array in it: x)";
    CHECK_THROWS_WITH_AS(find_array(folder.at("t.zip")), message.c_str(), Error);
    CHECK_THROWS_AS(find_array(folder.at("t.zip/y")), Error);
  }

  TEST_CASE("non-archives and archives without a store are typed errors") {
    const TempFolder folder;
    folder.write("broken.zip", "PK and no more");
    ZipWriter other;
    other.add("a", "b", false);
    folder.write("other.zip", other.finish());
    const auto code = [&](const char* name) {
      try {
        open_source(folder.at(name));
      } catch (const Error& error) {
        return error.code();
      }
      return Errc::internal;
    };
    CHECK(code("broken.zip") == Errc::corrupt_chunk);
    CHECK(code("other.zip") == Errc::missing_key);
    CHECK(code("gone.zip") == Errc::not_found);
  }

  TEST_CASE("reads archives over HTTP") {
    const TempFolder folder;
    folder.write("t.zip", archive("town.zarr/"));
    const bev::serve::Site site(folder.path().string(), "");
    bev::serve::Server server(site);
    const auto url =
        "http://127.0.0.1:" + std::to_string(server.port()) + "/data/t.zip";
    const auto source = open_source(url + "?signed");
    CHECK(text(source->read("x/0", ByteRange{2, 5})) == "234");
    CHECK(text(source->read("x/1", std::nullopt)) == "9876543210" + kChunk);
    CHECK(source->list("x/")->size() == 3);
    const auto found = find_array(url + "/x");
    CHECK(found.dataset == url);
    CHECK(found.array == "x");
  }
}

}  // namespace zip_source_test
