#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/engine/engine.hpp"
#include "core/scene/copier.hpp"
#include "tests/support/memory_store.hpp"

namespace bev::test {

/// Returns Engine::describe() of a store.
inline std::string description_of(const MemoryStore& store) {
  Engine engine;
  const auto query = engine.open();
  run(engine, *query, store);
  return engine.describe();
}

/// Returns rows of an array as records.
inline std::vector<std::byte> records_of(const MemoryStore& store,
                                         const std::string& array,
                                         scene::Interval rows) {
  Engine engine;
  run(engine, *engine.open(), store);
  const auto query = engine.rows({.array = array,
                                  .begin = rows.begin,
                                  .end = rows.end,
                                  .layout = Rows::Layout::records});
  return run(engine, *query, store).values<std::byte>("records");
}

/// Passes scenes of `store` to the copier.
inline void copy_scenes(const MemoryStore& store, scene::Copier& copier,
                        const std::vector<std::uint64_t>& scenes) {
  for (const auto scene : scenes) {
    const auto row = static_cast<std::int64_t>(scene);
    if (copier.begin(scene, records_of(store, "scenes", {row, row + 1}))) continue;
    copier.frames(records_of(store, "frames", copier.frame_rows()));
    copier.agents(records_of(store, "agents", copier.agent_rows()));
    if (copier.has_faces()) {
      copier.faces(records_of(store, "traffic_light_faces", copier.face_rows()));
    }
  }
}

}  // namespace bev::test
