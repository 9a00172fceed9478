#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "native/s3/s3_client.hpp"

namespace bev::native {

/// Clients of a bucket for any number of threads.
class S3Clients {
 public:
  S3Clients(S3Settings settings, std::string bucket, HttpSettings http)
      : settings_(std::move(settings)),
        bucket_(std::move(bucket)),
        http_(std::move(http)) {}

  /// Calls `work` with a client that no other thread uses meanwhile.
  template <class Work>
  auto with(const Work& work) {
    auto client = take();
    struct Return {
      S3Clients* clients;
      std::unique_ptr<S3Client>* client;
      ~Return() { clients->give(std::move(*client)); }
    } const back{this, &client};
    return work(*client);
  }

  /// Failed requests are not sent again, by any thread.
  void stop_retries() noexcept { stopped_ = true; }

 private:
  std::unique_ptr<S3Client> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        auto client = std::move(idle_.back());
        idle_.pop_back();
        return client;
      }
    }
    auto client = std::make_unique<S3Client>(settings_, bucket_, http_);
    client->stop_retries_if(stopped_);
    return client;
  }

  void give(std::unique_ptr<S3Client> client) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(client));
  }

  S3Settings settings_;
  std::string bucket_;
  HttpSettings http_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<S3Client>> idle_;
  std::atomic<bool> stopped_ = false;
};

}  // namespace bev::native
