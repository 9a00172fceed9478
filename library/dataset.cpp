#include <algorithm>
#include <bevscope/dataset.hpp>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "core/base/error.hpp"
#include "core/scan/patched_scenes.hpp"
#include "core/scan/statistics_query.hpp"
#include "library/array_info.hpp"
#include "library/dataset_impl.hpp"

namespace bev {
namespace {

using nlohmann::json;

std::optional<store::Missing> policy_of(MissingChunks missing) {
  switch (missing) {
    case MissingChunks::fill: return store::Missing::fill;
    case MissingChunks::error: return store::Missing::error;
    case MissingChunks::records_required: break;
  }
  return std::nullopt;
}

std::vector<ArrayInfo> arrays_of(const json& described) {
  std::vector<ArrayInfo> arrays;
  for (const auto& [path, array] : described.at("arrays").items()) {
    ArrayInfo info{path, array.at("shape").get<std::vector<std::uint64_t>>(), {}, {}};
    if (array.at("chunks").is_array()) {
      info.chunks = array.at("chunks").get<std::vector<std::uint64_t>>();
    }
    info.fields = library::fields_of(array.at("dtype"));
    arrays.push_back(std::move(info));
  }
  return arrays;
}

scene::FrameOptions options_of_dataset(const FrameOptions& options) {
  return {options.past, options.future, options.threshold, options.sequential,
          options.across_gaps};
}

Rows rows_of(std::string_view array, const Selection& selection) {
  Rows rows;
  rows.array = std::string(array);
  if (const auto* range = std::get_if<RowRange>(&selection)) {
    rows.begin = range->begin;
    if (range->end) rows.end = *range->end;
    rows.step = range->step;
  } else if (const auto* list = std::get_if<RowList>(&selection)) {
    rows.indices = list->rows;
  } else if (const auto* mask = std::get_if<RowMask>(&selection)) {
    rows.mask = mask->mask;
  } else if (const auto* box = std::get_if<Box>(&selection)) {
    rows.axes = library::slices_of(*box);
  }
  return rows;
}

}  // namespace

Dataset::Impl::Impl(std::shared_ptr<Source> from, const DatasetOptions& options)
    : source(std::move(from)),
      byte_budget(options.byte_budget),
      missing(policy_of(options.missing)),
      engine(byte_budget, missing) {
  if (!source) fail(Errc::invalid_argument, {"data set: source must not be null"});
  engine.set_version([from_source = source.get()](const std::string& key) {
    return from_source->version(key);
  });
  const auto query = engine.open();
  bev::run(engine, *query, *source);
  query->build();
  const auto described = json::parse(engine.describe());
  arrays = arrays_of(described);
  labels = described.at("labels").get<std::vector<std::string>>();
}

std::uint64_t Dataset::Impl::row_count(std::string_view path) const noexcept {
  for (const auto& array : arrays) {
    if (array.path == path) return array.size();
  }
  return 0;
}

Dataset::Dataset(std::shared_ptr<Source> source, const DatasetOptions& options)
    : impl_(std::make_shared<Impl>(std::move(source), options)) {}
Dataset::Dataset(std::shared_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Dataset::~Dataset() = default;
Dataset::Dataset(Dataset&&) noexcept = default;
Dataset& Dataset::operator=(Dataset&&) noexcept = default;

std::uint64_t Dataset::scene_count() const noexcept {
  return impl_->row_count("scenes");
}

std::uint64_t Dataset::frame_count() const noexcept {
  return impl_->row_count("frames");
}

std::uint64_t Dataset::agent_count() const noexcept {
  return impl_->row_count("agents");
}

std::span<const ArrayInfo> Dataset::arrays() const noexcept {
  return impl_->arrays;
}

const ArrayInfo& Dataset::array(std::string_view path) const {
  for (const auto& array : impl_->arrays) {
    if (array.path == path) return array;
  }
  fail(Errc::not_found, {"unknown array \"", path, "\""});
}

std::span<const std::string> Dataset::labels() const noexcept {
  return impl_->labels;
}

std::string Dataset::describe() const {
  return impl_->engine.describe();
}

FrameView Dataset::frame(std::uint64_t scene, std::uint64_t frame,
                         const FrameOptions& options) {
  return library::frame_view(frame_arrays(scene, frame, options));
}

Arrays Dataset::frame_arrays(std::uint64_t scene, std::uint64_t frame,
                             const FrameOptions& options) {
  return impl_->answer(impl_->engine.frame(scene, frame, options_of_dataset(options)));
}

FrameView Dataset::frame_at(std::uint64_t index, const FrameOptions& options) {
  return library::frame_view(
      impl_->answer(impl_->engine.frame_at(index, options_of_dataset(options))));
}

Table Dataset::rows(std::string_view array, const Selection& selection,
                    std::vector<std::string> fields) {
  auto rows = rows_of(array, selection);
  rows.fields = std::move(fields);
  return Table(impl_->answer(impl_->engine.rows(std::move(rows))));
}

Arrays Dataset::records(std::string_view array, const Selection& selection) {
  auto rows = rows_of(array, selection);
  rows.layout = Rows::Layout::records;
  return impl_->answer(impl_->engine.rows(std::move(rows)));
}

Arrays Dataset::scene(std::uint64_t scene) {
  return impl_->answer(impl_->engine.scene(scene));
}

Arrays Dataset::timeline(std::uint64_t scene, std::optional<std::uint64_t> track_id) {
  return impl_->answer(impl_->engine.timeline(scene, track_id));
}

std::string Dataset::summary() {
  const auto table = impl_->answer(impl_->engine.summary());
  return std::string(table.text("table")[0]);
}

std::string Dataset::statistics(std::string_view array, const ChunkRange& chunks) {
  StatisticsOptions options;
  options.arrays = {std::string(array)};
  options.begin_chunk = chunks.begin;
  options.end_chunk = chunks.end;
  const auto query = impl_->engine.statistics(std::move(options));
  while (query->next()) {
    bev::run(impl_->engine, *query, *impl_->source);
    query->build();
  }
  return query->statistics().to_json();
}

Dataset Dataset::patched(std::string_view patch) {
  const auto edits = patch::read_patch(patch);
  return Dataset(std::make_shared<Impl>(
      *impl_, patched_scenes(impl_->engine, *impl_->source, edits)));
}

void Dataset::forget_failures() {
  for (const auto& key : impl_->engine.forget_failures()) impl_->source->forget(key);
}

void Dataset::check_unchanged() {
  impl_->source->check_unchanged();
}

const std::shared_ptr<Source>& Dataset::source() const noexcept {
  return impl_->source;
}

}  // namespace bev
