#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace bev::store {

/// Errors of chunks that could not be read, so that a damaged chunk is fetched and
/// decoded once and not once per query.
///
/// Bounded: beyond kMaxFailures the oldest failure is dropped.
class Failures {
 public:
  static constexpr std::size_t kMaxFailures = 4096;

  /// Records `error` for the chunk `name` in the object `key`. The first error stays.
  void add(std::string_view key, std::string_view name, const Error& error);

  /// Throws the error that was recorded for this chunk, if any.
  void check(std::string_view name) const;

  /// Drops the failures of the object `key`, or all if `key` is empty.
  ///
  /// Returns  The keys of the dropped failures; their bytes must not be used again.
  std::vector<std::string> forget(std::string_view key);

  std::size_t size() const noexcept { return all_.size(); }

 private:
  struct Failure {
    std::string name;
    std::string key;
    Error error;
    std::uint64_t order;  ///< the oldest failure has the smallest
  };

  const Failure* find(std::string_view name) const;

  std::vector<Failure> all_;  ///< sorted by name
  std::uint64_t next_order_ = 0;
};

}  // namespace bev::store
