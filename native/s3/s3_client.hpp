#pragma once

#include <atomic>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "native/http/http_client.hpp"
#include "native/s3/s3_address.hpp"
#include "native/s3/s3_settings.hpp"

namespace bev::native {

/// An object in a bucket's listing.
struct S3Object {
  std::string key;
  std::uint64_t size = 0;
};

/// The objects below a prefix.
struct S3Listing {
  std::vector<S3Object> objects;      ///< sorted by key
  std::vector<std::string> prefixes;  ///< with a delimiter: "a/b/", sorted
};

/// Requests to a bucket, one at a time, with retries.
///
/// Throws         network, with the object's URL and S3's code, for failures
/// Thread safety  None: use one client from one thread.
class S3Client {
 public:
  S3Client(const S3Settings& settings, const std::string& bucket,
           const HttpSettings& http = {});

  const std::string& bucket() const noexcept { return address_.bucket; }

  /// Returns the URL of an object; "" for the bucket.
  std::string url(const std::string& object = {}) const;

  /// Sends a request until the answer is not a transient failure.
  HttpAnswer send(const HttpRequest& request);

  /// Returns all objects whose keys begin with `prefix`, one request per thousand.
  ///
  /// @param delimiter  "/": objects further below are joined to prefixes; "": none
  /// Throws  invalid_metadata for a listing that is not S3's; limit_exceeded for more
  ///         than 10 million objects
  S3Listing list(const std::string& prefix, const std::string& delimiter = {});

  /// After `stopped` is set, by any thread, failed requests are not sent again.
  void stop_retries_if(const std::atomic<bool>& stopped) { stopped_ = &stopped; }

  /// Throws the error of a failed request.
  [[noreturn]] static void fail_answer(const HttpRequest& request,
                                       const HttpAnswer& answer);

 private:
  bool is_stopped() const noexcept { return stopped_ != nullptr && *stopped_; }

  /// Waits, unless the client is stopped.
  void wait(double ms) const;

  S3Settings settings_;
  S3Address address_;
  HttpSettings http_;
  HttpClient client_;
  const std::atomic<bool>* stopped_ = nullptr;
  std::minstd_rand random_{std::random_device{}()};
};

}  // namespace bev::native
