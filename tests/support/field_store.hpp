#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/zarr/encode.hpp"
#include "core/zarr/metadata.hpp"
#include "tests/support/memory_store.hpp"

namespace bev::test {

/// How a FieldStore is stored.
struct FieldStoreOptions {
  std::size_t rows = 23;
  std::uint32_t seed = 1;
  const char* codec = nullptr;  ///< null: no compressor
  std::uint64_t value_chunk = 11;
  std::uint32_t max_image = 40;  ///< bytes
};

/// A row whose fields vary in length, or may be null.
struct FieldRow {
  std::int64_t label = 0;
  std::optional<float> speed = {};
  std::vector<std::array<float, 2>> points = {};
  std::optional<std::string> note = {};
  std::string image = {};  ///< the bytes of a PNG file

  bool operator==(const FieldRow&) const = default;
};

inline std::vector<FieldRow> make_field_rows(const FieldStoreOptions& options) {
  std::mt19937 random(options.seed);
  const std::vector<std::string> texts{"", "wet", "K\xc3\xa4lte \xe2\x82\xac",
                                       "a long note, of many letters"};
  std::vector<FieldRow> out;
  for (std::size_t i = 0; i < options.rows; ++i) {
    FieldRow row;
    row.label = static_cast<std::int64_t>(i * i);
    if (random() % 3 != 0) row.speed = static_cast<float>(random() % 100) / 4;
    for (auto count = random() % 7; count > 0; --count) {
      row.points.push_back({static_cast<float>(random() % 1000), 0.5F});
    }
    if (random() % 4 != 0) row.note = texts[random() % texts.size()];
    row.image = "\x89PNG\r\n\x1a\n";
    for (auto count = random() % options.max_image; count > 0; --count) {
      row.image += static_cast<char>(random() % 256);
    }
    out.push_back(std::move(row));
  }
  return out;
}

/// The arrays of rows as batches of readers and savers have them, by name.
struct FieldColumns {
  explicit FieldColumns(std::span<const FieldRow> rows) {
    for (const auto& row : rows) {
      labels.push_back(row.label);
      speeds.push_back(row.speed.value_or(0));
      speed_valid.push_back(row.speed ? 1 : 0);
      note_valid.push_back(row.note ? 1 : 0);
      for (const auto& point : row.points) {
        points.insert(points.end(), point.begin(), point.end());
      }
      notes += row.note.value_or("");
      images += row.image;
      point_ends.push_back(static_cast<std::uint32_t>(points.size() / 2));
      note_ends.push_back(static_cast<std::uint32_t>(notes.size()));
      image_ends.push_back(static_cast<std::uint32_t>(images.size()));
    }
  }

  std::vector<std::int64_t> labels;
  std::vector<float> speeds, points;
  std::vector<std::uint8_t> speed_valid, note_valid;
  std::string notes, images;
  /// Offsets, of n + 1 values.
  std::vector<std::uint32_t> point_ends{0}, note_ends{0}, image_ends{0};
};

/// A store with the table `rows`: numbers, some of them null, points, texts and images
/// of any length, in chunks of different lengths.
class FieldStore {
 public:
  using Row = FieldRow;

  explicit FieldStore(const FieldStoreOptions& options = {})
      : rows(make_field_rows(options)), options_(options) {
    put_rows();
    finish();
  }

