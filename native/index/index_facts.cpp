#include "native/index/index_facts.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "core/facts/light_at_entry.hpp"
#include "core/scan/read_facts.hpp"
#include "native/facts/facts.hpp"
#include "native/files/new_store.hpp"

namespace bev::native {
namespace {

/// Whether the store has the arrays of a data set of scenes.
bool has_scenes(Engine& engine, Source& source) {
  run(engine, *engine.open(), source);
  constexpr std::array kNeeded{scene::kScenes, scene::kFrames, scene::kAgents};
  return std::all_of(kNeeded.begin(), kNeeded.end(), [&](std::string_view path) {
    return engine.array(path) != nullptr;
  });
}

}  // namespace

std::optional<FactFileMade> index_facts(Source& source, const std::string& path,
                                        const IndexFactsOptions& options) {
  Engine engine(Engine::kByteBudget, source.missing());
  if (!has_scenes(engine, source)) return std::nullopt;
  FactFileOptions making;
  if (options.map) {
    making.lights =
        std::make_shared<facts::LightsOfMap>(read_semantic_map(*options.map));
    making.map = semantic_map_mark(*options.map);
  }
  making.statistics = options.statistics;
  making.progress = options.progress;
  const auto store = create_store(path, Existing::replace);
  auto made = make_fact_file(engine, source, *store, making);
  source.check_unchanged();
  store->commit();
  return made;
}

std::string text_of_facts(const FactFileMade& facts) {
  return "facts: " + std::to_string(facts.scenes) + " scenes (" +
         std::to_string(facts.kept) + " kept), " + std::to_string(facts.tracks) +
         " tracks\n";
}

std::string difference_of_facts(Source& source, const reader::Statistics& statistics) {
  Engine engine(Engine::kByteBudget, source.missing());
  if (!has_scenes(engine, source)) return {};
  const auto query = engine.facts();
  auto* const file = open_fact_file(engine, *query, source, {}, &statistics);
  if (file == nullptr) return {};
  for (std::uint64_t scene = 0; scene < file->head().scenes;) {
    const auto scenes = file->from(scene);
    if (!scenes.is_kept) return file->notice();
    for (const auto kind : {facts::TableKind::scenes, facts::TableKind::tracks}) {
      file->select({kind, {}, {}, scene, scenes.end});
      bev::run(engine, *file, source);
    }
    scene = scenes.end;
  }
  return file->notice();
}

}  // namespace bev::native
