#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/simulation/simulation.hpp"

namespace bev::simulation {

/// Collects frames within the limits.
class Builder {
 public:
  Simulation& out() noexcept { return out_; }

  /// Adds the bytes of a file as it is stored, of which more may be made.
  void allow(std::uint64_t bytes) noexcept { bytes_ += bytes; }

  Frame& add_frame(std::string_view where, std::int64_t time_us) {
    count(where, "frames", ++frames_, kMaxFrames);
    auto& frame = out_.frames.emplace_back();
    frame.time_us = time_us;
    return frame;
  }

  /// Adds a box of the track of that name; of a nameless one, which is seen once.
  Box& add_box(std::string_view where, Frame& frame, const std::string& track) {
    count(where, "boxes", ++boxes_, most(kMaxBoxes));
    if (track.size() > kMaxNameBytes) {
      fail_at(Errc::limit_exceeded, where,
              {"too long a track's name (limit ", kMaxNameBytes, " bytes)"});
    }
    auto& box = frame.boxes.emplace_back();
    box.track = index_of(track);
    return box;
  }

  /// Adds the frames of another simulation.
  void join(std::string_view where, Builder other) {
    allow(other.bytes_);
    auto& from = other.out_;
    std::vector<std::uint32_t> indices;
    for (const auto& track : from.tracks) indices.push_back(index_of(track));
    for (auto& frame : from.frames) {
      count(where, "frames", ++frames_, kMaxFrames);
      count(where, "boxes", boxes_ += frame.boxes.size(), most(kMaxBoxes));
      count(where, "planned states", states_ += frame.plan.size(),
            most(kMaxPlanStates));
      count(where, "lights", lights_ += frame.lights.size(), most(kMaxLights));
      for (auto& box : frame.boxes) box.track = indices[box.track];
      out_.frames.push_back(std::move(frame));
    }
    if (out_.expert.empty()) out_.expert = std::move(from.expert);
    if (out_.map.empty()) out_.map = std::move(from.map);
  }

  PlanState& add_plan_state(std::string_view where, Frame& frame) {
    count(where, "planned states", ++states_, most(kMaxPlanStates));
    return frame.plan.emplace_back();
  }

  void add_light(std::string_view where, Frame& frame, Light light) {
    count(where, "lights", ++lights_, most(kMaxLights));
    frame.lights.push_back(light);
  }

 private:
  std::uint32_t index_of(const std::string& track) {
    const auto next = static_cast<std::uint32_t>(out_.tracks.size());
    if (!track.empty()) {
      const auto [found, is_new] = tracks_.try_emplace(track, next);
      if (!is_new) return found->second;
    }
    out_.tracks.push_back(track);
    return next;
  }

  std::size_t most(std::size_t limit) const noexcept {
    return static_cast<std::size_t>(
        std::min<std::uint64_t>(limit, kFreeObjects + bytes_));
  }

  static void count(std::string_view where, const char* what, std::size_t found,
                    std::size_t limit) {
    if (found <= limit) return;
    fail_at(Errc::limit_exceeded, where, {"too many ", what, " (limit ", limit, ")"});
  }

  Simulation out_;
  std::unordered_map<std::string, std::uint32_t> tracks_;
  std::size_t frames_ = 0, boxes_ = 0, states_ = 0, lights_ = 0;
  std::uint64_t bytes_ = 0;  // of the files
};

}  // namespace bev::simulation
