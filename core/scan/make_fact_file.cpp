#include "core/scan/make_fact_file.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/scan/fact_file_writer.hpp"
#include "core/scan/facts_query.hpp"
#include "core/scan/read_facts.hpp"

namespace bev {
namespace {

SceneRows rows_of(const scene::SceneDataset& scene) {
  SceneRows out{};
  std::size_t at = 0;
  for (const auto& rows : {scene.frame_rows, scene.agent_rows, scene.face_rows}) {
    out[at++] = static_cast<std::uint64_t>(rows.begin);
    out[at++] = static_cast<std::uint64_t>(rows.end);
  }
  out[at++] = static_cast<std::uint64_t>(scene.scenes.start_time.at(0));
  out[at] = static_cast<std::uint64_t>(scene.scenes.end_time.at(0));
  return out;
}

/// Writes facts of scene after scene.
class FactFileMaking {
 public:
  FactFileMaking(Engine& engine, Source& source, Sink& sink,
                 const FactFileOptions& options)
      : engine_(engine),
        source_(source),
        options_(options),
        query_(engine.facts(options.lights)) {
    FactFileHead head;
    head.definitions = facts::kVersion;
    head.map = options.map;
    head.sources = query_sources();
    for (const auto& key : document_keys(head.sources)) {
      if (source.size(key)) head.documents.push_back(key);
    }
    previous_ =
        open_fact_file(engine, *query_, source, options.map, options.statistics);
    if (previous_ != nullptr && previous_->head().map != options.map) {
      previous_->give_up("facts of another map");
    }
    writer_ = std::make_unique<FactFileWriter>(sink, head);
    head_ = std::move(head);
  }

  FactFileMade run() {
    const auto count = query_->scene_count();
    std::uint64_t scene = 0;
    while (scene < count) {
      const auto next = kept(scene);
      made_.kept += next - scene;
      scene = next > scene ? next : computed(scene);
      if (options_.progress) options_.progress(scene, count);
    }
    add_objects();
    made_.identity = writer_->finish();
    made_.scenes = count;
    if (previous_ != nullptr) made_.problem = previous_->problem();
    return made_;
  }

 private:
  /// Reads scene 0, after which the metadata is known.
  std::vector<FactSource> query_sources() {
    bev::run(engine_, *query_, source_);
    return query_->sources();
  }

  std::uint64_t kept(std::uint64_t begin) {
    if (previous_ == nullptr) return begin;
    const auto scenes = previous_->from(begin);
    if (!scenes.is_kept) return begin;
    std::array<facts::FactTable, 2> tables{facts::FactTable(facts::TableKind::scenes),
                                           facts::FactTable(facts::TableKind::tracks)};
    for (auto& table : tables) {
      previous_->select({table.kind, {}, {}, begin, scenes.end});
      bev::run(engine_, *previous_, source_);
      if (!previous_->problem().empty()) return begin;
      table = previous_->table();
    }
    std::vector<SceneRows> rows;
    for (auto i = begin; i < scenes.end; ++i) rows.push_back(previous_->rows_of(i));
    add(tables[0], tables[1], rows);
    return scenes.end;
  }

  std::uint64_t computed(std::uint64_t scene) {
    query_->seek(scene);
    bev::run(engine_, *query_, source_);
    query_->build();
    add(query_->scenes(), query_->tracks(), {rows_of(query_->data())});
    return scene + 1;
  }

  void add(const facts::FactTable& scenes, const facts::FactTable& tracks,
           const std::vector<SceneRows>& rows) {
    writer_->add(scenes, tracks, rows);
    made_.tracks += tracks.rows;
  }

  void add_objects() {
    for (const auto& source : head_.sources) {
      std::vector<std::string> keys;
      for (std::uint64_t i = 0; i < source.object_count(); ++i) {
        keys.push_back(query_->object_of(source, i));
      }
      const auto sizes = source_.sizes(keys);
      for (std::uint64_t i = 0; i < source.object_count(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        add_object(keys[at], sizes[at] ? known(source, i, *sizes[at]) : std::nullopt);
      }
    }
    for (const auto& key : head_.documents) add_object(key, std::nullopt);
  }

  /// Returns the state of an object in the previous file, if statistics tell that it is
  /// the same.
  std::optional<ObjectState> known(const FactSource& source, std::uint64_t object,
                                   std::uint64_t size) const {
    if (options_.statistics == nullptr || previous_ == nullptr) return std::nullopt;
    const auto now = options_.statistics->identity(source.path, object);
    const auto before = previous_->known(source.path, object);
    const bool is_same = now && before && now->size == size && before->size == size &&
                         now->checksum == before->checksum;
    return is_same ? before : std::nullopt;
  }

  void add_object(const std::string& key, std::optional<ObjectState> state) {
    if (!state) {
      const auto bytes = source_.read(key, std::nullopt);
      state = bytes ? state_of(*bytes) : ObjectState();
    }
    if (state->size != ObjectState::kAbsent) made_.objects.push_back(key);
    writer_->add_object(key, *state);
  }

  Engine& engine_;
  Source& source_;
  const FactFileOptions& options_;
  std::unique_ptr<FactsQuery> query_;
  std::unique_ptr<FactFileWriter> writer_;
  FactFileHead head_;
  FactFile* previous_ = nullptr;
  FactFileMade made_;
};

}  // namespace

FactFileMade make_fact_file(Engine& engine, Source& source, Sink& sink,
                            const FactFileOptions& options) {
  return FactFileMaking(engine, source, sink, options).run();
}

}  // namespace bev
