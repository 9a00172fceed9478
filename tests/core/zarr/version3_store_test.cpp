#include "core/zarr/version3_store.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/zarr/array_writer.hpp"
#include "core/zarr/encode.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/records.hpp"

namespace version3_store_test {

using bev::Engine;
using bev::Errc;
using bev::NewStore;
using bev::test::error_code;
using bev::test::MemoryStore;
using namespace bev::zarr;
using nlohmann::json;

namespace {

constexpr std::size_t kRowBytes = 6;  // two <i2 and a <u2

/// What a store got, and in which order.
struct Written {
  MemoryStore store;
  std::vector<std::string> keys;
  bool committed = false;
};

class Recorder final : public NewStore {
 public:
  explicit Recorder(Written& written) : written_(written) {}

  void put(std::string_view key, std::span<const std::byte> bytes) override {
    written_.store.put(key, bytes);
    written_.keys.emplace_back(key);
  }

  void commit() override { written_.committed = true; }

 private:
  Written& written_;
};

ArrayMeta meta_of(const json& dtype, std::vector<std::uint64_t> inner) {
  ArrayMeta meta;
  meta.shape = {0};
  meta.chunks = {4};
  meta.shape.insert(meta.shape.end(), inner.begin(), inner.end());
  meta.chunks.insert(meta.chunks.end(), inner.begin(), inner.end());
  meta.dtype = parse_dtype(dtype, "test");
  meta.compressor = compressor_named("none", std::nullopt);
  meta.fill.resize(meta.dtype.size());
  return meta;
}

std::vector<std::byte> random_bytes(std::size_t size) {
  bev::test::Random random(1);
  std::vector<std::byte> out(size);
  for (auto& byte : out) byte = static_cast<std::byte>(random.below(256));
  return out;
}

void put_text(NewStore& store, const std::string& key, const json& document) {
  const auto text = document.dump();
  store.put(key, std::as_bytes(std::span(text)));
}

/// Writes the arrays a/x (two numbers per row) and a/s, and attributes.
void write_rows(NewStore& store, std::span<const std::byte> rows) {
  ArrayWriter numbers(store, "a/x", meta_of("<i2", {2}));
  ArrayWriter flags(store, "a/y", meta_of("<u2", {}));
  for (std::size_t at = 0; at < rows.size(); at += kRowBytes) {
    numbers.append(rows.subspan(at, 4));
    flags.append(rows.subspan(at + 4, 2));
  }
  numbers.close();
  flags.close();
  put_text(store, "a/.zgroup", {{"zarr_format", 2}});
  put_text(store, "a/x/.zattrs", {{"unit", "m"}});
  put_text(store, ".zgroup", {{"zarr_format", 2}});
  put_text(store, ".zattrs", {{"name", "rows"}});
  put_text(store, ".zmetadata", json::object());
  put_text(store, ".bevscope/statistics.json", json::object());
}

std::vector<std::byte> read_rows(const MemoryStore& store, const std::string& array,
                                 std::int64_t count) {
  Engine engine;
  bev::test::run(engine, *engine.open(), store);
  const auto query = engine.rows({.array = array, .begin = 0, .end = count});
  const auto bytes = bev::test::run(engine, *query, store).arrays.front().bytes;
  return {bytes.begin(), bytes.end()};
}

}  // namespace

TEST_SUITE("zarr/version3_store") {
  TEST_CASE("rows are read again, in shards and without, of any length") {
    for (const std::uint64_t per_shard : {0U, 1U, 2U, 3U, 100U}) {
      for (const std::size_t count : {1U, 4U, 5U, 23U, 24U, 25U}) {
        const auto rows = random_bytes(count * kRowBytes);
        Written written;
        Version3Store store(std::make_unique<Recorder>(written), per_shard);
        write_rows(store, rows);
        CHECK_FALSE(written.committed);
        store.commit();
        CHECK(written.committed);
        const auto length = static_cast<std::int64_t>(count);
        const auto numbers = read_rows(written.store, "a/x", length);
        const auto flags = read_rows(written.store, "a/y", length);
        REQUIRE(numbers.size() == count * 4);
        REQUIRE(flags.size() == count * 2);
        for (std::size_t i = 0; i < rows.size(); ++i) {
          const auto row = i / kRowBytes;
          const auto at = i % kRowBytes;
          CHECK(rows[i] == (at < 4 ? numbers[row * 4 + at] : flags[row * 2 + at - 4]));
        }
      }
    }
  }

  TEST_CASE("shards have so many chunks, and full ones are written at once") {
    Written written;
    Version3Store store(std::make_unique<Recorder>(written), 2);
    write_rows(store, random_bytes(23 * kRowBytes));  // 6 chunks
    CHECK(written.keys == std::vector<std::string>{"a/x/c/0/0", "a/y/c/0", "a/x/c/1/0",
                                                   "a/y/c/1", "a/x/c/2/0", "a/y/c/2",
                                                   ".bevscope/statistics.json"});
    store.commit();
    CHECK(written.keys.size() == 11);
  }

  TEST_CASE("the root's metadata is written last, with that of all nodes") {
    Written written;
    Version3Store store(std::make_unique<Recorder>(written), 0);
    write_rows(store, random_bytes(kRowBytes));
    store.commit();
    CHECK(written.keys.back() == "zarr.json");
    const auto document = [&](const std::string& key) {
      const auto& bytes = written.store.objects.at(key);
      return json::parse(reinterpret_cast<const char*>(bytes.data()),
                         reinterpret_cast<const char*>(bytes.data()) + bytes.size());
    };
    const auto root = document("zarr.json");
    CHECK(root["attributes"] == json{{"name", "rows"}});
    CHECK(root["node_type"] == "group");
    const auto& nodes = root["consolidated_metadata"]["metadata"];
    CHECK(nodes.size() == 3);
    for (const auto* path : {"a", "a/x", "a/y"}) {
      CHECK(nodes[path] == document(std::string(path) + "/zarr.json"));
    }
    CHECK(nodes["a/x"]["attributes"] == json{{"unit", "m"}});
    for (const auto& key : written.keys) CHECK(key.find(".z") == key.npos);
  }

  TEST_CASE("a chunk cannot be written twice to shards") {
    Written written;
    Version3Store store(std::make_unique<Recorder>(written), 2);
    const auto bytes = random_bytes(8);
    store.put("x/0", bytes);
    const auto put = [&](const char* key) {
      return error_code([&] { store.put(key, bytes); });
    };
    CHECK(put("x/0") == Errc::invalid_argument);
    store.put("x/1", bytes);
    CHECK(put("x/1") == Errc::invalid_argument);
    CHECK(put("x/one") == Errc::invalid_argument);
    CHECK(put("x/1.") == Errc::invalid_argument);
  }

  TEST_CASE("shards with more chunks than an index may have are refused") {
    CHECK(error_code([] { Version3Store(nullptr, Version3Store::kMaxChunks + 1); }) ==
          Errc::invalid_argument);
  }
}

}  // namespace version3_store_test
