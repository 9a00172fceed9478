#include "core/scan/fact_file_writer.hpp"

#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/base/own_json.hpp"
#include "core/reader/statistics_recorder.hpp"
#include "core/scene/table_writer.hpp"
#include "core/store/columns.hpp"
#include "core/zarr/encode.hpp"

namespace bev {
namespace {

using nlohmann::json;

zarr::DType dtype_named(std::string_view code) {
  const json text = std::string(code);
  return zarr::parse_dtype(text, kFactObjects);
}

/// Returns the type of records with these columns.
zarr::DType record_with(
    std::span<const std::pair<std::string_view, std::string_view>> columns) {
  std::vector<zarr::Field> fields;
  for (const auto& [name, dtype] : columns) {
    zarr::Field field;
    field.name = std::string(name);
    field.type = dtype_named(dtype);
    fields.push_back(std::move(field));
  }
  return scene::record_of(fields);
}

zarr::DType record_of_facts(facts::TableKind kind) {
  std::vector<std::pair<std::string_view, std::string_view>> columns;
  for (const auto& fact : facts::columns_of(kind)) {
    columns.emplace_back(fact.name, fact.dtype);
  }
  return record_with(columns);
}

zarr::DType record_of_rows() {
  std::vector<std::pair<std::string_view, std::string_view>> columns;
  for (const auto name : kSceneRowColumns) columns.emplace_back(name, "<u8");
  return record_with(columns);
}

zarr::DType record_of_objects() {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kColumns{
      {{"size", "<u8"}, {"checksum", "<u4"}, {"zip_crc", "<u4"}}};
  return record_with(kColumns);
}

/// Returns facts as records.
std::vector<std::byte> packed(const facts::FactTable& table,
                              const zarr::DType& record) {
  const auto stride = record.size();
  std::vector<std::byte> out(table.rows * stride);
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto& field = record.fields[i];
    const auto size = field.type.size();
    for (std::size_t row = 0; row < table.rows; ++row) {
      std::memcpy(out.data() + row * stride + field.offset,
                  table.columns[i].data() + row * size, size);
    }
  }
  return out;
}

/// The type of a table's records, as the attribute of a columnar copy has it.
json fields_of(const zarr::DType& record) {
  auto out = json::array();
  for (const auto& field : record.fields) {
    out.push_back({field.name, zarr::to_json(field.type)});
  }
  return out;
}

}  // namespace

struct FactFileWriter::Tables {
  explicit Tables(Sink& sink)
      : scenes(sink, kSceneFacts, record_of_facts(facts::TableKind::scenes),
               kSceneChunk, statistics),
        tracks(sink, kTrackFacts, record_of_facts(facts::TableKind::tracks),
               kTrackChunk, statistics),
        rows(sink, kSceneRows, record_of_rows(), kSceneChunk, statistics),
        objects(sink, kFactObjects, record_of_objects(), kTrackChunk, statistics) {}

  struct Table {
    Table(Sink& sink, std::string_view path, zarr::DType type, std::uint64_t chunk_rows,
          reader::StatisticsRecorder& statistics)
        : record(std::move(type)),
          writer(sink, std::string(path), record, layout_of(record, chunk_rows),
                 [&statistics](const zarr::ArrayWriter& array,
                               const zarr::WrittenChunk& chunk) {
                   statistics.add(array.path(), array.meta(),
                                  {chunk.number, chunk.rows, chunk.encoded});
                 }) {}

    static scene::TableLayout layout_of(const zarr::DType& record,
                                        std::uint64_t chunk_rows) {
      scene::TableLayout layout;
      layout.chunk_rows = chunk_rows;
      layout.compressor = zarr::compressor_named("blosc:zstd", std::nullopt);
      layout.fields = record.fields;
      layout.columnar = true;
      return layout;
    }

    zarr::DType record;
    scene::TableWriter writer;
  };

  reader::StatisticsRecorder statistics;
  Table scenes, tracks, rows, objects;
};

FactFileWriter::FactFileWriter(Sink& sink, FactFileHead head)
    : sink_(sink), head_(std::move(head)), tables_(std::make_unique<Tables>(sink)) {
  head_.scenes = 0;
  head_.tracks = 0;
}

