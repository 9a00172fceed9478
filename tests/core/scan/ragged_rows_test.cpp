#include "core/scan/ragged_rows.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "core/scan/reader_query.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/field_store.hpp"

namespace ragged_rows_test {

using bev::Engine;
using bev::Errc;
using namespace bev::test;
using nlohmann::json;

namespace {

#ifdef __EMSCRIPTEN__
constexpr std::array<const char*, 1> kCodecs{nullptr};  // it encodes by no other
#else
constexpr std::array<const char*, 5> kCodecs{nullptr, "zlib", "zstd", "blosc:lz4",
                                             "blosc:zstd"};
#endif

/// The rows of a reader's batches.
struct Read {
  std::vector<std::int64_t> labels;
  std::vector<FieldStore::Row> rows;
  std::set<std::string> keys;
};

std::string text_at(const Run& batch, const std::string& name, std::size_t row) {
  const auto offsets = batch.values<std::uint32_t>(name + ".offsets");
  return batch.text(name).substr(offsets[row], offsets[row + 1] - offsets[row]);
}

void add_batch(const Run& batch, std::size_t count, Read& out) {
  const auto labels = batch.values<std::int64_t>("label");
  const auto speeds = batch.values<float>("speed");
  const auto valid = batch.values<std::uint8_t>("speed.valid");
  const auto points = batch.values<std::array<float, 2>>("points");
  const auto offsets = batch.values<std::uint32_t>("points.offsets");
  const auto notes = batch.values<std::uint8_t>("note.valid");
  REQUIRE(offsets.size() == count + 1);
  CHECK(batch["points"].shape == std::vector<std::size_t>{points.size(), 2});
  CHECK(batch["note"].dtype == "utf8");
  for (std::size_t i = 0; i < count; ++i) {
    FieldStore::Row row;
    row.label = labels[i];
    if (valid[i] != 0) row.speed = speeds[i];
    const auto points_of_row =
        std::span(points).subspan(offsets[i], offsets[i + 1] - offsets[i]);
    row.points.assign(points_of_row.begin(), points_of_row.end());
    if (notes[i] != 0) row.note = text_at(batch, "note", i);
    row.image = text_at(batch, "front", i);
    out.labels.push_back(row.label);
    out.rows.push_back(std::move(row));
  }
}

Read read_all(const MemoryStore& store, json plan,
              std::size_t byte_budget = std::size_t{1} << 20) {
  plan["from"] = "rows";
  Engine engine(byte_budget);
  run(engine, *engine.open(), store);
  const auto query = engine.reader(plan.dump());
  Read out;
  while (true) {
    query->advance();
    const auto batch = run(engine, *query, store);
    out.keys.insert(batch.keys.begin(), batch.keys.end());
    if (query->at_end()) return out;
    add_batch(batch, query->batch_size(), out);
  }
}

bool same(const FieldStore::Row& a, const FieldStore::Row& b) {
  return a.label == b.label && a.speed == b.speed && a.points == b.points &&
         a.note == b.note && a.image == b.image;
}

/// Returns how many rows differ from those of the store with the same label.
std::size_t wrong_rows(const FieldStore& data, const Read& found) {
  std::size_t out = 0;
  for (const auto& row : found.rows) {
    bool is_right = false;
    for (const auto& one : data.rows) {
      if (one.label == row.label) is_right = same(one, row);
    }
    out += is_right ? 0 : 1;
  }
  return out;
}

std::set<std::string> arrays_of(const std::set<std::string>& keys) {
  std::set<std::string> out;
  for (const auto& key : keys) {
    if (key.find('/') != std::string::npos) out.insert(key.substr(0, key.find('/')));
  }
  return out;
}

std::string message_of(const FieldStore& data) {
  try {
    read_all(data.store, {});
  } catch (const bev::Error& error) {
    return error.what();
  }
  return "";
}

std::optional<Errc> code_of(const FieldStore& data) {
  return error_code([&] { read_all(data.store, {}); });
}

/// Changes the interval of the points of row 3.
void set_interval(FieldStore& data, std::int64_t begin, std::int64_t end) {
  auto& chunk = data.store.objects.at("points/0.0");
  const std::array interval{begin, end};
  std::memcpy(chunk.data() + 3 * sizeof interval, interval.data(), sizeof interval);
}

}  // namespace

TEST_SUITE("scan/ragged_rows") {
  TEST_CASE("rows of any length are read in every order and batch size") {
    for (std::uint32_t seed = 1; seed < 4; ++seed) {
      const FieldStore data({.rows = 60, .seed = seed});
      for (const auto* mode : {"none", "blocks", "full"}) {
        for (const int size : {1, 7, 1000}) {
          CAPTURE(mode);
          CAPTURE(size);
          const auto found =
              read_all(data.store, {{"order", {{"mode", mode}, {"seed", seed}}},
                                    {"batch", {{"size", size}}}});
          CHECK(std::set(found.labels.begin(), found.labels.end()).size() == 60);
          CHECK(found.labels.size() == 60);
          CHECK(wrong_rows(data, found) == 0);
        }
      }
    }
  }

  TEST_CASE("values of every codec are read") {
    for (const auto* codec : kCodecs) {
      const FieldStore data({.rows = 40, .codec = codec, .value_chunk = 50});
      for (const auto* mode : {"none", "full"}) {
        const auto found = read_all(data.store, {{"order", {{"mode", mode}}}});
        CHECK(found.rows.size() == 40);
        CHECK(wrong_rows(data, found) == 0);
      }
    }
  }

  TEST_CASE("values that exceed the byte budget together are read in parts") {
    for (const auto* codec : kCodecs) {
      const FieldStore data(
          {.rows = 500, .codec = codec, .value_chunk = 1000, .max_image = 2000});
      std::size_t bytes = 0;
      for (const auto& row : data.rows) bytes += row.image.size();
      CHECK(bytes > 400'000);
      for (const auto* mode : {"none", "blocks", "full"}) {
        CAPTURE(mode);
        const json plan{{"order", {{"mode", mode}}}, {"batch", {{"size", 500}}}};
        const auto found = read_all(data.store, plan, 100'000);
        CHECK(found.rows.size() == 500);
        CHECK(wrong_rows(data, found) == 0);
      }
    }
  }

  TEST_CASE("only the arrays of the fields that are named are read") {
    const FieldStore data;
    Engine engine;
    run(engine, *engine.open(), data.store);
    const auto query =
        engine.reader(json{{"from", "rows"}, {"fields", {"front"}}}.dump());
    query->advance();
    const auto batch = run(engine, *query, data.store);
    CHECK(arrays_of(batch.keys) == std::set<std::string>{"front", "front_values"});
    for (std::size_t i = 0; i < data.rows.size(); ++i) {
      CHECK(text_at(batch, "front", i) == data.rows[i].image);
    }
    // The condition on the number of the row reads no other array.
    const auto one = engine.reader(
        json{{"from", "rows"}, {"fields", {"points"}}, {"where", "row == 0"}}.dump());
    one->advance();
    CHECK(arrays_of(run(engine, *one, data.store).keys) ==
          std::set<std::string>{".bevscope", "points", "points_values"});
  }

  TEST_CASE("a filter takes null for no value, as NaN") {
    const FieldStore data({.rows = 50});
    const auto labels = [&](const char* where) {
      return read_all(data.store, {{"where", where}}).labels;
    };
    const auto expected = [&](const auto& passes) {
      std::vector<std::int64_t> out;
      for (const auto& row : data.rows) {
        if (passes(row)) out.push_back(row.label);
      }
      return out;
    };
    CHECK(labels("speed < 10") ==
          expected([](const auto& row) { return row.speed && *row.speed < 10; }));
    CHECK(labels("not speed < 10") ==
          expected([](const auto& row) { return !row.speed || *row.speed >= 10; }));
    CHECK(labels("speed != 1") ==
          expected([](const auto& row) { return !row.speed || *row.speed != 1; }));
    CHECK(labels("speed in (0, 1, 2.5)") == expected([](const auto& row) {
            return row.speed &&
                   (*row.speed == 0 || *row.speed == 1 || *row.speed == 2.5F);
          }));
    CHECK(labels("isnan(speed)") ==
          expected([](const auto& row) { return !row.speed; }));
    CHECK(labels("speed.valid and label > 20") ==
          expected([](const auto& row) { return row.speed && row.label > 20; }));
    CHECK(labels("note.valid") ==
          expected([](const auto& row) { return row.note.has_value(); }));
    CHECK(error_code([&] { labels("points[0] > 3"); }) == Errc::invalid_argument);
    CHECK(error_code([&] { labels("note == \"wet\""); }) == Errc::invalid_argument);
  }

  TEST_CASE("ranges learnt from chunks of other lengths exclude no row that passes") {
    const FieldStore data({.rows = 200});
    Engine engine;
    run(engine, *engine.open(), data.store);
    for (const auto* where : {"label > 10000", "label > 10000 and speed > 3",
                              "label between 900 and 2000", "label > 1e9"}) {
      for (int round = 0; round < 2; ++round) {
        CAPTURE(where);
        const auto query = engine.reader(
            json{{"from", "rows"}, {"fields", {"label"}}, {"where", where}}.dump());
        std::vector<std::int64_t> found;
        while (true) {
          query->advance();
          const auto batch = run(engine, *query, data.store);
          if (query->at_end()) break;
          const auto labels = batch.values<std::int64_t>("label");
          found.insert(found.end(), labels.begin(), labels.end());
        }
        Engine fresh;
        CHECK(found == read_all(data.store, {{"where", where}}).labels);
      }
    }
  }

  TEST_CASE("invalid intervals are errors before anything is allocated") {
    struct Case {
      std::int64_t begin, end;
      Errc code;
    };
    const auto most = std::numeric_limits<std::int64_t>::max();
    for (const auto& [begin, end, code] :
         {Case{-1, 2, Errc::corrupt_chunk}, Case{3, 2, Errc::corrupt_chunk},
          Case{0, 1'000'000, Errc::corrupt_chunk}, Case{-3, -1, Errc::corrupt_chunk},
          Case{0, most, Errc::corrupt_chunk}}) {
      FieldStore data;
      set_interval(data, begin, end);
      CHECK(code_of(data) == code);
      CHECK(message_of(data).find("points: invalid interval of points_values (found " +
                                  std::to_string(begin)) == 0);
    }
  }

  TEST_CASE("more than 1 GiB of values is an error before it is allocated") {
    FieldStore data;
    // As if the values had 2^40 elements.
    data.put("points_values", "<f4", {std::uint64_t{1} << 40, 2}, 11, {});
    data.finish();
    set_interval(data, 0, std::int64_t{1} << 39);
    CHECK(code_of(data) == Errc::limit_exceeded);
    set_interval(data, 0, 1 << 30);
    CHECK(code_of(data) == Errc::limit_exceeded);
  }

  TEST_CASE("text that is not UTF-8 is an error") {
    FieldStore data;
    for (auto& [key, bytes] : data.store.objects) {
      if (key.starts_with("note_values/")) bytes[2] = std::byte{0xff};
    }
    CHECK(code_of(data) == Errc::corrupt_chunk);
    CHECK(message_of(data) == "note_values: a string of field note is not UTF-8");
  }

  TEST_CASE("damaged values cannot be skipped, and not be described") {
    const FieldStore data;
    CHECK(error_code([&] {
            read_all(data.store, {{"on_damage", "skip"}});
          }) == Errc::unsupported);
  }

  TEST_CASE("explain() tells kinds, shapes and content types") {
    const FieldStore data;
    Engine engine;
    run(engine, *engine.open(), data.store);
    const auto query = engine.reader(json{{"from", "rows"}}.dump());
    run(engine, *query, data.store);
    const auto explained = json::parse(query->explain());
    CHECK(explained["fields"] == json::parse(R"([
            {"name": "label", "dtype": "<i8", "shape": []},
            {"name": "speed", "dtype": "<f4", "shape": [], "nullable": true},
            {"name": "points", "dtype": "<f4", "shape": [null, 2], "kind": "array"},
            {"name": "note", "dtype": "utf8", "shape": [], "kind": "text",
             "nullable": true},
            {"name": "front", "dtype": "|u1", "shape": [null], "kind": "image",
             "content_type": "image/png"},
            {"name": "speed.valid", "dtype": "|b1", "shape": []},
            {"name": "note.valid", "dtype": "|b1", "shape": []}])"));
  }
}

}  // namespace ragged_rows_test
