#include "core/reader/permutation.hpp"

#include "core/base/error.hpp"
#include "core/reader/hash.hpp"

namespace bev::reader {

Permutation::Permutation(std::uint64_t count, std::uint64_t seed, std::uint64_t epoch)
    : count_(count) {
  constexpr auto kMaxCount = std::uint64_t{1} << 62;
  if (count > kMaxCount) {
    fail(Errc::limit_exceeded,
         {"order: too many items (found ", count, ", limit 2^62)"});
  }
  while (half_bits_ < 31 && std::uint64_t{1} << 2 * half_bits_ < count) ++half_bits_;
  half_mask_ = (std::uint64_t{1} << half_bits_) - 1;
  auto key = mixed(seed) ^ mixed(mixed(epoch) + count);
  for (auto& one : keys_) one = key = mixed(key);
}

std::uint64_t Permutation::encrypt(std::uint64_t value) const noexcept {
  auto left = value >> half_bits_;
  auto right = value & half_mask_;
  for (const auto key : keys_) {
    const auto next = left ^ (mixed(right ^ key) & half_mask_);
    left = right;
    right = next;
  }
  return left << half_bits_ | right;
}

std::uint64_t Permutation::operator()(std::uint64_t position) const {
  if (position >= count_) {
    fail_index({"order: position "}, position, count_);
  }
  // More than a quarter of the values is in range: four steps on average at most.
  auto value = encrypt(position);
  while (value >= count_) value = encrypt(value);
  return value;
}

}  // namespace bev::reader
