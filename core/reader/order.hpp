#pragma once

#include <cstdint>
#include <optional>

#include "core/reader/permutation.hpp"
#include "core/reader/plan.hpp"

namespace bev::reader {

/// The order of one epoch: which blocks form a group, and which item of a group comes
/// next. A function of plan, epoch and numbers of blocks and items alone.
///
/// Thread safety  Immutable.
class EpochOrder {
 public:
  /// @param blocks  blocks of the table
  EpochOrder(const Plan& plan, std::uint64_t epoch, std::uint64_t blocks);

  /// Number of groups. A group's items are read together.
  std::uint64_t groups() const noexcept;

  /// Number of blocks in a group; these have the ordinals group_begin() and on.
  std::uint64_t group_size(std::uint64_t group) const noexcept;
  std::uint64_t group_begin(std::uint64_t group) const noexcept {
    return group * per_group_;
  }

  /// Returns the block at an ordinal of the epoch.
  std::uint64_t block(std::uint64_t ordinal) const;

  /// Returns the shard that the block at an ordinal belongs to; nullopt if its items
  /// are divided among all shards.
  std::optional<std::uint64_t> owner(std::uint64_t ordinal) const;

  /// The order of a group's items: position i of the epoch is item permutation(i) of
  /// the group's blocks, as stored, or sorted by track.
  class Items {
   public:
    std::uint64_t operator()(std::uint64_t position) const {
      return permutation_ ? (*permutation_)(position) : position;
    }

   private:
    friend class EpochOrder;
    std::optional<Permutation> permutation_;
  };
  Items items(std::uint64_t group, std::uint64_t count) const;

 private:
  OrderMode mode_;
  Shard shard_;
  std::uint64_t seed_;
  std::uint64_t epoch_;
  std::uint64_t blocks_;
  std::uint64_t per_group_;
  std::optional<Permutation> order_;
};

}  // namespace bev::reader
