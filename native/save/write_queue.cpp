#include "native/save/write_queue.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

namespace bev::native {

WriteQueue::WriteQueue(std::size_t threads, std::size_t max_bytes,
                       std::function<void()> on_wait)
    : max_bytes_(max_bytes), on_wait_(std::move(on_wait)) {
  try {
    while (threads_.size() < std::max<std::size_t>(threads, 1)) {
      threads_.emplace_back([this] { run(); });
    }
  } catch (const std::system_error&) {
    if (threads_.empty()) throw;  // fewer threads do the same work
  }
}

WriteQueue::~WriteQueue() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    jobs_.clear();
  }
  changed_.notify_all();
  for (auto& thread : threads_) thread.join();
}

template <class Done>
void WriteQueue::wait_until(std::unique_lock<std::mutex>& lock, const Done& is_done) {
  constexpr std::chrono::milliseconds kPause{100};
  if (!on_wait_) return changed_.wait(lock, is_done);
  while (!changed_.wait_for(lock, kPause, is_done)) {
    lock.unlock();
    on_wait_();
    lock.lock();
  }
}

void WriteQueue::add(std::size_t bytes, std::function<void()> work) {
  std::unique_lock lock(mutex_);
  wait_until(lock, [&] {
    return failure_ != nullptr || bytes_ == 0 || bytes_ + bytes <= max_bytes_;
  });
  rethrow();
  jobs_.push_back({bytes, std::move(work)});
  bytes_ += bytes;
  peak_ = std::max(peak_, bytes_);
  changed_.notify_all();
}

void WriteQueue::wait() {
  std::unique_lock lock(mutex_);
  wait_until(lock, [&] { return jobs_.empty() && running_ == 0; });
  rethrow();
}

std::size_t WriteQueue::peak_bytes() const {
  const std::lock_guard lock(mutex_);
  return peak_;
}

void WriteQueue::rethrow() const {
  if (failure_) std::rethrow_exception(failure_);
}

void WriteQueue::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ended_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    auto job = std::move(jobs_.front());
    jobs_.pop_front();
    ++running_;
    lock.unlock();
    std::exception_ptr failure;
    try {
      job.work();
    } catch (...) {
      failure = std::current_exception();
    }
    job.work = nullptr;  // frees its bytes before they are counted as free
    lock.lock();
    --running_;
    bytes_ -= job.bytes;
    if (failure && !failure_) failure_ = failure;
    if (failure_) {
      for (const auto& waiting : jobs_) bytes_ -= waiting.bytes;
      jobs_.clear();
    }
    changed_.notify_all();
  }
}

}  // namespace bev::native
