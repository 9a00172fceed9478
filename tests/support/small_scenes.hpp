#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/scene/writer.hpp"
#include "tests/support/memory_store.hpp"

namespace bev::test {

/// Parameters of the tests' synthetic data set.
struct SmallScenes {
  std::int64_t scenes = 2;
  std::int64_t frames = 5;  ///< per scene
  std::int64_t agents = 3;  ///< per frame
  std::uint64_t agents_per_chunk = 8;
  std::uint64_t frames_per_chunk = 4;
  std::string codec = "none";
};

/// Agent `i` of every frame has track_id i + 1 and moves i + 1 metres per frame along x
/// on the line y = i; frames are 100 ms apart. Scene s starts at x = 1000 s. Every
/// frame has two faces, "red" active and "green" inactive.
inline scene::Agent small_agent(std::int64_t scene, std::int64_t frame,
                                std::int64_t i) {
  scene::Agent agent;
  agent.centroid = {static_cast<double>(1000 * scene + frame * (i + 1)),
                    static_cast<double>(i)};
  agent.extent = {4, 2, 1.5F};
  agent.track_id = static_cast<std::uint64_t>(i + 1);
  agent.label_probabilities[3] = 0.75F;
  agent.label_probabilities[14] = 0.25F;
  return agent;
}

inline void append_frame(scene::Writer& writer, const SmallScenes& small,
                         std::int64_t scene, std::int64_t frame) {
  scene::Frame record;
  record.timestamp = (scene * small.frames + frame) * 100'000'000;
  record.agent_index_interval = {writer.agent_count(),
                                 writer.agent_count() + small.agents};
  record.traffic_light_faces_index_interval = {writer.face_count(),
                                               writer.face_count() + 2};
  record.ego_translation = {static_cast<double>(1000 * scene + 2 * frame), -5, 1};
  writer.append(std::span<const scene::Frame>(&record, 1));
  for (std::int64_t i = 0; i < small.agents; ++i) {
    const auto agent = small_agent(scene, frame, i);
    writer.append(std::span<const scene::Agent>(&agent, 1));
  }
  const std::vector<scene::Face> faces{{"red", "light", {1, 0, 0}},
                                       {"green", "light", {0, 1, 0}}};
  writer.append(std::span<const scene::Face>(faces));
}

/// Writes the data set to a store in memory.
inline MemoryStore small_store(const SmallScenes& small = {}) {
  MemoryStore store;
  scene::WriterOptions options;
  options.codec = small.codec;
  options.scenes_per_chunk = 4;
  options.frames_per_chunk = small.frames_per_chunk;
  options.agents_per_chunk = small.agents_per_chunk;
  options.faces_per_chunk = 8;
  scene::Writer writer(store, options);
  for (std::int64_t s = 0; s < small.scenes; ++s) {
    const scene::Scene record{{s * small.frames, (s + 1) * small.frames},
                              "host-" + std::to_string(s),
                              0,
                              small.frames * 100'000'000};
    writer.append(std::span<const scene::Scene>(&record, 1));
    for (std::int64_t f = 0; f < small.frames; ++f) append_frame(writer, small, s, f);
  }
  writer.close();
  return store;
}

}  // namespace bev::test
