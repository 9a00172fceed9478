#include "core/save/field_rows.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "core/save/load_session.hpp"
#include "core/save/loaded_fields.hpp"
#include "core/scan/reader_query.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/field_parts.hpp"

namespace field_rows_test {

using bev::Errc;
using bev::save::DataConfig;
using bev::save::SaveMode;
using namespace bev::test;
using nlohmann::json;

namespace {

/// Loads rows as a host does.
class Loaded {
 public:
  explicit Loaded(const SavedObjects& store, std::size_t byte_budget = 1 << 20)
      : store_(store),
        session_(
            text_of(store.at(store.contains("zarr.json") ? "zarr.json" : ".zmetadata")),
            "store", byte_budget) {}

  std::uint64_t size() const { return session_.rows().rows(); }

  std::vector<FieldRow> rows(std::uint64_t begin, std::uint64_t end) {
    session_.rows().ask(begin, end);
    return answer(static_cast<std::size_t>(end - begin));
  }

  std::vector<FieldRow> items(const std::vector<std::int64_t>& indices) {
    session_.rows().ask(indices);
    return answer(indices.size());
  }

 private:
  std::vector<FieldRow> answer(std::size_t count) {
    while (true) {
      const auto round = session_.rows().missing();
      if (round.empty()) break;
      for (const auto& request : round) {
        session_.supply(request, store_.at(session_.key(request)));
      }
    }
    const bev::save::LoadedFields fields(session_.schema().committed.config,
                                         session_.rows().take(), count);
    return field_rows_of(count, [&](std::string_view name) {
      for (const auto& array : fields.arrays()) {
        if (array.name == name) return array.bytes;
      }
      throw bev::Error(Errc::internal, std::string(name));
    });
  }

