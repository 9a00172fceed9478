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
class SharedFetch {
 public:
  /// Returns the result; nullptr if the fetch ended without one: it failed, or its
  /// reader was cancelled.
  ///
  /// @param pause  called repeatedly while waiting; may throw to stop waiting
  std::shared_ptr<const Fetched> wait(const std::function<void()>& pause);

 private:
  friend class FetchLeader;
  std::mutex mutex_;
  std::condition_variable ended_signal_;
  std::shared_ptr<const Fetched> result_;
  bool ended_ = false;
};

/// Fetches for all that joined, which wait until it is destroyed.
class FetchLeader {
 public:
  FetchLeader(std::string name, std::shared_ptr<SharedFetch> fetch)
      : name_(std::move(name)), fetch_(std::move(fetch)) {}
  FetchLeader(const FetchLeader&) = delete;
  FetchLeader& operator=(const FetchLeader&) = delete;
  /// Ends the fetch without a result, unless finish() did.
  ~FetchLeader();

  /// Ends the fetch. Calls `result` only if another reader waits.
  void finish(const std::function<Fetched()>& result);

 private:
  std::string name_;
  std::shared_ptr<SharedFetch> fetch_;
};

/// The place in a fetch: as its leader, or as one of those that wait.
struct FetchPlace {
  std::unique_ptr<FetchLeader> leader;  ///< set for the first reader
  std::shared_ptr<SharedFetch> fetch;   ///< set for all others
};

/// Joins the process's fetch of that name, or starts one.
FetchPlace join_fetch(const std::string& name);

}  // namespace bev::native
