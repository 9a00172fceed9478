#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "native/serve/record.hpp"

namespace bev::serve {

/// Counters of a server since it started.
///
/// A request is counted when its answer ends, sent bytes as they are passed to the
/// system. A text is not a snapshot: requests that end meanwhile may be in one metric
/// and not yet in another. Within the histogram, the buckets and the count agree.
///
/// Thread safety  All functions are safe.
class Metrics {
 public:
  Metrics() noexcept;

  void open() noexcept;   ///< a connection was accepted
  void close() noexcept;  ///< a connection ended
  void send(std::uint64_t bytes) noexcept;
  void count(const Record& record) noexcept;

  /// Returns the counters in Prometheus' text format.
  ///
  /// @param dropped_lines  of the access log
  /// Reference  https://prometheus.io/docs/instrumenting/exposition_formats/
  std::string text(std::uint64_t dropped_lines = 0) const;

 private:
  using Counter = std::atomic<std::uint64_t>;
  static constexpr std::size_t kMethods = 4;   // GET, HEAD, OPTIONS, others
  static constexpr std::size_t kClasses = 4;   // 2xx to 5xx
  static constexpr std::size_t kBuckets = 16;  // the last one without a limit

  std::string requests_text() const;
  std::string duration_text() const;

  const std::chrono::steady_clock::time_point started_;
  const std::chrono::system_clock::time_point started_at_;
  std::array<std::array<Counter, kClasses>, kMethods> requests_{};
  std::array<Counter, kBuckets> durations_{};
  Counter duration_ns_{0};
  Counter aborted_{0};
  Counter sent_bytes_{0};
  Counter opened_{0};
  Counter closed_{0};
};

}  // namespace bev::serve
