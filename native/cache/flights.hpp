#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "native/http/http_policy.hpp"

namespace bev::native {

/// An object's bytes and its state.
struct Fetched {
  std::optional<std::vector<std::byte>> bytes;  ///< nullopt: the object is absent
  Validator validator;
};

/// A fetch in progress, which other readers of this process can wait for.
///
/// Thread safety  Concurrent calls are safe.
class Flight {
 public:
  /// Returns the result; nullptr if the fetch ended without one: it failed, or its
  /// reader was cancelled.
  ///
  /// @param pause  called repeatedly while waiting; may throw to stop waiting
  std::shared_ptr<const Fetched> wait(const std::function<void()>& pause);

 private:
  friend class FlightLead;
  std::mutex mutex_;
  std::condition_variable ended_signal_;
  std::shared_ptr<const Fetched> result_;
  bool ended_ = false;
};

/// The right and duty to fetch: the readers that joined wait until it is destroyed.
class FlightLead {
 public:
  FlightLead(std::string name, std::shared_ptr<Flight> flight)
      : name_(std::move(name)), flight_(std::move(flight)) {}
  FlightLead(const FlightLead&) = delete;
  FlightLead& operator=(const FlightLead&) = delete;
  /// Ends the flight without a result, unless land() did.
  ~FlightLead();

  /// Ends the flight. Calls `result` only if another reader waits.
  void land(const std::function<Fetched()>& result);

 private:
  std::string name_;
  std::shared_ptr<Flight> flight_;
};

/// The place in a flight: as its leader, or as one of those that wait.
struct FlightSeat {
  std::unique_ptr<FlightLead> lead;  ///< set for the first reader
  std::shared_ptr<Flight> flight;    ///< set for all others
};

/// Joins the process's fetch of that name, or starts one.
FlightSeat join_flight(const std::string& name);

}  // namespace bev::native
