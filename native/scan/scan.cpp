#include "native/scan/scan.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/engine/host_loop.hpp"
#include "core/scan/reader_description.hpp"
#include "core/scan/reader_query.hpp"
#include "core/scan/reader_team.hpp"
#include "core/zarr/dtype.hpp"
#include "core/zarr/text.hpp"
#include "native/source/read_options.hpp"

namespace bev::native {
namespace {

using nlohmann::json;

/// A column of the records to write.
struct OutField {
  zarr::Field field;
  bool is_text = false;
};

zarr::DType type_from(const std::string& code) {
  const json text(code);
  return zarr::parse_dtype(text, "column type");
}

/// Returns the dtypes of the plan's columns by name, from ReaderQuery::explain.
json column_types(const std::string& explained) {
  json out = json::object();
  const auto tree = json::parse(explained);
  for (const auto& column : tree.at("columns")) {
    out[column.at("name").get<std::string>()] = column.at("dtype");
  }
  return out;
}

/// Throws unsupported for fields of variable length: rows of all formats have one size.
void check_exportable(const ReaderQuery& query) {
  for (const auto& field : query.fields()) {
    if (field.kind.empty()) continue;
    fail(Errc::unsupported,
         {"scan: fields of variable length cannot be written (found ", field.name,
          " of ", field.kind, "; name others with --fields)"});
  }
}

/// Packs the arrays of batches to records.
class Records {
 public:
  /// @param arrays   of the first batch
  /// @param columns  dtypes by column, for strings
  Records(std::span<const ResultArray> arrays, const json& columns) {
    std::size_t offset = 0;
    for (const auto& array : arrays) {
      if (is_offsets(array, arrays)) continue;
      OutField out;
      out.is_text = array.dtype == "utf8";
      const auto name = array.name.substr(0, array.name.rfind('@'));
      out.field.name = array.name;
      out.field.type =
          type_from(out.is_text ? columns.at(name).get<std::string>() : array.dtype);
      out.field.type.shape.assign(array.shape.begin() + 1, array.shape.end());
      out.field.offset = offset;
      offset += out.field.type.size();
      fields_.push_back(std::move(out));
    }
    row_bytes_ = offset;
  }

  /// Returns the layout: a record, or for one field its plain values.
  RowLayout layout(std::uint64_t count) const {
    RowLayout out;
    out.count = count;
    if (fields_.size() == 1) {
      out.row = fields_[0].field.type;
      out.name = fields_[0].field.name;
      return out;
    }
    out.row.kind = zarr::Kind::record;
    out.row.item_size = row_bytes_;
    for (const auto& field : fields_) out.row.fields.push_back(field.field);
    return out;
  }

  std::span<const std::byte> pack(std::span<const ResultArray> arrays,
                                  std::size_t count) {
    packed_.assign(count * row_bytes_, std::byte{0});
    std::size_t at = 0;
    for (const auto& field : fields_) {
      const auto& array = arrays[at++];
      if (field.is_text) {
        pack_text(field, array, arrays[at++], count);
      } else {
        pack_values(field, array, count);
      }
    }
    return packed_;
  }

 private:
  static bool is_offsets(const ResultArray& array, std::span<const ResultArray> all) {
    return &array != all.data() && (&array - 1)->dtype == "utf8" &&
           array.name == (&array - 1)->name + ".offsets";
  }

  void pack_values(const OutField& field, const ResultArray& array, std::size_t count) {
    const auto size = field.field.type.size();
    for (std::size_t i = 0; i < count; ++i) {
      std::memcpy(packed_.data() + i * row_bytes_ + field.field.offset,
                  array.bytes.data() + i * size, size);
    }
  }

  void pack_text(const OutField& field, const ResultArray& text,
                 const ResultArray& offsets, std::size_t count) {
    const auto item = field.field.type.item_size;
    const auto items = field.field.type.size() / item;
    const auto offset = [&](std::size_t i) {
      return load_le<std::uint32_t>(offsets.bytes.data() + 4 * i);
    };
    for (std::size_t i = 0; i < count * items; ++i) {
      const std::string_view value(
          reinterpret_cast<const char*>(text.bytes.data()) + offset(i),
          offset(i + 1) - offset(i));
      auto* to = packed_.data() + i / items * row_bytes_ + field.field.offset +
                 i % items * item;
      for (const auto point : zarr::code_points(value)) {
        store_le(to, point);
        to += 4;
      }
    }
  }

