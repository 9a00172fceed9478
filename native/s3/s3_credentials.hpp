#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "native/http/http_credentials.hpp"

namespace bev::native {

/// Keys that the program gave, and when they expire (nullopt: never).
struct S3Keys {
  std::string access_key;
  std::string secret_key;
  std::string session_token{};  ///< "": none
  std::optional<std::chrono::system_clock::time_point> expires{};
};

/// Returns the keys for a bucket; nullopt: requests are anonymous.
using S3Callback = std::function<std::optional<S3Keys>(const std::string& bucket)>;

/// Keys of a bucket from a callback, which is called for the first request, then 5
/// minutes before they expire (after half of the remaining time, if that is later), and
/// after a service has refused them as expired. Threads that need keys meanwhile wait.
///
/// Throws  bev::Error of the callback as it is. For other exceptions network, with the
///         exception nested and without its text; invalid_argument for keys that have
///         expired or are no part of a header, without quoting them, and if the callback
///         itself needs these keys
class S3Credentials final : public HttpCredentials {
 public:
  using Time = std::chrono::system_clock::time_point;
  using Clock = std::function<Time()>;

  S3Credentials(S3Callback callback, std::string bucket, std::string region,
                Clock clock = &std::chrono::system_clock::now)
      : callback_(std::move(callback)),
        bucket_(std::move(bucket)),
        region_(std::move(region)),
        clock_(std::move(clock)) {}

  std::optional<HttpSigning> current() override;
  std::optional<HttpSigning> renewed(const HttpSigning& expired) override;

 private:
  std::unique_lock<std::mutex> lock();
  std::optional<S3Keys> call() const;
  void refresh();

  const S3Callback callback_;
  const std::string bucket_;
  const std::string region_;
  const Clock clock_;
  std::mutex mutex_;
  std::atomic<std::thread::id> caller_{};  // of the callback
  bool is_known_ = false;
  std::optional<HttpSigning> signing_;
  std::optional<Time> refresh_at_;
};

/// The credentials of all buckets of a callback.
///
/// Thread safety  All functions are safe.
class S3CredentialStore {
 public:
  explicit S3CredentialStore(S3Callback callback) : callback_(std::move(callback)) {}

  /// Returns the credentials of a bucket, the same at each call.
  std::shared_ptr<HttpCredentials> of(const std::string& bucket,
                                      const std::string& region);

 private:
  const S3Callback callback_;
  std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<S3Credentials>> known_;
};

/// Sets the callback that gives all keys of this process, in place of environment and
/// files; nullptr: these again. Sources and stores that are open keep what they have.
///
/// Thread safety  Safe.
void set_s3_callback(S3Callback callback);

/// Returns the credentials of the process's callback; nullptr without one.
std::shared_ptr<S3CredentialStore> s3_credentials();

}  // namespace bev::native
