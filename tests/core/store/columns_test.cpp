#include "core/store/columns.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/columnar_copy.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/small_scenes.hpp"

namespace columns_test {

using bev::Engine;
using bev::Errc;
using bev::Error;
using bev::Rows;
using namespace bev::test;
using nlohmann::json;

namespace {

/// Opens a store, asks for rows of an array and returns the result's bytes.
std::vector<std::vector<std::byte>> rows_of(const MemoryStore& store, const Rows& rows,
                                            std::set<std::string>* keys = nullptr) {
  Engine engine;
  run(engine, *engine.open(), store);
  const auto query = engine.rows(rows);
  const auto result = run(engine, *query, store);
  if (keys != nullptr) *keys = result.keys;
  std::vector<std::vector<std::byte>> out;
  for (const auto& array : result.arrays) {
    out.emplace_back(array.bytes.begin(), array.bytes.end());
  }
  return out;
}

std::string message_of(const MemoryStore& store, const std::string& array) {
  try {
    rows_of(store, {.array = array});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::optional<Errc> code_of(const MemoryStore& store, const std::string& array) {
  return error_code([&] { rows_of(store, {.array = array}); });
}

/// Changes the consolidated metadata.
template <class Change>
void edit(MemoryStore& store, const Change& change) {
  auto document = json::parse(store.text(".zmetadata"));
  change(document["metadata"]);
  store.text(".zmetadata", document.dump());
  for (const auto& [key, value] : document["metadata"].items()) {
    store.text(key, value.dump());
  }
}

json& tables_in(json& metadata) {
  return metadata[".zattrs"]["bevscope_columns"]["tables"];
}

}  // namespace

TEST_SUITE("store/columns") {
  TEST_CASE("a table of columns reads as an array of records") {
    for (const auto* codec : kCopyCodecs) {
      for (const bool is_split : {false, true}) {
        CAPTURE(codec);
        CAPTURE(is_split);
        const auto store = small_store({.scenes = 6, .agents = 5});
        const auto copy =
            columnar_copy(store, {.codec = codec, .split_vectors = is_split});
        CHECK_FALSE(copy.objects.contains("agents/.zarray"));
        for (const std::string array :
             {"scenes", "frames", "agents", "traffic_light_faces"}) {
          CAPTURE(array);
          const std::vector<Rows> questions{
              {.array = array},
              {.array = array, .layout = Rows::Layout::records},
              {.array = array, .begin = 2, .end = 5, .layout = Rows::Layout::records},
              {.array = array, .step = -3},
              {.array = array, .indices = std::vector<std::int64_t>{3, 0, 3, 1}},
              {.array = array,
               .indices = std::vector<std::int64_t>{5, 2},
               .layout = Rows::Layout::records}};
          for (const auto& rows : questions) {
            const auto expected = rows_of(store, rows);
            REQUIRE_FALSE(expected.empty());
            CHECK(rows_of(copy, rows) == expected);
          }
        }
      }
    }
  }

  TEST_CASE("it is described as an array of records, and copied back to one") {
    const auto store = small_store();
    const auto copy = columnar_copy(store);
    const auto before = json::parse(description_of(store))["arrays"];
    const auto after = json::parse(description_of(copy))["arrays"];
    for (const auto& entry : before.items()) {
      const auto& path = entry.key();
      const auto& array = entry.value();
      CAPTURE(path);
      for (const auto* member : {"shape", "chunks", "dtype", "compressor"}) {
        CHECK(after[path][member] == array[member]);
      }
    }
    CHECK(after["agents/yaw"]["dtype"] == "<f4");
    CHECK(after["agents/yaw"]["shape"] == before["agents"]["shape"]);
    CHECK(copy_of(copy, {}).objects == store.objects);
    CHECK(columnar_copy(copy).objects == copy.objects);
    const auto split = columnar_copy(copy, {.split_vectors = true});
    CHECK(copy_of(split, {}).objects == store.objects);
    CHECK(columnar_copy(split).objects == copy.objects);
  }

  TEST_CASE("of split vectors, only the elements that are read are requested") {
    const auto copy = columnar_copy(small_store(), {.split_vectors = true});
    CHECK(copy.objects.contains("agents/extent/.zgroup"));
    const auto meta = json::parse(copy.text("agents/extent/2/.zarray"));
    CHECK(meta["dtype"] == "<f4");
    CHECK(meta["shape"].size() == 1);
    std::set<std::string> keys;
    rows_of(copy, {.array = "agents", .begin = 9, .end = 12, .fields = {"velocity"}},
            &keys);
    CHECK(keys == std::set<std::string>{"agents/velocity/0/1", "agents/velocity/1/1"});
  }

  TEST_CASE("only the columns that are read are requested") {
    const auto copy = columnar_copy(small_store());
    std::set<std::string> keys;
    rows_of(
        copy,
        {.array = "agents", .begin = 9, .end = 12, .fields = {"velocity", "track_id"}},
        &keys);
    CHECK(keys == std::set<std::string>{"agents/track_id/1", "agents/velocity/1.0"});
  }

  TEST_CASE("strings of any characters are the original's") {
    MemoryStore store;
    bev::scene::WriterOptions options;
    options.codec = "none";
    bev::scene::Writer writer(store, options);
    for (const std::string host :
         {"", "host-a", "\xc3\x84hre", "\xf0\x9d\x84\x9e clef", "0123456789abcdef"}) {
      const bev::scene::Scene scene{{0, 0}, host, 1, 2};
      writer.append(std::span(&scene, 1));
    }
    writer.close();
    const auto copy = columnar_copy(store);
    const Rows rows{.array = "scenes", .layout = Rows::Layout::records};
    CHECK(rows_of(copy, rows) == rows_of(store, rows));
  }

  TEST_CASE("absent and damaged chunks of columns are errors, never fill values") {
    const auto copy = columnar_copy(small_store());
    auto absent = copy;
    absent.objects.erase("agents/velocity/1.0");
    CHECK(code_of(absent, "agents") == Errc::missing_key);
    CHECK(message_of(absent, "agents") ==
          "agents/velocity/1.0: missing from the store (expected every chunk of "
          "agents/velocity)");
    CHECK_FALSE(code_of(absent, "frames"));
    auto damaged = copy;
    damaged.objects["agents/yaw/2"].resize(5);
    CHECK(code_of(damaged, "agents") == Errc::corrupt_chunk);
    auto text = copy;
    text.objects["scenes/host/0"][0] = std::byte{0xff};
    CHECK(message_of(text, "scenes") == "scenes/host: a string is not UTF-8");
    for (std::size_t i = 0; i < 17; ++i) {
      text.objects["scenes/host/0"][i] = std::byte{'a'};
    }
    CHECK(message_of(text, "scenes") ==
          "scenes/host: a string is too long (found 17 characters, expected at most "
          "16)");
  }

  TEST_CASE("columns that do not fit the table are refused by name") {
    const auto copy = columnar_copy(small_store());
    const auto refused = [&](const auto& change) {
      auto store = copy;
      edit(store, change);
      return message_of(store, "agents");
    };
    CHECK(refused([](json& all) { all["agents/yaw/.zarray"]["shape"] = {29}; }) ==
          "agents/yaw: length differs from that of agents/centroid (found 29, expected "
          "30)");
    CHECK(refused([](json& all) { all["agents/yaw/.zarray"]["chunks"] = {9}; }) ==
          "agents/yaw: chunk length differs from that of agents/centroid (found 9, "
          "expected 8)");
    CHECK(refused([](json& all) { all["agents/yaw/.zarray"]["dtype"] = "<f8"; }) ==
          "agents/yaw: wrong type of a column (found <f8, expected <f4)");
    CHECK(refused([](json& all) {
            all["agents/extent/.zarray"]["chunks"] = {8, 1};
          }) == "agents/extent: chunks of a column must span all axes but the first");
    CHECK(refused([](json& all) { all["agents/extent/.zarray"]["order"] = "F"; }) ==
          "agents/extent: chunks of a column must span all axes but the first");
    CHECK(refused([](json& all) { tables_in(all)["agents"][0][0] = "x"; }) ==
          "agents/x/.zarray: not found (expected a column of agents)");
    CHECK(refused([](json& all) { tables_in(all)["agents"] = "<f4"; }) ==
          "bevscope_columns: agents: not a list of fields");
    CHECK(refused([](json& all) {
            all[".zattrs"]["bevscope_columns"]["version"] = 2;
          }) == "bevscope_columns: unknown version (found 2, expected 1)");
    CHECK(refused([](json& all) {
            all[".zattrs"]["bevscope_columns"].erase("tables");
          }) == "bevscope_columns: \"tables\" is missing");
  }

  TEST_CASE("a column with rows of any length is refused by its type, at once") {
    auto copy = columnar_copy(small_store());
    edit(copy, [](json& all) {
      auto& yaw = all["agents/yaw/.zarray"];
      yaw["shape"] = {30, 60'000'000};
      yaw["chunks"] = {8, 60'000'000};
    });
    CHECK(message_of(copy, "agents")
              .starts_with("agents/yaw: wrong type of a column (found "));
  }

  TEST_CASE("a table has no columns that are tables") {
    auto copy = columnar_copy(small_store());
    edit(copy, [](json& all) {
      all.erase("agents/yaw/.zarray");
      tables_in(all)["agents/yaw"] = tables_in(all)["agents"];
    });
    copy.objects.erase("agents/yaw/.zarray");
    CHECK(code_of(copy, "agents") == Errc::missing_key);
  }
}

}  // namespace columns_test
