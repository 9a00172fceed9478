#include "library/sample_pipeline.hpp"

#include "core/base/parallel.hpp"

namespace bev::library {

SamplePipeline::SamplePipeline(std::span<SampleQuery* const> queries, Steps steps)
    : steps_(std::move(steps)), idle_(queries.begin(), queries.end()) {}

void SamplePipeline::run(std::size_t begin, std::size_t end, std::size_t threads) {
  // Other threads take one call each, which ends when feeding has ended, so that at
  // least one call is left for this thread.
  const auto caller = std::this_thread::get_id();
  in_parallel(threads, [&](std::size_t) {
    if (std::this_thread::get_id() == caller) {
      feed(begin, end);
    } else {
      work();
    }
  });
  if (failure_) std::rethrow_exception(failure_->second);
}

void SamplePipeline::feed(std::size_t begin, std::size_t end) {
  if (fed_) return;
  for (std::size_t i = begin; i < end; ++i) {
    auto* const query = idle_query();
    if (query == nullptr || !gather(*query, i)) break;
    const std::lock_guard lock(mutex_);
    ready_.push_back({query, i});
    changed_.notify_one();
  }
  end_feeding();
  work();
}

/// Returns a query that is not in use; builds samples meanwhile. Null after a failure.
SampleQuery* SamplePipeline::idle_query() {
  for (;;) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failure_ || !idle_.empty() || !ready_.empty(); });
    if (failure_) return nullptr;
    if (!idle_.empty()) {
      auto* const query = idle_.back();
      idle_.pop_back();
      return query;
    }
    lock.unlock();
    if (const auto job = next_job(false)) build(*job);
  }
}

bool SamplePipeline::gather(SampleQuery& query, std::size_t index) {
  try {
    steps_.gather(query, index);
    return true;
  } catch (...) {
    record_failure(index);
    query.release_pins();
    return false;
  }
}

void SamplePipeline::work() {
  while (const auto job = next_job(true)) build(*job);
}

std::optional<SamplePipeline::Job> SamplePipeline::next_job(bool wait) {
  std::unique_lock lock(mutex_);
  if (wait) changed_.wait(lock, [&] { return fed_ || !ready_.empty(); });
  if (ready_.empty()) return std::nullopt;
  const auto job = ready_.front();
  ready_.pop_front();
  return job;
}

void SamplePipeline::build(const Job& job) {
  try {
    steps_.build(*job.query, job.index);
  } catch (...) {
    record_failure(job.index);
  }
  const std::lock_guard lock(mutex_);
  idle_.push_back(job.query);
  changed_.notify_all();
}

void SamplePipeline::record_failure(std::size_t index) {
  const std::lock_guard lock(mutex_);
  if (!failure_ || index < failure_->first) {
    failure_.emplace(index, std::current_exception());
  }
  changed_.notify_all();
}

void SamplePipeline::end_feeding() {
  const std::lock_guard lock(mutex_);
  fed_ = true;
  changed_.notify_all();
}

}  // namespace bev::library