FactFileWriter::~FactFileWriter() = default;

void FactFileWriter::add(const facts::FactTable& scenes, const facts::FactTable& tracks,
                         std::span<const SceneRows> rows) {
  if (rows.size() != scenes.rows) {
    fail(Errc::invalid_argument, {"facts: wrong number of scenes (found ", rows.size(),
                                  ", expected ", scenes.rows, ")"});
  }
  tables_->scenes.writer.append(packed(scenes, tables_->scenes.record));
  tables_->tracks.writer.append(packed(tracks, tables_->tracks.record));
  std::vector<std::byte> bytes;
  for (const auto& scene : rows) {
    for (const auto row : scene) {
      bytes.resize(bytes.size() + sizeof row);
      store_le(bytes.data() + bytes.size() - sizeof row, row);
    }
  }
  tables_->rows.writer.append(bytes);
  head_.scenes += scenes.rows;
  head_.tracks += tracks.rows;
  if (head_.scenes > FactFileHead::kMaxScenes ||
      head_.tracks > FactFileHead::kMaxTracks) {
    fail(Errc::limit_exceeded,
         {"facts: too many scenes or tracks (found ", head_.scenes, " and ",
          head_.tracks, ", limits ", FactFileHead::kMaxScenes, " and ",
          FactFileHead::kMaxTracks, ")"});
  }
}

void FactFileWriter::add_object(std::string_view key, const ObjectState& state) {
  constexpr auto kSize = sizeof state.size, kChecksum = sizeof state.checksum;
  std::array<std::byte, kSize + 2 * kChecksum> bytes{};
  store_le(bytes.data(), state.size);
  store_le(bytes.data() + kSize, state.checksum);
  store_le(bytes.data() + kSize + kChecksum, state.zip_crc);
  tables_->objects.writer.append(bytes);
  identity_.add(key, state);
}

std::string FactFileWriter::finish() {
  const auto objects = head_.object_count();
  if (objects > FactFileHead::kMaxObjects) {
    fail(Errc::limit_exceeded, {"facts: too many objects (found ", objects, ", limit ",
                                FactFileHead::kMaxObjects, ")"});
  }
  if (tables_->objects.writer.rows() != objects) {
    fail(Errc::invalid_argument,
         {"facts: wrong number of objects (found ", tables_->objects.writer.rows(),
          ", expected ", objects, ")"});
  }
  head_.identity = identity_.hex();
  std::map<std::string, std::string> documents;
  json columns = json::object();
  for (auto* table :
       {&tables_->scenes, &tables_->tracks, &tables_->rows, &tables_->objects}) {
    table->writer.close(documents);
  }
  columns[std::string(kSceneFacts)] = fields_of(tables_->scenes.record);
  columns[std::string(kTrackFacts)] = fields_of(tables_->tracks.record);
  columns[std::string(kSceneRows)] = fields_of(tables_->rows.record);
  columns[std::string(kFactObjects)] = fields_of(tables_->objects.record);
  const json attributes = {
      {FactFileHead::kAttribute, head_.to_json()},
      {store::kColumnsAttribute,
       {{"version", store::kColumnsVersion}, {"tables", std::move(columns)}}}};
  documents[".zgroup"] = R"({"zarr_format": 2})";
  documents[".zattrs"] = attributes.dump();
  json all = json::object();
  for (const auto& [key, text] : documents) all[key] = json_of(text);
  documents[".zmetadata"] =
      json{{"metadata", std::move(all)}, {"zarr_consolidated_format", 1}}.dump();
  const auto limits = tables_->statistics.to_json(reader::Statistics::kMaxBytes);
  documents[std::string(reader::Statistics::kKey)] =
      limits.value_or(reader::Statistics().to_json());
  // The last ones are read first, with the directory that follows them.
  for (const std::string_view key :
       {std::string_view(".zgroup"), std::string_view(".zattrs"),
        reader::Statistics::kKey, std::string_view(".zmetadata")}) {
    sink_.put(key, std::as_bytes(std::span(documents.at(std::string(key)))));
  }
  return head_.identity;
}

}  // namespace bev
