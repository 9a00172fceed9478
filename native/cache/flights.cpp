#include "native/cache/flights.hpp"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <map>
#include <utility>

namespace bev::native {
namespace {

constexpr std::chrono::milliseconds kPollInterval{20};

/// The flights of one process.
struct Table {
  pid_t process = 0;
  std::mutex mutex{};
  std::map<std::string, std::shared_ptr<Flight>> flights{};
  Table* parent = nullptr;  ///< kept: threads of this process may have held its lock
};

/// Returns the table of this process. A fork's child starts with an empty one, because
/// the threads that would end the flights do not exist there.
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

std::shared_ptr<const Fetched> Flight::wait(const std::function<void()>& pause) {
  std::unique_lock lock(mutex_);
  while (!ended_signal_.wait_for(lock, kPollInterval, [&] { return ended_; })) {
    lock.unlock();
    pause();
    lock.lock();
  }
  return result_;
}

FlightLead::~FlightLead() {
  land(nullptr);
}

void FlightLead::land(const std::function<Fetched()>& result) {
  if (!flight_) return;
  const auto flight = std::exchange(flight_, nullptr);
  bool has_waiters = false;
  {
    auto& all = table();
    const std::lock_guard lock(all.mutex);
    all.flights.erase(name_);
    has_waiters = flight.use_count() > 1;  // nobody joins any more
  }
  std::shared_ptr<const Fetched> landed;
  if (result && has_waiters) landed = std::make_shared<const Fetched>(result());
  {
    const std::lock_guard lock(flight->mutex_);
    flight->result_ = std::move(landed);
    flight->ended_ = true;
  }
  flight->ended_signal_.notify_all();
}

FlightSeat join_flight(const std::string& name) {
  auto& all = table();
  const std::lock_guard lock(all.mutex);
  const auto [place, added] = all.flights.try_emplace(name);
  if (!added) return {nullptr, place->second};
  place->second = std::make_shared<Flight>();
  return {std::make_unique<FlightLead>(name, place->second), nullptr};
}

}  // namespace bev::native
