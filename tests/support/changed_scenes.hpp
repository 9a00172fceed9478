#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/engine/engine.hpp"
#include "core/engine/records_query.hpp"
#include "core/scene/overlay.hpp"
#include "core/scene/scene_records.hpp"
#include "core/scene/writer.hpp"
#include "tests/support/memory_dataset.hpp"
#include "tests/support/memory_store.hpp"

namespace bev::test {

using scene::SceneRecords;

/// Returns all scenes of a data set.
inline std::vector<SceneRecords> records_in(const MemoryStore& store) {
  Engine engine;
  const auto query = engine.scene_records();
  std::vector<SceneRecords> out;
  while (query->next()) {
    run(engine, *query, store);
    out.push_back(query->records());
  }
  return out;
}

/// Writes scenes as a data set.
inline MemoryStore store_of(const std::vector<SceneRecords>& scenes) {
  MemoryStore store;
  scene::WriterOptions options;
  options.codec = "none";
  options.frames_per_chunk = 7;
  options.agents_per_chunk = 50;
  options.faces_per_chunk = 9;
  scene::Writer writer(store, options);
  for (const auto& one : scenes) append_scene(writer, one);
  writer.close();
  return store;
}

/// Reads a scene into memory.
inline std::shared_ptr<scene::SceneArrays> arrays_in(const MemoryStore& store,
                                                     std::uint64_t scene) {
  MemoryDataset data(store);
  scene::SceneDataset read;
  data.read([&](store::Reader& reader) { return read.read(reader, *data, scene); });
  return std::make_shared<scene::SceneArrays>(std::move(read));
}

/// Removes rows of `agents` that a function names, in any frame.
inline void remove_agents(SceneRecords& scene,
                          const std::function<bool(const scene::Agent&)>& removed) {
  std::vector<scene::Agent> kept;
  for (auto& frame : scene.frames) {
    const auto [begin, end] = frame.agent_index_interval;
    frame.agent_index_interval.begin = static_cast<std::int64_t>(kept.size());
    for (auto row = begin; row < end; ++row) {
      const auto& agent = scene.agents[static_cast<std::size_t>(row)];
      if (!removed(agent)) kept.push_back(agent);
    }
    frame.agent_index_interval.end = static_cast<std::int64_t>(kept.size());
  }
  scene.agents = std::move(kept);
}

/// A data set, and one that was written with a change of a scene: `changed` has the
/// first's store, with that scene in memory.
struct ChangedScene {
  ChangedScene(MemoryStore from, std::uint64_t number,
               const std::function<void(SceneRecords&)>& change)
      : before(std::move(from)), scene(number), scenes(records_in(before)) {
    change(scenes.at(static_cast<std::size_t>(number)));
    after = store_of(scenes);
    overlay->put(number, arrays_in(after, number));
  }

  MemoryStore before, after;
  std::uint64_t scene;
  std::vector<SceneRecords> scenes;  ///< of `after`
  std::shared_ptr<scene::Overlay> overlay = std::make_shared<scene::Overlay>();
  Engine stored;
  Engine changed = stored.with(overlay);
  Engine written;
};

}  // namespace bev::test
