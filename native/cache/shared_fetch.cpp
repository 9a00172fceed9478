#include "native/cache/shared_fetch.hpp"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <map>
#include <utility>

namespace bev::native {
namespace {

constexpr std::chrono::milliseconds kPollInterval{20};

/// The fetches of one process.
struct Table {
  pid_t process = 0;
  std::mutex mutex{};
  std::map<std::string, std::shared_ptr<SharedFetch>> fetches{};
  Table* parent = nullptr;  ///< kept: threads of this process may have held its lock
};

/// Returns the table of this process. A fork's child starts with an empty one, because
/// the threads that would end the fetches do not exist there.
Table& table() {
  static std::atomic<Table*> current{nullptr};
  auto* found = current.load();
  while (found == nullptr || found->process != ::getpid()) {
    auto made = std::make_unique<Table>();
    made->process = ::getpid();
    made->parent = found;
    if (current.compare_exchange_strong(found, made.get())) return *made.release();
  }
  return *found;
}

}  // namespace

std::shared_ptr<const Fetched> SharedFetch::wait(const std::function<void()>& pause) {
  std::unique_lock lock(mutex_);
  while (!ended_signal_.wait_for(lock, kPollInterval, [&] { return ended_; })) {
    lock.unlock();
    pause();
    lock.lock();
  }
  return result_;
}

FetchLeader::~FetchLeader() {
  finish(nullptr);
}

void FetchLeader::finish(const std::function<Fetched()>& result) {
  if (!fetch_) return;
  const auto fetch = std::exchange(fetch_, nullptr);
  bool has_waiters = false;
  {
    auto& all = table();
    const std::lock_guard lock(all.mutex);
    all.fetches.erase(name_);
    has_waiters = fetch.use_count() > 1;  // nobody joins any more
  }
  std::shared_ptr<const Fetched> shared;
  if (result && has_waiters) shared = std::make_shared<const Fetched>(result());
  {
    const std::lock_guard lock(fetch->mutex_);
    fetch->result_ = std::move(shared);
    fetch->ended_ = true;
  }
  fetch->ended_signal_.notify_all();
}

FetchPlace join_fetch(const std::string& name) {
  auto& all = table();
  const std::lock_guard lock(all.mutex);
  const auto [place, added] = all.fetches.try_emplace(name);
  if (!added) return {nullptr, place->second};
  place->second = std::make_shared<SharedFetch>();
  return {std::make_unique<FetchLeader>(name, place->second), nullptr};
}

}  // namespace bev::native
