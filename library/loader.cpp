#include <algorithm>
#include <bevscope/loader.hpp>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/engine/host_loop.hpp"
#include "core/save/load_schema.hpp"
#include "core/save/loaded_fields.hpp"
#include "core/save/row_loader.hpp"

namespace bev {
namespace {

std::vector<LoadedAttribute> attributes_of(const save::LoadSchema& schema) {
  std::vector<LoadedAttribute> out;
  const auto& config = schema.committed.config;
  for (const auto& field : config.fields()) {
    const auto& stored = config.attributes()[field.values.value_or(field.array)];
    auto shape = stored.shape;
    const bool is_text = field.kind == save::FieldKind::text;
    if (field.is_ragged() && !is_text) shape.insert(shape.begin(), kVariableLength);
    out.push_back({field.name, is_text ? "utf8" : stored.dtype_text(), std::move(shape),
                   schema.layouts[field.array].chunk_rows,
                   std::string(zarr::name_of(field.kind)), field.content_type,
                   field.nullable});
  }
  return out;
}

std::vector<LoadedAttachment> attachments_of(const save::LoadSchema& schema) {
  std::vector<LoadedAttachment> out;
  for (const auto& each : schema.committed.attachments) {
    out.push_back({each.name, each.bytes, each.sha256});
  }
  return out;
}

}  // namespace

struct DataLoader::Impl {
  Impl(std::shared_ptr<Source> from, const LoaderOptions& options)
      : source(std::move(from)),
        budget(options.byte_budget / 2),
        engine(budget, store::Missing::error),
        schema(open(options.attributes)),
        attributes(attributes_of(schema)),
        attachments(attachments_of(schema)),
        config_json(schema.committed.config.to_json()),
        loader(schema.layouts, schema.committed.rows,
               {budget, save::chunks_within(schema, budget)}) {}

  save::LoadSchema open(
      const std::optional<std::vector<std::string>>& fields = std::nullopt) {
    if (!source) fail(Errc::invalid_argument, {"loader: source must not be null"});
    const auto query = engine.open();
    bev::run(engine, *query, *source);
    query->build();
    return save::load_schema(engine.describe(), "data set", fields);
  }

  /// Removes encoded and decoded chunks, and what the engine knows of the metadata.
  void clear() {
    for (const auto& key : engine.forget_failures()) source->forget(key);
    loader.clear();
    engine = Engine(budget, store::Missing::error);
    is_open = false;
  }

  /// Reads the metadata again after clear().
  void reopen() {
    if (is_open) return;
    const auto found = open().committed.id;
    if (found != schema.committed.id) {
      fail(Errc::changed, {"data set: was replaced since it was opened (found commit ",
                           found, ", expected ", schema.committed.id, ")"});
    }
    is_open = true;
  }

  /// Answers the loader's question.
  ///
  /// @param rows  number of rows; nullopt: one, without an axis for rows
  Arrays answer(std::optional<std::size_t> rows) {
    for (auto round = loader.missing(); !round.empty(); round = loader.missing()) {
      read(round);
    }
    const auto out = std::make_shared<const save::LoadedFields>(schema.committed.config,
                                                                loader.take(), rows);
    std::vector<ArrayView> views;
    for (const auto& array : out->arrays()) {
      views.emplace_back(array.name, array.dtype, array.shape, array.bytes);
    }
    return {std::move(views), out};
  }

  /// Reads chunks concurrently, and supplies them if the data set is still the one that
  /// was opened.
  void read(const std::vector<save::ChunkRequest>& round) {
    reopen();
    std::vector<std::shared_ptr<Query>> queries;
    for (const auto& request : round) {
      Rows rows;
      rows.array = schema.committed.config.attributes()[request.id.attribute].name;
      rows.begin = static_cast<std::int64_t>(request.begin);
      rows.end = static_cast<std::int64_t>(request.end);
      rows.layout = Rows::Layout::records;
      queries.push_back(engine.rows(std::move(rows)));
    }
    try {
      bev::run_together(engine, queries, *source);
    } catch (const Error&) {
      source->check_unchanged();  // chunks of another data set seem to be damaged
      throw;
    }
    source->check_unchanged();
    for (std::size_t i = 0; i < round.size(); ++i) {
      const auto records = queries[i]->build();
      loader.supply(round[i], {records[0].bytes, std::move(queries[i])});
    }
  }

  std::vector<std::byte> attachment(const std::string& name) {
    const auto entry = save::find_attachment(schema.committed.attachments, name);
    reopen();
    const auto key = save::attachment_key(entry);
    auto bytes = source->read(key, std::nullopt);
    source->check_unchanged();
    if (!bytes) fail_at(Errc::missing_key, key, {"not found"});
    try {
      save::check_attachment_bytes(entry, *bytes, key);
    } catch (const Error&) {
      source->forget(key);
      throw;
    }
    return std::move(*bytes);
  }

  std::shared_ptr<Source> source;
  std::size_t budget;  // of encoded chunks, and of decoded ones
  Engine engine;
  bool is_open = true;  // the engine has the metadata
  save::LoadSchema schema;
  std::vector<LoadedAttribute> attributes;
  std::vector<LoadedAttachment> attachments;
  std::string config_json;
  save::RowLoader loader;
};

DataLoader::DataLoader(std::shared_ptr<Source> source, const LoaderOptions& options)
    : impl_(std::make_unique<Impl>(std::move(source), options)) {}

DataLoader::~DataLoader() = default;
DataLoader::DataLoader(DataLoader&&) noexcept = default;
DataLoader& DataLoader::operator=(DataLoader&&) noexcept = default;

std::uint64_t DataLoader::size() const noexcept {
  return impl_->loader.rows();
}

const std::string& DataLoader::config_json() const noexcept {
  return impl_->config_json;
}

const std::string& DataLoader::commit() const noexcept {
  return impl_->schema.committed.id;
}

std::span<const LoadedAttribute> DataLoader::attributes() const noexcept {
  return impl_->attributes;
}

std::span<const LoadedAttachment> DataLoader::attachments() const noexcept {
  return impl_->attachments;
}

std::vector<std::byte> DataLoader::attachment(const std::string& name) {
  return impl_->attachment(name);
}

Arrays DataLoader::item(std::int64_t index) {
  impl_->loader.ask({&index, 1});
  return impl_->answer(std::nullopt);
}

Arrays DataLoader::items(std::span<const std::int64_t> indices) {
  impl_->loader.ask(indices);
  return impl_->answer(indices.size());
}

Arrays DataLoader::rows(std::uint64_t begin, std::uint64_t end) {
  impl_->loader.ask(begin, end);
  return impl_->answer(static_cast<std::size_t>(end - begin));
}

void DataLoader::clear() {
  impl_->clear();
}

LoaderCounters DataLoader::counters() const noexcept {
  return {impl_->loader.chunks_supplied(), impl_->loader.bytes_held()};
}

DataBatches::DataBatches(DataLoader& loader, std::uint64_t batch)
    : loader_(&loader), batch_(batch) {
  if (batch == 0) fail(Errc::invalid_argument, {"loader: batch must not be 0"});
}

std::optional<Arrays> DataBatches::next() {
  if (row_ >= loader_->size()) return std::nullopt;
  const auto end = row_ + std::min(batch_, loader_->size() - row_);
  auto batch = loader_->rows(row_, end);
  row_ = end;
  return batch;
}

}  // namespace bev
