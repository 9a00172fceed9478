#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace bev::eval {

/// Bytes that several sets of predictions may use together.
struct MemoryBudget {
  std::size_t limit = std::size_t{1} << 30;
  std::size_t used = 0;
};

/// A set's part of a budget, returned to it on destruction.
class MemoryShare {
 public:
  /// A share without a budget, which is unlimited.
  MemoryShare() = default;
  explicit MemoryShare(std::shared_ptr<MemoryBudget> budget) noexcept
      : budget_(std::move(budget)) {}
  MemoryShare(MemoryShare&& other) noexcept
      : budget_(std::move(other.budget_)), bytes_(std::exchange(other.bytes_, 0)) {}
  MemoryShare& operator=(MemoryShare&& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~MemoryShare() {
    if (budget_) budget_->used -= bytes_;
  }

  /// Adds bytes to the share; returns false, without adding them, if the budget does
  /// not have them.
  [[nodiscard]] bool grow(std::size_t bytes) noexcept {
    if (!budget_) return true;
    if (bytes > budget_->limit - budget_->used) return false;
    budget_->used += bytes;
    bytes_ += bytes;
    return true;
  }

  std::size_t bytes() const noexcept { return bytes_; }
  /// Limit of the budget; 0 without one.
  std::size_t limit() const noexcept { return budget_ ? budget_->limit : 0; }

 private:
  std::shared_ptr<MemoryBudget> budget_;
  std::size_t bytes_ = 0;
};

}  // namespace bev::eval
