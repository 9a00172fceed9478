#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "core/engine/sample_query.hpp"

namespace bev::library {

/// Builds samples on several threads: the calling thread reads their data, in order, and
/// all threads draw.
class SamplePipeline {
 public:
  /// The two halves of a sample; `gather` runs on the calling thread, `build` on any.
  struct Steps {
    std::function<void(SampleQuery&, std::size_t)> gather, build;
  };

  /// @param queries  of one engine, at least one; each is used for one sample at a time
  SamplePipeline(std::span<SampleQuery* const> queries, Steps steps);

  /// Builds the samples [begin, end).
  ///
  /// Throws  the error of the first sample that failed, after the others have ended
  void run(std::size_t begin, std::size_t end, std::size_t threads);

 private:
  /// A sample whose data is gathered.
  struct Job {
    SampleQuery* query;
    std::size_t index;
  };
  void feed(std::size_t begin, std::size_t end);
  SampleQuery* idle_query();
  bool gather(SampleQuery& query, std::size_t index);
  void work();
  std::optional<Job> next_job(bool wait);
  void build(const Job& job);
  void record_failure(std::size_t index);
  void end_feeding();

  Steps steps_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<SampleQuery*> idle_;
  std::deque<Job> ready_;
  bool fed_ = false;
  std::optional<std::pair<std::size_t, std::exception_ptr>> failure_;  ///< the first
};

}  // namespace bev::library
