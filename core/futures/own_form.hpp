#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "core/futures/futures.hpp"
#include "core/futures/submission_index.hpp"

// The form of futures that is ours: rows of poses (CSV), or arrays (NPZ). docs/results.md
// defines it.

namespace bev::futures {

/// The id of the ego vehicle in files of our own form, which need not know its number.
/// join_futures() replaces it.
inline constexpr std::uint64_t kEgoId = std::numeric_limits<std::uint64_t>::max();

/// Returns the id of a text: a number below 2^63, or kEgoId for "AV".
std::optional<std::uint64_t> own_agent_id(std::string_view text) noexcept;

/// What an index keeps of a file of our own form to read its scenarios.
class OwnForm {
 public:
  OwnForm() = default;
  OwnForm(const OwnForm&) = delete;
  OwnForm& operator=(const OwnForm&) = delete;
  virtual ~OwnForm() = default;

  /// Reads a scenario.
  ///
  /// @param bytes    of ScenarioRange::bytes
  /// @throws Error   invalid_metadata, naming rollout, agent and step, for invalid values;
  ///                 limit_exceeded above `limits`, before memory is allocated
  virtual FuturesData read(std::string_view bytes, const ScenarioRange& scenario,
                           const Limits& limits) const = 0;

  /// Whether the begin of the file makes it anew, so that an index can be kept without it.
  virtual bool may_have_side_file() const noexcept { return false; }
};

/// Throws  limit_exceeded, naming what is too much
void check_limits(std::size_t rollouts, std::size_t agents, std::size_t steps,
                  std::size_t values, const Limits& limits);

}  // namespace bev::futures