  /// Stores an array whose elements are cut along the first axis.
  void put(const std::string& name, const nlohmann::json& dtype,
           const std::vector<std::uint64_t>& shape, std::uint64_t chunk_rows,
           const std::vector<std::byte>& bytes) {
    auto chunks = shape;
    chunks[0] = chunk_rows;
    nlohmann::json document = {{"zarr_format", 2}, {"shape", shape},
                               {"chunks", chunks}, {"dtype", dtype},
                               {"order", "C"},     {"filters", nullptr},
                               {"fill_value", 0},  {"compressor", nullptr}};
    auto meta = zarr::array_meta_from_json(document, name);
    if (options_.codec != nullptr) {
      meta.compressor = zarr::compressor_named(options_.codec, std::nullopt);
      document["compressor"] =
          nlohmann::json::parse(zarr::array_meta_json(meta))["compressor"];
    }
    const auto size = meta.chunk_bytes();
    for (std::size_t i = 0; i * size < bytes.size(); ++i) {
      std::vector<std::byte> chunk(size);
      std::memcpy(chunk.data(), bytes.data() + i * size,
                  std::min(size, bytes.size() - i * size));
      auto key = name + "/" + std::to_string(i);
      for (std::size_t axis = 1; axis < shape.size(); ++axis) key += ".0";
      store.put(key, zarr::encode_chunk(meta, chunk));
    }
    documents_[name + "/.zarray"] = document;
  }

  template <class Values>
  void put_all(const std::string& name, const nlohmann::json& dtype,
               std::vector<std::uint64_t> inner, std::uint64_t chunk_rows,
               const Values& values) {
    std::uint64_t per_row = 1;
    for (const auto length : inner) per_row *= length;
    inner.insert(inner.begin(),
                 values.size() * sizeof(values[0]) / element_bytes(dtype) / per_row);
    std::vector<std::byte> bytes(values.size() * sizeof(values[0]));
    if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    put(name, dtype, inner, chunk_rows, bytes);
  }

  /// Writes the metadata again.
  void finish() {
    documents_[".zgroup"] = {{"zarr_format", 2}};
    documents_[".zattrs"] = {
        {"bevscope_fields", {{"version", 1}, {"tables", {{"rows", fields}}}}}};
    store.text(".zmetadata",
               nlohmann::json{{"zarr_consolidated_format", 1}, {"metadata", documents_}}
                   .dump());
  }

  MemoryStore store;
  std::vector<Row> rows;
  /// Description of the table, which finish() writes.
  nlohmann::json fields = nlohmann::json::array(
      {{{"name", "label"}, {"array", "label"}},
       {{"name", "speed"}, {"array", "speed"}, {"valid", "speed_valid"}},
       {{"name", "points"},
        {"array", "points"},
        {"kind", "array"},
        {"values", "points_values"}},
       {{"name", "note"},
        {"array", "note"},
        {"kind", "text"},
        {"values", "note_values"},
        {"valid", "note_valid"}},
       {{"name", "front"},
        {"array", "front"},
        {"kind", "image"},
        {"values", "front_values"},
        {"content_type", "image/png"}}});

 private:
  static std::size_t element_bytes(const nlohmann::json& dtype) {
    return static_cast<std::size_t>(dtype.get<std::string>()[2] - '0');
  }

  void put_rows() {
    const FieldColumns columns(rows);
    const auto intervals = [](const std::vector<std::uint32_t>& ends) {
      std::vector<std::int64_t> out;
      for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
        out.push_back(ends[i]);
        out.push_back(ends[i + 1]);
      }
      return out;
    };
    const auto chunk = options_.value_chunk;
    put_all("label", "<i8", {}, 9, columns.labels);
    put_all("speed", "<f4", {}, 16, columns.speeds);
    put_all("speed_valid", "|b1", {}, 100, columns.speed_valid);
    put_all("points", "<i8", {2}, 5, intervals(columns.point_ends));
    put_all("points_values", "<f4", {2}, chunk, columns.points);
    put_all("note", "<i8", {2}, 7, intervals(columns.note_ends));
    put_all("note_valid", "|b1", {}, 100, columns.note_valid);
    put_all("note_values", "|u1", {}, chunk, columns.notes);
    put_all("front", "<i8", {2}, 8, intervals(columns.image_ends));
    put_all("front_values", "|u1", {}, 3 * chunk, columns.images);
  }

  FieldStoreOptions options_;
  nlohmann::json documents_ = nlohmann::json::object();
};

}  // namespace bev::test
