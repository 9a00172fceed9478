#include "core/scan/facts_query.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "core/engine/state.hpp"
#include "core/store/selection.hpp"

namespace bev {

void add_facts(const facts::FactTable& table, ResultSet& out,
               std::span<const std::size_t> columns) {
  const std::string prefix =
      table.kind == facts::TableKind::scenes ? "scenes." : "tracks.";
  const auto all = facts::columns_of(table.kind);
  const std::array<std::size_t, 1> shape{table.rows};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!columns.empty() &&
        std::find(columns.begin(), columns.end(), i) == columns.end()) {
      continue;
    }
    out.add(prefix + std::string(all[i].name), all[i].dtype, shape, table.columns[i]);
  }
}

FactsQuery::FactsQuery(std::shared_ptr<EngineState> state,
                       std::shared_ptr<const facts::LightsOfMap> lights)
    : Query(std::move(state), "facts"), lights_(std::move(lights)) {}

void FactsQuery::seek(std::uint64_t scene) {
  scene_ = scene;
  adds_ = false;
  leaves_out_ = false;
  ask_again();
}

void FactsQuery::add(std::uint64_t scene) {
  seek(scene);
  adds_ = true;
}

void FactsQuery::leave_out() {
  leaves_out_ = true;
  ask_again();
}

void FactsQuery::add_chunks(const store::Array* array, scene::Interval rows) {
  const bool is_virtual = rows.begin >= scene::kFirstVirtualRow;
  if (array == nullptr || array->columns != nullptr || array->meta.sharding ||
      is_virtual) {
    chunks_known_ = false;
    return;
  }
  const auto selected =
      store::RowSelection::range(array->path, array->length(), rows.begin, rows.end);
  if (selected.count == 0) return;
  for (const auto chunk :
       store::chunks_of(selected, array->meta.chunk_rows(), array->name())) {
    chunks_.insert(array->key({&chunk, 1}));
  }
}

std::vector<std::string> FactsQuery::chunks() const {
  if (!chunks_known_) return {};
  return {chunks_.begin(), chunks_.end()};
}

std::vector<FactSource> FactsQuery::sources() {
  return dataset_ == nullptr ? std::vector<FactSource>()
                             : fact_sources(state().store.catalogue(), *dataset_);
}

std::string FactsQuery::object_of(const FactSource& source, std::uint64_t object) {
  const auto* stored = dataset_ == nullptr
                           ? nullptr
                           : stored_array(state().store.catalogue(), *dataset_, source);
  if (stored == nullptr) fail(Errc::not_found, {"unknown array \"", source.path, "\""});
  return bev::object_of(*stored, source, object);
}

FactFile& FactsQuery::open_file(FactFile::Options options) {
  state().require_stored("facts beside the data set");
  file_.emplace(state(), std::move(options));
  return *file_;
}

bool FactsQuery::gather(store::Reader& reader) {
  if (leaves_out_) return true;
  const auto* dataset = state().dataset(reader);
  if (dataset == nullptr) return false;
  dataset_ = dataset;
  scene_count_ = dataset->scene_count();
  if (!adds_) {
    scenes_.clear();
    tracks_.clear();
    chunks_.clear();
    chunks_known_ = true;
  }
  if (scene_count_ == 0) return true;
  if (scene_ > 0xFFFFFFFF) {
    fail_index({"scene "}, scene_, scene_count_);
  }
  if (!data_.read(reader, *dataset, scene_)) return false;
  const auto row = static_cast<std::int64_t>(scene_);
  add_chunks(reader.catalogue().parsed(scene::kScenes), {row, row + 1});
  add_chunks(&dataset->frames_array(), data_.frame_rows);
  add_chunks(&dataset->agents_array(), data_.agent_rows);
  if (dataset->has_faces()) add_chunks(dataset->faces_array(), data_.face_rows);
  face_ids_ = dataset->has_faces()
                  ? zarr::decode_text(dataset->face_id_type(), data_.faces.face_id,
                                      std::move(face_ids_))
                  : zarr::Text{{}, {0}};
  maker_.compute({static_cast<std::uint32_t>(scene_), data_, face_ids_, lights_.get()});
  scenes_.append(maker_.scene());
  for (const auto& track : maker_.tracks()) tracks_.append(track);
  return true;
}

void FactsQuery::derive(ResultSet& results) {
  add_facts(scenes_, results);
  add_facts(tracks_, results);
}

std::unique_ptr<FactsQuery> Engine::facts(
    std::shared_ptr<const facts::LightsOfMap> lights) {
  return std::make_unique<FactsQuery>(state_, std::move(lights));
}

}  // namespace bev
