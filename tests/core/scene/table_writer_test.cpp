#include "core/scene/table_writer.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.hpp"
#include "core/zarr/metadata.hpp"
#include "tests/support/memory_store.hpp"

using bev::Error;
using bev::scene::TableLayout;
using bev::scene::TableWriter;
using bev::test::MemoryStore;
using nlohmann::json;
using Documents = std::map<std::string, std::string>;

namespace {

/// Records of an interval, a name of three code points and a byte.
bev::zarr::DType record() {
  return bev::zarr::parse_dtype(
      json::array({{"pair", "<i2", {2U}}, {"name", "<U3"}, {"flag", "|u1"}}), "test");
}

std::string rec(int first, const std::u32string& name, char flag) {
  std::string out(17, '\0');
  out[0] = static_cast<char>(first);
  out[2] = static_cast<char>(first + 1);
  std::memcpy(out.data() + 4, name.data(), name.size() * 4);
  out[16] = flag;
  return out;
}

std::span<const std::byte> bytes(const std::string& text) {
  return std::as_bytes(std::span(text));
}

std::string object(const MemoryStore& store, const std::string& key) {
  const auto& found = store.objects.at(key);
  return {reinterpret_cast<const char*>(found.data()), found.size()};
}

std::vector<std::string> keys(const Documents& documents) {
  std::vector<std::string> out;
  for (const auto& [key, text] : documents) out.push_back(key);
  return out;
}

TableLayout layout(std::uint64_t chunk_rows) {
  TableLayout out;
  out.chunk_rows = chunk_rows;
  out.fields = record().fields;
  return out;
}

const std::string kTwo = rec(1, U"ab", 'x') + rec(5, U"\u00e9\U0001F697", 'y');

}  // namespace

TEST_SUITE("scene/table_writer") {
  TEST_CASE("all fields make the same records") {
    MemoryStore store;
    TableWriter writer(store, "t", record(), layout(2));
    writer.append(bytes(kTwo));
    CHECK(writer.rows() == 2);
    Documents documents;
    writer.close(documents);
    CHECK(object(store, "t/0") == kTwo);
    CHECK(keys(documents) == std::vector<std::string>{"t/.zarray"});
    CHECK(json::parse(documents["t/.zarray"])["dtype"] == bev::zarr::to_json(record()));
  }

  TEST_CASE("chosen fields make shorter records") {
    MemoryStore store;
    auto some = layout(2);
    some.fields.erase(some.fields.begin() + 1);
    TableWriter writer(store, "t", record(), some);
    writer.append(bytes(kTwo));
    Documents documents;
    writer.close(documents);
    CHECK(object(store, "t/0") == kTwo.substr(0, 4) + "x" + kTwo.substr(17, 4) + "y");
    CHECK(json::parse(documents["t/.zarray"])["dtype"] ==
          json::array({{"pair", "<i2", {2}}, {"flag", "|u1"}}));
  }

  TEST_CASE("columns are plain arrays, strings UTF-8") {
    MemoryStore store;
    auto columns = layout(2);
    columns.columnar = true;
    TableWriter writer(store, "t", record(), columns);
    writer.append(bytes(kTwo));
    writer.append(bytes(kTwo.substr(17)));
    Documents documents;
    writer.close(documents);
    CHECK(keys(documents) ==
          std::vector<std::string>{"t/.zgroup", "t/flag/.zarray", "t/flag/.zattrs",
                                   "t/name/.zarray", "t/name/.zattrs", "t/pair/.zarray",
                                   "t/pair/.zattrs"});
    CHECK(json::parse(documents["t/pair/.zattrs"]) ==
          json{{"_ARRAY_DIMENSIONS", {"t", "pair_1"}}});
    CHECK(object(store, "t/pair/0.0") == kTwo.substr(0, 4) + kTwo.substr(17, 4));
    CHECK(object(store, "t/flag/0") == "xy");
    CHECK(object(store, "t/flag/1") == std::string("y\0", 2));
    const auto name = std::string("ab\0\0\0\0\0\0\0\0\0\0", 12) +
                      std::string("\xc3\xa9\xf0\x9f\x9a\x97\0\0\0\0\0\0", 12);
    CHECK(object(store, "t/name/0") == name);
    const auto pair = json::parse(documents["t/pair/.zarray"]);
    CHECK(pair["shape"] == json{3, 2});
    CHECK(pair["chunks"] == json{2, 2});
    CHECK(pair["dtype"] == "<i2");
    CHECK(json::parse(documents["t/name/.zarray"])["dtype"] == "|S12");
    CHECK(json::parse(object(store, "t/.zgroup"))["zarr_format"] == 2);
  }

  TEST_CASE("chunks are reported with their array") {
    MemoryStore store;
    std::vector<std::string> seen;
    TableWriter writer(
        store, "t", record(), layout(1), [&](const auto& array, const auto& chunk) {
          seen.push_back(array.path() + "/" + std::to_string(chunk.number));
          CHECK(chunk.rows.size() == 17);
          CHECK(array.rows() >= chunk.number + 1);
        });
    writer.append(bytes(kTwo));
    CHECK(seen == std::vector<std::string>{"t/0", "t/1"});
  }

  TEST_CASE("no fields and partial records are refused") {
    MemoryStore store;
    auto none = layout(1);
    none.fields.clear();
    CHECK_THROWS_WITH_AS(TableWriter(store, "t", record(), none), "t: no fields",
                         Error);
    TableWriter writer(store, "t", record(), layout(1));
    CHECK_THROWS_WITH_AS(writer.append(bytes(kTwo.substr(1))),
                         "t: records have the wrong length (found 33 bytes, expected a "
                         "multiple of 17)",
                         Error);
    CHECK(store.objects.empty());
  }
}
