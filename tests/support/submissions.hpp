#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/futures/shard.hpp"

// Made-up submissions to the Waymo challenges: the schema, with content of our own.

namespace bev::test {

/// How a message is encoded; readers must accept all of it.
struct Encoding {
  bool is_reversed = false;  ///< fields in descending order
  bool is_packed = true;
};

namespace submission_wire {

/// Concatenates fields, in ascending or descending order.
inline std::string fields(std::vector<std::string> list, Encoding encoding) {
  if (encoding.is_reversed) std::reverse(list.begin(), list.end());
  std::string out;
  for (const auto& one : list) out += one;
  return out;
}

inline std::string message(protozero::pbf_tag_type tag, std::string_view bytes) {
  std::string out;
  protozero::pbf_writer(out).add_bytes(tag, bytes.data(), bytes.size());
  return out;
}

inline std::string number(protozero::pbf_tag_type tag, std::int32_t value) {
  std::string out;
  protozero::pbf_writer(out).add_int32(tag, value);
  return out;
}

inline std::string real(protozero::pbf_tag_type tag, float value) {
  std::string out;
  protozero::pbf_writer(out).add_float(tag, value);
  return out;
}

inline std::string reals(protozero::pbf_tag_type tag, const std::vector<float>& values,
                         Encoding encoding) {
  std::string out;
  protozero::pbf_writer writer(out);
  if (encoding.is_packed) {
    writer.add_packed_float(tag, values.begin(), values.end());
  } else {
    for (const float value : values) writer.add_float(tag, value);
  }
  return out;
}

}  // namespace submission_wire

struct MadeTrajectory {
  std::int32_t id = 0;
  std::vector<float> x, y, z, yaw;
  std::vector<float> width, length, height;  ///< absent but in scenario generation
};

/// Returns a trajectory of `steps` steps along x from (x, y).
inline MadeTrajectory trajectory_along(std::int32_t id, float x, float y,
                                       std::size_t steps = 80) {
  MadeTrajectory out{id, {}, {}, {}, {}, {}, {}, {}};
  for (std::size_t t = 0; t < steps; ++t) {
    out.x.push_back(x + static_cast<float>(t) / 8);
    out.y.push_back(y);
    out.z.push_back(0.5F);
    out.yaw.push_back(0);
  }
  return out;
}

using MadeScene = std::vector<MadeTrajectory>;

/// Encodes a ScenarioRollouts.
inline std::string rollouts_message(std::string_view id,
                                    const std::vector<MadeScene>& scenes,
                                    Encoding encoding = {}) {
  namespace wire = submission_wire;
  std::vector<std::string> out{wire::message(1, id)};
  for (const auto& scene : scenes) {
    std::string agents;
    for (const auto& one : scene) {
      agents += wire::message(
          1, wire::fields(
                 {wire::reals(2, one.x, encoding), wire::reals(3, one.y, encoding),
                  wire::reals(4, one.z, encoding), wire::reals(5, one.yaw, encoding),
                  wire::number(6, one.id), wire::reals(7, one.width, encoding),
                  wire::reals(8, one.length, encoding),
                  wire::reals(9, one.height, encoding)},
                 encoding));
    }
    out.push_back(wire::message(2, agents));
  }
  // Repeated fields keep their order.
  if (encoding.is_reversed) std::reverse(out.begin() + 1, out.end());
  return wire::fields(std::move(out), encoding);
}

/// A mode of a single agent, or of several.
struct MadeMode {
  float confidence = 0;
  std::vector<MadeTrajectory> agents;
};

inline std::string path_message(const MadeTrajectory& one, Encoding encoding) {
  namespace wire = submission_wire;
  return wire::fields(
      {wire::reals(2, one.x, encoding), wire::reals(3, one.y, encoding)}, encoding);
}

/// Encodes a ChallengeScenarioPredictions with modes of single agents: the id of each
/// list is that of its first mode.
inline std::string motion_message(std::string_view id,
                                  const std::vector<std::vector<MadeMode>>& agents,
                                  Encoding encoding = {}) {
  namespace wire = submission_wire;
  std::string set;
  for (const auto& modes : agents) {
    std::string list;
    for (const auto& mode : modes) {
      list += wire::message(
          2, wire::fields({wire::message(1, path_message(mode.agents.at(0), encoding)),
                           wire::real(2, mode.confidence)},
                          encoding));
    }
    const auto object = wire::number(1, modes.at(0).agents.at(0).id);
    set += wire::message(1, wire::fields({object, list}, encoding));
  }
  return wire::fields({wire::message(1, id), wire::message(2, set)}, encoding);
}

/// Encodes a ChallengeScenarioPredictions with joint modes.
inline std::string interaction_message(std::string_view id,
                                       const std::vector<MadeMode>& modes,
                                       Encoding encoding = {}) {
  namespace wire = submission_wire;
  std::string list;
  for (const auto& mode : modes) {
    std::string agents;
    for (const auto& one : mode.agents) {
      agents +=
          wire::message(2, wire::fields({wire::number(1, one.id),
                                         wire::message(2, path_message(one, encoding))},
                                        encoding));
    }
    list += wire::message(
        1, wire::fields({agents, wire::real(3, mode.confidence)}, encoding));
  }
  return wire::fields({wire::message(1, id), wire::message(3, list)}, encoding);
}

/// Encodes a submission: scenarios, then metadata of the method `made`.
inline std::string submission_file(const std::vector<std::string>& scenarios,
                                   std::string_view method = "made",
                                   Encoding encoding = {}) {
  namespace wire = submission_wire;
  std::string list;
  for (const auto& one : scenarios) list += wire::message(1, one);
  return wire::fields(
      {list, wire::number(2, 1), wire::message(3, "someone@example.com"),
       wire::message(4, method), wire::message(5, "Some One"),
       wire::message(6, "Example University"), wire::message(7, "A description."),
       wire::message(8, "https://example.com/made"), wire::number(9, 0),
       wire::message(12, "200K")},
      encoding);
}

/// Bytes and requests that a reader has taken from a source.
struct ReadCounts {
  std::uint64_t bytes = 0, requests = 0, largest = 0;
};

using ReadRange = std::function<std::vector<std::byte>(ByteRange)>;

/// Builds the index of a shard from ranges.
inline futures::SubmissionShard indexed(std::string name, std::uint64_t size,
                                        const ReadRange& read,
                                        ReadCounts* counts = nullptr) {
  futures::ShardIndexer indexer(std::move(name), size);
  while (const auto range = indexer.missing()) {
    if (counts != nullptr) {
      counts->bytes += range->size();
      counts->largest = std::max(counts->largest, range->size());
      ++counts->requests;
    }
    indexer.supply(read(*range));
  }
  return indexer.take();
}

/// Builds the index of a shard in memory.
inline futures::SubmissionShard indexed(std::string name, std::string_view file,
                                        ReadCounts* counts = nullptr) {
  const auto read = [file](ByteRange range) {
    const auto part = file.substr(static_cast<std::size_t>(range.begin),
                                  static_cast<std::size_t>(range.size()));
    const auto bytes = std::as_bytes(std::span<const char>(part.data(), part.size()));
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  };
  return indexed(std::move(name), file.size(), read, counts);
}

/// Returns the bytes of a scenario.
inline std::string_view message_of(std::string_view file,
                                   const futures::ScenarioRange& scenario) {
  return file.substr(static_cast<std::size_t>(scenario.bytes.begin),
                     static_cast<std::size_t>(scenario.bytes.size()));
}

}  // namespace bev::test
