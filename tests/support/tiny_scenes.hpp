#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "core/scene/writer.hpp"
#include "tests/support/memory_store.hpp"

namespace bev::test {

/// The scenes, frames and agents of tests/support/tiny-dataset.ts: two scenes of six
/// frames with three agents each, four rows per chunk.
inline MemoryStore tiny_scenes() {
  constexpr std::int64_t kScenes = 2, kFrames = 6, kAgents = 3;
  MemoryStore out;
  scene::WriterOptions options;
  options.codec = "none";
  options.scenes_per_chunk = 4;
  options.frames_per_chunk = 4;
  options.agents_per_chunk = 4;
  options.faces_per_chunk = 4;
  scene::Writer writer(out, options);
  for (std::int64_t s = 0; s < kScenes; ++s) {
    const scene::Scene scene{
        {s * kFrames, (s + 1) * kFrames}, "host-" + std::to_string(s), 0, 1};
    writer.append(std::span<const scene::Scene>(&scene, 1));
    for (std::int64_t f = 0; f < kFrames; ++f) {
      const auto index = s * kFrames + f;
      for (std::int64_t k = 0; k < kAgents; ++k) {
        constexpr std::array<std::size_t, kAgents> kLabels{3, 12, 14};
        scene::Agent agent;
        agent.centroid = {static_cast<double>(f), static_cast<double>(10 * (k + 1))};
        agent.extent = {4, 2, 1.5F};
        agent.velocity = {10, 0};
        agent.track_id = static_cast<std::uint64_t>(k + 1);
        agent.label_probabilities[kLabels[static_cast<std::size_t>(k)]] = 0.75F;
        writer.append(std::span<const scene::Agent>(&agent, 1));
      }
      scene::Frame frame;
      frame.timestamp = 1'572'643'684'000'000'000 + index * 100'000'000;
      frame.agent_index_interval = {index * kAgents, (index + 1) * kAgents};
      frame.ego_translation = {static_cast<double>(f), 0, 0};
      writer.append(std::span<const scene::Frame>(&frame, 1));
    }
  }
  writer.close();
  return out;
}

}  // namespace bev::test
