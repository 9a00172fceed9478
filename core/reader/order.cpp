#include "core/reader/order.hpp"

#include <algorithm>

#include "core/reader/hash.hpp"

namespace bev::reader {

EpochOrder::EpochOrder(const Plan& plan, std::uint64_t epoch, std::uint64_t blocks)
    : mode_(plan.order.mode),
      shard_(plan.shard),
      seed_(plan.order.seed),
      epoch_(plan.order.repeat ? 0 : epoch),
      blocks_(blocks),
      per_group_(mode_ == OrderMode::blocks ? plan.order.group
                 : mode_ == OrderMode::full ? std::max<std::uint64_t>(1, blocks)
                                            : 1) {
  if (mode_ == OrderMode::blocks) order_.emplace(blocks, seed_, epoch_);
}

std::uint64_t EpochOrder::groups() const noexcept {
  return blocks_ / per_group_ + (blocks_ % per_group_ > 0 ? 1 : 0);
}

std::uint64_t EpochOrder::group_size(std::uint64_t group) const noexcept {
  return std::min(per_group_, blocks_ - group_begin(group));
}

std::uint64_t EpochOrder::block(std::uint64_t ordinal) const {
  return order_ ? (*order_)(ordinal) : ordinal;
}

std::optional<std::uint64_t> EpochOrder::owner(std::uint64_t ordinal) const {
  if (shard_.mode == ShardMode::strided) return std::nullopt;
  return (shard_.mode == ShardMode::blocks ? ordinal : block(ordinal)) % shard_.count;
}

EpochOrder::Items EpochOrder::items(std::uint64_t group, std::uint64_t count) const {
  Items out;
  if (mode_ == OrderMode::blocks || mode_ == OrderMode::full) {
    // Another permutation in every group, also in groups of equal size.
    out.permutation_.emplace(count, mixed(seed_ ^ mixed(group + 1)), epoch_);
  }
  return out;
}

}  // namespace bev::reader
