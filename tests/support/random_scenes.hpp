#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "core/scene/writer.hpp"
#include "tests/support/memory_store.hpp"

namespace bev::test {

/// An agent of a random data set, and its place.
struct PlacedAgent {
  scene::Agent agent;
  std::int64_t row = 0;
  std::int64_t frame = 0;  ///< row in `frames`
  std::int64_t scene = 0;
};

/// A data set whose scenes differ in length, whose tracks come and go, and which has
/// scenes without frames and frames without agents.
struct RandomScenes {
  MemoryStore store;
  std::vector<scene::Interval> scenes;  ///< frames of each scene
  std::vector<scene::Interval> frames;  ///< agents of each frame
  std::vector<std::int64_t> timestamps;
  std::vector<PlacedAgent> agents;

  /// Returns the row of a track in a frame.
  std::optional<std::int64_t> find(std::int64_t frame, std::uint64_t track) const {
    const auto& rows = frames[static_cast<std::size_t>(frame)];
    for (auto row = rows.begin; row < rows.end; ++row) {
      if (agents[static_cast<std::size_t>(row)].agent.track_id == track) return row;
    }
    return std::nullopt;
  }
};

/// Makes a random data set of `count` scenes with the given chunk lengths.
inline RandomScenes random_scenes(std::uint32_t seed, std::int64_t count,
                                  std::uint64_t chunk_rows,
                                  const std::string& codec = "none") {
  RandomScenes out;
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t limit) {
    return static_cast<std::int64_t>(random() % limit);
  };
  scene::WriterOptions options;
  options.codec = codec;
  options.scenes_per_chunk = 3;
  options.frames_per_chunk = 1 + chunk_rows / 2;
  options.agents_per_chunk = chunk_rows;
  options.faces_per_chunk = 7;
  scene::Writer writer(out.store, options);
  for (std::int64_t s = 0; s < count; ++s) {
    const auto first = writer.frame_count();
    const auto length = below(6) == 0 ? 0 : below(12);
    const scene::Scene record{
        {first, first + length}, "host-" + std::to_string(s % 3), 0, 1};
    writer.append(std::span<const scene::Scene>(&record, 1));
    out.scenes.push_back(record.frame_index_interval);
    std::int64_t time = 1'500'000'000'000'000'000 + s;
    for (auto f = first; f < first + length; ++f) {
      time += below(8) == 0 ? 700'000'000 : 100'000'000;
      scene::Frame frame;
      frame.timestamp = time;
      frame.ego_translation = {static_cast<double>(f), 2, 0};
      const auto begin = writer.agent_count();
      for (std::uint64_t track = 1; track <= 6; ++track) {
        if (below(4) == 0) continue;
        scene::Agent agent;
        agent.track_id = track;
        agent.centroid = {static_cast<double>(below(1000)) / 8, 3.0};
        agent.velocity = {static_cast<float>(below(40)), 0};
        agent.yaw = static_cast<float>(below(100)) / 16;
        agent.label_probabilities[static_cast<std::size_t>(below(17))] = 0.75F;
        out.agents.push_back({agent, writer.agent_count(), f, s});
        writer.append(std::span<const scene::Agent>(&agent, 1));
      }
      frame.agent_index_interval = {begin, writer.agent_count()};
      writer.append(std::span<const scene::Frame>(&frame, 1));
      out.frames.push_back(frame.agent_index_interval);
      out.timestamps.push_back(time);
    }
  }
  writer.close();
  return out;
}

}  // namespace bev::test
