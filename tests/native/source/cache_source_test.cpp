#include "native/source/cache_source.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "native/source/http_source.hpp"
#include "tests/support/object_server.hpp"
#include "tests/support/temp_folder.hpp"

namespace cache_source_test {

using bev::ByteRange;
using bev::CacheOptions;
using bev::Errc;
using bev::Error;
using bev::native::CacheSource;
using bev::native::HttpSettings;
using bev::native::HttpSource;
using bev::test::ObjectServer;
using bev::test::ServedObject;
using bev::test::TempFolder;

namespace {

namespace fs = std::filesystem;

const HttpSettings kQuick{.silence_timeout_s = 5, .retries = 0, .first_delay_ms = 1};
const std::string kBody = "0123456789abcdefghij";

std::string etag(const std::string& value) {
  return "ETag: \"" + value + "\"\r\n";
}

/// A data set at /a: a document and four chunks with ETags.
ObjectServer::Objects data_set() {
  ObjectServer::Objects objects{{"/a/x/.zarray", {"{}", etag("doc")}}};
  for (int i = 0; i < 4; ++i) {
    const auto name = std::to_string(i);
    objects["/a/x/" + name] = {kBody + name, etag(name)};
  }
  return objects;
}

/// One visit: a new source with the cache in `folder`.
std::unique_ptr<CacheSource> visit(const ObjectServer& server, const TempFolder& folder,
                                   CacheOptions settings = {}) {
  settings.folder = folder.path().string();
  return std::make_unique<CacheSource>(
      std::make_unique<HttpSource>(server.origin() + "/a", kQuick),
      std::move(settings));
}

std::string text(const std::optional<std::vector<std::byte>>& bytes) {
  if (!bytes) return "absent";
  return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

std::string read(bev::native::Source& source, const std::string& key,
                 const std::optional<ByteRange>& range = std::nullopt) {
  return text(source.read(key, range));
}

/// Reads the document and all chunks of data_set() in one round.
void read_all(bev::native::Source& source) {
  std::vector<bev::ReadRequest> requests{{"x/.zarray"}};
  for (int i = 0; i < 4; ++i) requests.push_back({"x/" + std::to_string(i)});
  int answers = 0;
  source.read_all(requests, [&](const auto& request, auto bytes) {
    const bool is_document = request.key == "x/.zarray";
    CHECK(text(bytes) == (is_document ? "{}" : kBody + request.key.back()));
    ++answers;
  });
  CHECK(answers == 5);
}

std::vector<fs::path> entries_in(const TempFolder& folder) {
  std::vector<fs::path> found;
  for (const auto& one : fs::recursive_directory_iterator(folder.path())) {
    if (one.is_regular_file() && one.path().filename() != "ledger") {
      found.push_back(one.path());
    }
  }
  return found;
}

void rewrite(const fs::path& file, const std::string& content) {
  std::FILE* out = std::fopen(file.c_str(), "wb");
  REQUIRE(out != nullptr);
  std::fwrite(content.data(), 1, content.size(), out);
  std::fclose(out);
}

}  // namespace

TEST_SUITE("native/source/cache_source") {
  TEST_CASE("a second epoch fetches nothing, a second run only validates") {
    ObjectServer server(data_set());
    const TempFolder folder;
    const auto first = visit(server, folder);
    read_all(*first);
    auto served = server.taken();
    CHECK(served.documents == 1);
    CHECK(served.gets == 4);
    CHECK(served.heads == 0);
    auto counters = *first->cache_counters();
    CHECK(counters.misses == 4);
    CHECK(counters.hits == 0);
    CHECK(counters.fetched_bytes == served.bytes);

    read_all(*first);
    served = server.taken();
    CHECK(served.documents == 1);
    CHECK(served.gets + served.heads == 0);
    counters = *first->cache_counters();
    CHECK(counters.hits == 4);
    CHECK(counters.cached_bytes == 4 * (kBody.size() + 1));

    const auto second = visit(server, folder);
    read_all(*second);
    served = server.taken();
    CHECK(served.documents == 1);
    CHECK(served.gets == 0);
    CHECK(served.heads == 4);
    counters = *second->cache_counters();
    CHECK(counters.hits == 4);
    CHECK(counters.misses == 0);
    CHECK(counters.validations == 4);
    CHECK(counters.fetched_bytes == served.bytes);
    CHECK(counters.refused == 0);
  }

  TEST_CASE("the query of the URL is not part of the key") {
    ObjectServer server(data_set());
    const TempFolder folder;
    read_all(*visit(server, folder));
    server.taken();
    CacheSource signed_source(
        std::make_unique<HttpSource>(server.origin() + "/a?signature=1", kQuick),
        {.folder = folder.path().string()});
    CHECK(read(signed_source, "x/1") == kBody + "1");
    CHECK(server.taken().gets == 0);
  }

  TEST_CASE("an entry with any flipped byte is fetched again and replaced") {
    ObjectServer server(data_set());
    const TempFolder folder;
    CHECK(read(*visit(server, folder), "x/0") == kBody + "0");
    const auto file = entries_in(folder).at(0);
    const auto good = bev::test::file_text(file.string());
    for (std::size_t at = 0; at < good.size(); ++at) {
      CAPTURE(at);
      auto bad = good;
      bad[at] = static_cast<char>(bad[at] ^ 0x20);
      rewrite(file, bad);
      server.taken();
      CHECK(read(*visit(server, folder), "x/0") == kBody + "0");
      CHECK(server.taken().gets == 1);
      CHECK(bev::test::file_text(file.string()) == good);
    }
  }

  TEST_CASE("an entry that is truncated or too long is fetched again") {
    ObjectServer server(data_set());
    const TempFolder folder;
    CHECK(read(*visit(server, folder), "x/0") == kBody + "0");
    const auto file = entries_in(folder).at(0);
    const auto good = bev::test::file_text(file.string());
    for (std::size_t size = 0; size <= good.size() + 1; ++size) {
      if (size == good.size()) continue;
      CAPTURE(size);
      rewrite(file, (good + "x").substr(0, size));
      server.taken();
      CHECK(read(*visit(server, folder), "x/0") == kBody + "0");
      CHECK(server.taken().gets == 1);
    }
  }

  TEST_CASE("an entry under another entry's name is not used") {
    ObjectServer server(data_set());
    const TempFolder folder;
    CHECK(read(*visit(server, folder), "x/0") == kBody + "0");
    const auto first = entries_in(folder).at(0);
    CHECK(read(*visit(server, folder), "x/1") == kBody + "1");
    for (const auto& other : entries_in(folder)) {
      if (other != first) rewrite(first, bev::test::file_text(other.string()));
    }
    CHECK(read(*visit(server, folder), "x/0") == kBody + "0");
  }

  TEST_CASE("a changed object is fetched again and its old entry removed") {
    const std::string newer = kBody + "N";
    struct Change {
      std::string before, after;
    };
    for (const auto& change :
         std::vector<Change>{{etag("a"), etag("b")},
                             {"Last-Modified: Mon\r\n", "Last-Modified: Tue\r\n"},
                             {etag("a") + "Last-Modified: Mon\r\n",
                              etag("b") + "Last-Modified: Mon\r\n"}}) {
      CAPTURE(change.after);
      ObjectServer server({{"/a/x/0", {kBody + "0", change.before}}});
      const TempFolder folder;
      CHECK(read(*visit(server, folder), "x/0") == kBody + "0");
      server.set("/a/x/0", {newer, change.after});
      CHECK(read(*visit(server, folder), "x/0") == newer);
      CHECK(entries_in(folder).size() == 1);
      server.taken();
      CHECK(read(*visit(server, folder), "x/0") == newer);
      CHECK(server.taken().gets == 0);
    }
  }

  TEST_CASE("another length is a change even if the ETag is equal") {
    ObjectServer server({{"/a/x/0", {"short", etag("a")}}});
    const TempFolder folder;
    CHECK(read(*visit(server, folder), "x/0") == "short");
    server.set("/a/x/0", {"much longer", etag("a")});
    CHECK(read(*visit(server, folder), "x/0") == "much longer");
  }

  TEST_CASE("without a validator, length and metadata must be equal") {
    ObjectServer server({{"/a/x/.zarray", {"{}", ""}}, {"/a/x/0", {"old bytes", ""}}});
    const TempFolder folder;
    const auto run = [&] {
      const auto source = visit(server, folder);
      read(*source, "x/.zarray");
      server.taken();
      return read(*source, "x/0");
    };
    CHECK(run() == "old bytes");
    CHECK(run() == "old bytes");
    CHECK(server.taken().gets == 0);
    server.set("/a/x/.zarray", {"{ }", ""});
    server.set("/a/x/0", {"new bytes", ""});
    CHECK(run() == "new bytes");
    server.set("/a/x/0", {"longer bytes", ""});
    CHECK(run() == "longer bytes");
  }

  TEST_CASE("without validator and metadata, nothing is stored") {
    ObjectServer server({{"/a/town.zip", {"bytes of an archive", ""}}});
    const TempFolder folder;
    CHECK(read(*visit(server, folder), "town.zip") == "bytes of an archive");
    CHECK(entries_in(folder).empty());
    server.set("/a/town.zip", {"other bytes, as long", ""});
    CHECK(read(*visit(server, folder), "town.zip") == "other bytes, as long");
  }

  TEST_CASE("documents, absent objects and failed reads are not stored") {
    ObjectServer server(data_set());
    const TempFolder folder;
    const auto source = visit(server, folder);
    CHECK(read(*source, "x/.zarray") == "{}");
    CHECK(read(*source, "x/9") == "absent");
    server.set_failure("500 Broken");
    CHECK_THROWS_AS(read(*source, "x/1"), Error);
    CHECK(entries_in(folder).empty());
    server.set_failure("");
    server.set("/a/x/9", {"now there", etag("9")});
    CHECK(read(*source, "x/9") == "now there");
    CHECK(read(*source, "x/1") == kBody + "1");
  }

  TEST_CASE("an object that cannot be validated is fetched") {
    ObjectServer server(data_set());
    const TempFolder folder;
    read_all(*visit(server, folder));
    for (const auto* status : {"405 Not Allowed", "403 Forbidden", "500 Broken"}) {
      CAPTURE(status);
      server.set_head_status(status);
      server.taken();
      read_all(*visit(server, folder));
      CHECK(server.taken().gets == 4);
    }
    server.set_head_status("");
    server.taken();
    read_all(*visit(server, folder));
    CHECK(server.taken().gets == 0);
  }

  TEST_CASE("a removed object is absent though it is stored") {
    ObjectServer server(data_set());
    const TempFolder folder;
    read_all(*visit(server, folder));
    server.remove("/a/x/2");
    CHECK(read(*visit(server, folder), "x/2") == "absent");
  }

  TEST_CASE("an object that changes after its validation is an error") {
    ObjectServer server(data_set());
    const TempFolder folder;
    CHECK(read(*visit(server, folder), "x/0", ByteRange{0, 8}) == "01234567");
    const auto source = visit(server, folder);
    CHECK(read(*source, "x/0", ByteRange{0, 8}) == "01234567");
    server.set("/a/x/0", {"ABCDEFGHIJKLMNOPQRSTU", etag("new")});
    try {
      read(*source, "x/0", ByteRange{4, 12});
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(error.code() == Errc::changed);
    }
  }
}

TEST_SUITE("native/source/cache_source ranges") {
  TEST_CASE("only the bytes that are not stored are fetched") {
    ObjectServer server(data_set());
    const TempFolder folder;
    const auto first = visit(server, folder);
    CHECK(read(*first, "x/0", ByteRange{2, 6}) == "2345");
    CHECK(read(*first, "x/0", ByteRange{10, 12}) == "ab");
    server.taken();
    const auto again = visit(server, folder);
    CHECK(read(*again, "x/0", ByteRange{3, 5}) == "34");
    CHECK(read(*again, "x/0", ByteRange{2, 12}) == "23456789ab");
    auto served = server.taken();
    CHECK(served.heads == 1);
    CHECK(served.gets == 1);
    CHECK(served.bytes == 4);
    CHECK(again->cache_counters()->cached_bytes == 8);
    CHECK(again->cache_counters()->fetched_bytes == 4);
    CHECK(read(*again, "x/0") == kBody + "0");  // 0 to 2 and 12 to the end are missing
    CHECK(server.taken().gets == 1);
    CHECK(read(*visit(server, folder), "x/0") == kBody + "0");
    CHECK(server.taken().gets == 0);
  }

  TEST_CASE("a whole object answers ranges, also past its end") {
    ObjectServer server(data_set());
    const TempFolder folder;
    read_all(*visit(server, folder));
    server.taken();
    const auto source = visit(server, folder);
    CHECK(read(*source, "x/3", ByteRange{18, 99}) == "ij3");
    CHECK(read(*source, "x/3", ByteRange{50, 99}).empty());
    CHECK(source->size("x/3") == kBody.size() + 1);
    CHECK(server.taken().gets == 0);
  }

  TEST_CASE("1,000 random ranges of random objects are equal to the server's bytes") {
    std::string long_object;
    for (int i = 0; i < 3'000; ++i) long_object += static_cast<char>(i * 31 + i / 256);
    ObjectServer server({{"/a/x/0", {long_object, etag("a")}}});
    const TempFolder folder;
    std::uint32_t random = 7;
    const auto below = [&](std::uint32_t end) {
      random = random * 1'664'525 + 1'013'904'223;
      return (random >> 8) % end;
    };
    auto source = visit(server, folder);
    std::uint64_t requested = 0;
    for (int i = 0; i < 1'000; ++i) {
      if (i % 100 == 0) source = visit(server, folder);
      const auto begin = below(3'100);
      const ByteRange range{begin, begin + 1 + below(200)};
      const auto expected =
          begin < long_object.size() ? long_object.substr(begin, range.size()) : "";
      CHECK(read(*source, "x/0", range) == expected);
      requested += expected.size();
    }
    CHECK(server.taken().bytes < requested / 10);
  }

  TEST_CASE("long objects are stored in segments that are found one by one") {
    std::string object(9 << 20, 'x');
    for (std::size_t i = 0; i < object.size(); i += 977) {
      object[i] = static_cast<char>(i / 977);
    }
    ObjectServer server({{"/a/x/0", {object, etag("a")}}});
    const TempFolder folder;
    CHECK(read(*visit(server, folder), "x/0") == object);
    CHECK(entries_in(folder).size() == 3);
    server.taken();
    const ByteRange range{(4 << 20) - 10, (8 << 20) + 10};
    CHECK(read(*visit(server, folder), "x/0", range) ==
          object.substr(range.begin, range.size()));
    CHECK(read(*visit(server, folder), "x/0") == object);
    CHECK(server.taken().gets == 0);
  }
}

TEST_SUITE("native/source/cache_source limits") {
  TEST_CASE("a folder that cannot be written is reported once and fails no read") {
    ObjectServer server(data_set());
    const TempFolder folder;
    folder.write("file", "");
    std::vector<std::string> problems;
    CacheSource source(
        std::make_unique<HttpSource>(server.origin() + "/a", kQuick),
        {.folder = folder.at("file/below"),
         .on_problem = [&](const std::string& text) { problems.push_back(text); }});
    read_all(source);
    read_all(source);
    REQUIRE(problems.size() == 1);
    CHECK(problems[0] ==
          "cache " + folder.at("file/below") +
              ": write failed: Not a directory; reading without storing");
    CHECK(server.taken().gets == 8);
    CHECK(source.cache_counters()->refused == 8);
    CHECK(source.cache_counters()->misses == 8);
  }

  TEST_CASE("an object longer than the limit is not stored, and evicts nothing") {
    auto objects = data_set();
    objects["/a/x/big"] = {std::string(5'000, 'b'), etag("big")};
    ObjectServer server(std::move(objects));
    const TempFolder folder;
    const auto source = visit(server, folder, {.folder = {}, .limit = 2'000});
    read_all(*source);
    CHECK(read(*source, "x/big").size() == 5'000);
    CHECK(entries_in(folder).size() == 4);
    CHECK(source->cache_counters()->refused == 1);
    CHECK(source->cache_counters()->evictions == 0);
  }

  TEST_CASE("forget removes a damaged object") {
    ObjectServer server({{"/a/x/0", {"damaged on the way", etag("a")}}});
    const TempFolder folder;
    const auto source = visit(server, folder);
    read(*source, "x/0");
    server.set("/a/x/0", {"as on the server..", etag("a")});
    CHECK(read(*source, "x/0") == "damaged on the way");
    source->forget("x/0");
    CHECK(entries_in(folder).empty());
    CHECK(read(*source, "x/0") == "as on the server..");
    CHECK(read(*visit(server, folder), "x/0") == "as on the server..");
  }
}

}  // namespace cache_source_test
