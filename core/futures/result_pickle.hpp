#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/futures/own_form.hpp"

namespace bev::futures {

/// Maximum bytes of a pickle, which is read whole and kept, and the agents of its
/// predictions.
inline constexpr std::uint64_t kMaxResultPickle = std::uint64_t{256} << 20U;
inline constexpr std::size_t kMaxPickledAgents = 1'000'000;

class PickledResults;

/// Finds the scenarios of a pickle of results. Nothing is imported or called: any class or
/// function but those of NumPy's arrays is refused by its name.
///
/// - PufferDrive: a dict of the arrays x, y, heading and, optional, z, (A, R, T), and of id
///   and scenario_id, whose first axis is A: joint futures of all scenarios.
/// - MTR and its followers: a list, also of lists, of dicts with scenario_id, object_id,
///   pred_trajs (modes, T, 2) and, optional, pred_scores (modes): modes of single agents.
///
/// The last of the T steps is frame 90, which ends the scenarios of Waymo. Poses with NaN
/// are absent.
///
/// Memory  That of the file, and some 100 bytes for each of its values.
/// Throws  as pickle::read(); unsupported for a pickle of something else; invalid_metadata,
///         naming the member, for other shapes and types; limit_exceeded above a limit
class PickleIndexer {
 public:
  PickleIndexer(std::string name, std::uint64_t file_size);

  std::optional<ByteRange> missing() const;
  void supply(std::span<const std::byte> bytes);
  SubmissionShard take();

 private:
  SubmissionShard out_;
  std::uint64_t size_;
  bool is_complete_ = false;
};

}  // namespace bev::futures