  std::vector<OutField> fields_;
  std::size_t row_bytes_ = 0;
  std::vector<std::byte> packed_;
};

/// Returns an engine whose readers compare chunks with the statistics.
Engine engine_of(Source& source) {
  Engine engine(Engine::kByteBudget, source.missing());
  engine.set_version([&source](const std::string& key) { return source.version(key); });
  return engine;
}

void show_progress(const ReaderQuery& query, const Shown& shown) {
  if (!shown.progress || query.block_count() == 0) return;
  shown.progress(query.blocks_done(), query.block_count());
}

void show_skipped(const ReaderQuery& query, const Shown& shown) {
  if (!shown.skipped) return;
  for (const auto& block : query.skipped()) shown.skipped(block);
}

std::uint64_t count_of(Engine& engine, const ReaderQuery& query, Source& source,
                       const Shown& shown) {
  if (const auto known = query.known_length()) return *known;
  const auto counter = engine.reader_of_counts(query.plan());
  std::uint64_t count = 0;
  do {
    counter->advance();
    run(engine, *counter, source);
    if (const auto known = counter->known_length()) return *known;
    count += counter->batch_size();
    show_progress(*counter, shown);
  } while (!counter->at_end());
  show_skipped(*counter, shown);
  return count;
}

/// Returns the items that are written: whole batches only, if the last is dropped.
std::uint64_t written(const reader::Plan& plan, std::uint64_t count) {
  return plan.batch.drop_last ? count - count % plan.batch.size : count;
}

}  // namespace

void scan(Source& source, const ScanOptions& options, const Write& write) {
  auto engine = engine_of(source);
  const auto query = engine.reader(options.plan);
  query->use_maps({options.assets.semantic_map, options.assets.aerial_image});
  query->seek({options.epoch, 0});
  ReaderTeam team(*query, options.threads,
                  {.cache_bytes = Engine::kByteBudget / options.threads},
                  source.missing());
  team.run(engine, source);
  check_exportable(*query);
  const auto columns = column_types(query->explain());
  // Only the header of npy has the number of items.
  const auto count = options.format == "npy"
                         ? written(query->plan(), count_of(engine, *query, source, {}))
                         : 0;
  std::unique_ptr<Records> records;
  std::unique_ptr<RowWriter> writer;
  do {
    query->advance();
    team.run(engine, source);
    const auto arrays = query->build();
    if (!records) {
      records = std::make_unique<Records>(arrays, columns);
      writer = make_row_writer(options.format, records->layout(count), write);
    }
    if (!query->at_end()) {
      writer->rows(query->batch_size(), records->pack(arrays, query->batch_size()));
    }
    show_progress(*query, options.shown);
  } while (!query->at_end());
  show_skipped(*query, options.shown);
  writer->finish();
  auto absent = engine.absent_chunks();
  for (auto& key : team.absent_chunks()) absent.push_back(std::move(key));
  std::sort(absent.begin(), absent.end());
  absent.erase(std::unique(absent.begin(), absent.end()), absent.end());
  warn_of_missing(source, absent);
}

std::uint64_t count_items(Source& source, const std::string& plan, const Shown& shown) {
  auto engine = engine_of(source);
  const auto query = engine.reader(plan);
  run(engine, *query, source);
  const auto count = count_of(engine, *query, source, shown);
  warn_of_missing(source, engine.absent_chunks());
  return count;
}

std::string describe(Source& source, const std::string& plan,
                     const std::optional<std::string>& by, const Shown& shown) {
  auto engine = engine_of(source);
  ReaderDescription description(engine, reader::plan_from_json(plan), by);
  bool more = true;
  while (more) {
    auto& query = description.query();
    run(engine, query, source);
    show_progress(query, shown);
    more = description.step();
  }
  show_skipped(description.query(), shown);
  warn_of_missing(source, engine.absent_chunks());
  return description.to_json();
}

std::string explain(Source& source, const std::string& plan, const Assets& assets) {
  auto engine = engine_of(source);
  const auto query = engine.reader(plan);
  query->use_maps({assets.semantic_map, assets.aerial_image});
  const auto counter = engine.reader_of_counts(query->plan());
  std::uint64_t count = 0;
  do {
    counter->advance();
    run(engine, *counter, source);
    count += counter->batch_size();
  } while (!counter->at_end());
  run(engine, *query, source);
  warn_of_missing(source, engine.absent_chunks());
  auto out = json::parse(query->explain());
  out["counts"] = json::parse(counter->explain()).at("counts");
  out["items"] = count;
  return out.dump(2);
}

}  // namespace bev::native