  const SavedObjects& store_;
  bev::save::LoadSession session_;
};

std::vector<FieldRow> read_by_reader(const SavedObjects& objects) {
  MemoryStore store;
  store.objects = objects;
  bev::Engine engine;
  run(engine, *engine.open(), store);
  const auto query = engine.reader(R"({"from": "rows", "batch": {"size": 13}})");
  std::vector<FieldRow> out;
  while (true) {
    query->advance();
    const auto batch = run(engine, *query, store);
    if (query->at_end()) return out;
    const auto rows = field_rows_of(
        query->batch_size(), [&](std::string_view name) { return batch[name].bytes; });
    out.insert(out.end(), rows.begin(), rows.end());
  }
}

std::vector<FieldRow> rows_of(std::size_t count, std::uint32_t seed = 1) {
  return make_field_rows({.rows = count, .seed = seed});
}

/// Changes a batch of three rows, and returns the error of saving it.
template <class Change>
std::optional<Errc> code_after(const Change& change) {
  const auto rows = rows_of(3, 5);
  FieldBatch batch(rows);
  change(batch);
  const auto config = field_config();
  return error_code([&] { checked_batch(config, batch.arrays); });
}

std::optional<Errc> code_of_config(const char* attribute) {
  const auto member = json::parse(attribute);
  return error_code([&] { field_config({{"attributes", json::array({member})}}); });
}

}  // namespace

TEST_SUITE("save/field_rows") {
  TEST_CASE("rows of several savers, appended and resumed, are loaded as they were") {
    for (const auto& compressor : save_compressors()) {
      for (const int format : {2, 3}) {
        if (format == 3 && compressor.is_object() &&
            (compressor["id"] == "zlib" || compressor["id"] == "lz4")) {
          continue;
        }
        json members{{"compressor", compressor}, {"zarr_format", format}};
        if (format == 3) {
          members["chunks_per_shard"] = 3;
          members["max_object_size"] = 2048;
        }
        CAPTURE(members.dump());
        const auto config = field_config(members);
        const auto all = rows_of(230);
        const std::span rows(all);
        const auto create = bev::save::SaveSettings{config, SaveMode::create, {}};
        auto store =
            committed(create, {field_part(config, 1, rows.subspan(60, 40), 7),
                               field_part(config, 0, rows.first(60), 9, true)});
        if (format == 2) {
          const auto append = bev::save::SaveSettings{config, SaveMode::append, {}};
          const auto added =
              committed(append,
                        {field_part(config, 0, rows.subspan(100, 80), 80),
                         field_part(config, 7, rows.subspan(180), 3)},
                        store);
          for (const auto& [key, bytes] : added) store[key] = bytes;
        }
        const auto count = format == 2 ? 230U : 100U;
        const auto first = rows.first(count);
        const std::vector<FieldRow> expected(first.begin(), first.end());
        Loaded loaded(store, 100'000);
        REQUIRE(loaded.size() == count);
        std::vector<FieldRow> found;
        for (std::uint64_t at = 0; at < count; at += 11) {
          const auto some = loaded.rows(at, std::min<std::uint64_t>(at + 11, count));
          found.insert(found.end(), some.begin(), some.end());
        }
        CHECK(found == expected);
        const std::vector<std::int64_t> indices{99, 0, 99, -1, 40, 61, 60};
        const auto items = loaded.items(indices);
        for (std::size_t i = 0; i < indices.size(); ++i) {
          const auto at = indices[i] < 0 ? count + indices[i] : indices[i];
          CHECK(items[i] == expected[static_cast<std::size_t>(at)]);
        }
        CHECK(read_by_reader(store) == expected);
      }
    }
  }

  TEST_CASE("no object exceeds the limit") {
    const auto config = field_config();
    const auto rows = rows_of(300);
    const auto store = committed(config, field_part(config, 0, rows, 50));
    for (const auto& [key, bytes] : store) {
      const bool is_document = key.find("/.") != key.npos || key.starts_with(".");
      CHECK((is_document || bytes.size() <= config.max_object_size()));
    }
  }

  TEST_CASE("a store without any value is read") {
    const auto config = field_config();
    std::vector<FieldRow> rows(5);
    for (auto& row : rows) row.image = "\x89PNG\r\n\x1a\n";
    const auto store = committed(config, field_part(config, 0, rows, 5));
    CHECK(Loaded(store).rows(0, 5) == rows);
    CHECK(read_by_reader(store) == rows);
    const auto none = committed(config, field_part(config, 0, {}, 5));
    CHECK(Loaded(none).size() == 0);
    CHECK(read_by_reader(none).empty());
  }

  TEST_CASE("images are stored without a compressor, as they are") {
    const auto config =
        field_config({{"compressor", {{"id", "blosc"}, {"cname", "lz4"}}}});
    for (const auto& attribute : config.attributes()) {
      const auto meta = config.array_meta(attribute, 1, 1);
      const bool is_raw = meta.compressor.id == bev::zarr::Compressor::Id::none;
      CHECK(is_raw == (attribute.name == "front_values"));
    }
  }

  TEST_CASE("a batch that does not match is refused") {
    using Batch = FieldBatch;
    CHECK(code_after([](Batch&) {}) == std::nullopt);
    const auto invalid = Errc::invalid_argument;
    CHECK(code_after([](Batch& b) { b["points"].dtype = "<f8"; }) == invalid);
    CHECK(code_after([](Batch& b) { b["points"].shape[1] = 3; }) == invalid);
    CHECK(code_after([](Batch& b) { b["points.offsets"].dtype = "<f4"; }) == invalid);
    CHECK(code_after([](Batch& b) { b["points.offsets"].shape[0] = 3; }) == invalid);
    CHECK(code_after([](Batch& b) { b["points.offsets"].name = "points.ends"; }) ==
          invalid);
    CHECK(code_after([](Batch& b) { b["note.valid"].name = "label.valid"; }) ==
          invalid);
    CHECK(code_after([](Batch& b) { b.arrays.erase(b.arrays.begin() + 4); }) ==
          invalid);
    const auto offsets = [](const std::vector<std::uint32_t>& values) {
      return code_after([&](Batch& b) {
        b["points.offsets"].bytes = std::as_bytes(std::span(values));
      });
    };
    const auto count =
        static_cast<std::uint32_t>(FieldColumns(rows_of(3, 5)).points.size() / 2);
    CHECK(offsets({0, 0, 0, count}) == std::nullopt);
    CHECK(offsets({1, 1, 1, count}) == invalid);
    CHECK(offsets({0, 0, 0, count + 1}) == invalid);
    CHECK(offsets({0, 0, 0, 0xffffffff}) == invalid);
    CHECK((count == 0 || offsets({0, 0, 0, 0}) == invalid));
    CHECK((count == 0 || offsets({0, count, 0, count}) == invalid));
  }

  TEST_CASE("content is checked: text, images, nulls") {
    const auto code = [](const auto& change) {
      auto rows = rows_of(3, 5);
      for (auto& row : rows) row.note = "note";
      change(rows);
      FieldBatch batch(rows);
      const auto config = field_config();
      return error_code([&] { checked_batch(config, batch.arrays); });
    };
    using Rows = std::vector<FieldRow>;
    CHECK(code([](Rows&) {}) == std::nullopt);
    CHECK(code([](Rows& rows) { rows[1].note = "\xff"; }) == Errc::invalid_argument);
    CHECK(code([](Rows& rows) { rows[1].image = "GIF89a"; }) == Errc::invalid_argument);
    CHECK(code([](Rows& rows) { rows[1].image = ""; }) == Errc::invalid_argument);
    CHECK(code([](Rows& rows) { rows[1].image = "\xff\xd8\xff\xe0"; }) ==
          Errc::invalid_argument);  // the config says PNG
    auto rows = rows_of(3, 5);
    for (auto& row : rows) row.note = "note";
    FieldBatch batch(rows);
    const std::vector<std::uint8_t> none{1, 0, 1};
    batch["note.valid"].bytes = std::as_bytes(std::span(none));
    const auto config = field_config();
    CHECK(error_code([&] { checked_batch(config, batch.arrays); }) ==
          Errc::invalid_argument);
  }

  TEST_CASE("files of NumPy's are compared with dtype and shape") {
    const auto config = field_config(
        {{"attributes",
          json::parse(
              R"([{"name": "mask", "dtype": "|u1", "shape": [null, null, 3]}])")}});
    const auto& field = config.fields()[0];
    CHECK(field.kind == bev::save::FieldKind::npy);
    const auto file = [](std::string head, std::size_t bytes) {
      std::string out("\x93NUMPY\x01\x00", 8);
      head += "\n";
      out += static_cast<char>(head.size() & 255);
      out += static_cast<char>(head.size() >> 8);
      return out + head + std::string(bytes, 'x');
    };
    const auto code = [&](const std::string& bytes) {
      return error_code([&] {
        check_npy(field, std::as_bytes(std::span(bytes.data(), bytes.size())));
      });
    };
    const std::string head = "{'descr': '|u1', 'fortran_order': False, 'shape': ";
    CHECK(code(file(head + "(2, 1, 3), }", 6)) == std::nullopt);
    CHECK(code(file(head + "(0, 1, 3), }", 0)) == std::nullopt);
    for (const auto& bytes :
         {file(head + "(2, 1, 3), }", 5), file(head + "(2, 1, 4), }", 8),
          file(head + "(6,), }", 6), file(head + "(2, 1, 3", 6),
          file("{'descr': '<u2', 'fortran_order': False, 'shape': (2, 1, 3), }", 12),
          file("{'descr': '|O', 'fortran_order': False, 'shape': (2, 1, 3), }", 6),
          file(head + "(4611686018427387904, 4611686018427387904, 3), }", 6),
          file("", 0), std::string(), std::string("\x93NUMPY\x01\x00\xff\xff", 10)}) {
      CHECK(code(bytes) == Errc::invalid_argument);
    }
  }

  TEST_CASE("invalid fields are refused") {
    const auto invalid = Errc::invalid_argument;
    CHECK(code_of_config(R"({"name": "a", "kind": "video"})") == invalid);
    CHECK(code_of_config(R"({"name": "a", "kind": "text", "dtype": "<U4"})") ==
          invalid);
    CHECK(code_of_config(R"({"name": "a", "kind": "array", "dtype": "<f4"})") ==
          invalid);
    CHECK(
        code_of_config(
            R"({"name": "a", "kind": "array", "dtype": "<f4", "shape": [2, null]})") ==
        invalid);
    CHECK(code_of_config(
              R"({"name": "a", "kind": "image", "content_type": "image/gif"})") ==
          invalid);
    CHECK(code_of_config(
              R"({"name": "a", "kind": "text", "content_type": "text/csv"})") ==
          invalid);
    CHECK(code_of_config(R"({"name": "a", "dtype": "<f4", "nullable": 1})") == invalid);
    CHECK(code_of_config(R"({"name": "rows", "kind": "text"})") == invalid);
    CHECK(code_of_config(R"({"name": "rows", "dtype": "<f4"})") == std::nullopt);
    CHECK(error_code([] {
            field_config({{"attributes", json::parse(R"([{"name": "a", "kind": "text"},
                                           {"name": "a_values", "dtype": "<f4"}])")}});
          }) == invalid);
  }

  TEST_CASE("a config keeps its fields") {
    const auto config = field_config();
    const auto again = DataConfig::parse(config.to_json());
    CHECK(again.to_json() == config.to_json());
    CHECK(again.fields() == config.fields());
    CHECK(again.attributes() == config.attributes());
    CHECK(config.attributes().size() == 10);
  }

  TEST_CASE("intervals of a damaged store are errors") {
    const auto config = field_config({{"compressor", nullptr}});
    const auto rows = rows_of(20);
    auto store = committed(config, field_part(config, 0, rows, 20));
    auto& chunk = store.at("points/0.0");
    for (const std::int64_t begin : {std::int64_t{-1}, std::int64_t{1} << 40}) {
      std::memcpy(chunk.data() + 16, &begin, sizeof begin);
      CHECK(error_code([&] { Loaded(store).rows(0, 20); }) == Errc::corrupt_chunk);
    }
  }
}

}  // namespace field_rows_test
