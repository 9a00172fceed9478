#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <string>

#include "core/geom/trig.hpp"
#include "core/scene/writer.hpp"
#include "tests/support/memory_store.hpp"

namespace bev::test {

/// A road user that drives with random changes of speed and heading; the same on every
/// platform.
class RandomDriver {
 public:
  RandomDriver(std::mt19937& random, double x, double y, double yaw)
      : random_(random), x_(x), y_(y), yaw_(yaw), speed_(number(10)) {}

  void drive(double seconds) {
    if (random_() % 20 == 0) turn_ = number(1) - 0.5;
    if (random_() % 15 == 0) push_ = number(10) - 6;
    speed_ = std::max(0.0, std::min(15.0, speed_ + push_ * seconds));
    if (speed_ > 0) yaw_ += turn_ * seconds;
    const auto heading = geom::sincos(yaw_);
    x_ += speed_ * heading.cos * seconds;
    y_ += speed_ * heading.sin * seconds;
  }

  double x() const { return x_; }
  double y() const { return y_; }
  double yaw() const { return yaw_; }

 private:
  double number(double size) {
    return static_cast<double>(random_() % 1000) / 1000 * size;
  }

  std::mt19937& random_;
  double x_, y_, yaw_, speed_, turn_ = 0, push_ = 0;
};

inline scene::Agent driven_agent(const RandomDriver& driver, std::uint64_t id,
                                 std::mt19937& random) {
  scene::Agent agent;
  agent.centroid = {driver.x(), driver.y()};
  agent.extent = {4.5F, 1.8F, 1.5F};
  agent.yaw = static_cast<float>(driver.yaw());
  agent.track_id = id;
  const std::array<std::size_t, 4> labels{3, 12, 14, 1};
  agent.label_probabilities[labels[id % 4]] = random() % 12 == 0 ? 0.25F : 0.75F;
  agent.label_probabilities[3] += 0.125F;
  return agent;
}

/// Writes `scenes` scenes in which the ego vehicle and 12 agents drive about each other:
/// with pauses, missing frames, tracks that occur twice in a frame, and NaN.
inline MemoryStore driven_store(std::uint32_t seed, std::int64_t scenes,
                                std::int64_t frames,
                                const std::string& codec = "none") {
  MemoryStore store;
  scene::WriterOptions options;
  options.codec = codec;  // in wasm, "none"
  options.agents_per_chunk = codec == "none" ? options.agents_per_chunk : 2000;
  scene::Writer writer(store, options);
  std::mt19937 random(seed);
  for (std::int64_t s = 0; s < scenes; ++s) {
    const auto first = writer.frame_count();
    const scene::Scene record{{first, first + frames}, "host", 0, 1};
    writer.append(std::span<const scene::Scene>(&record, 1));
    RandomDriver ego(random, 0, 0, 0.3);
    std::vector<RandomDriver> others;
    for (int i = 0; i < 12; ++i) {
      const auto at = [&] { return static_cast<double>(random() % 60) - 30; };
      others.emplace_back(random, at(), at(), at() / 10);
    }
    std::int64_t time = s * 100'000'000'000;
    for (std::int64_t f = 0; f < frames; ++f) {
      const std::int64_t step = random() % 40 == 0 ? 1'400'000'000 : 100'000'000;
      time += random() % 60 == 0 ? 0 : step;
      scene::Frame frame;
      frame.timestamp = time;
      frame.ego_translation = {ego.x(), ego.y(), 0};
      const auto heading = geom::sincos(ego.yaw());
      frame.ego_rotation = {
          heading.cos, -heading.sin, 0, heading.sin, heading.cos, 0, 0, 0, 1};
      const auto begin = writer.agent_count();
      std::vector<scene::Agent> agents;
      for (std::size_t i = 0; i < others.size(); ++i) {
        others[i].drive(0.1);
        if (random() % 25 == 0) continue;
        agents.push_back(driven_agent(others[i], i, random));
        if (random() % 50 == 0) agents.push_back(agents.front());
      }
      frame.agent_index_interval = {begin,
                                    begin + static_cast<std::int64_t>(agents.size())};
      frame.traffic_light_faces_index_interval = {0, 0};
      writer.append(std::span<const scene::Frame>(&frame, 1));
      writer.append(std::span<const scene::Agent>(agents));
      ego.drive(0.1);
    }
  }
  writer.close();
  return store;
}

}  // namespace bev::test
