#pragma once

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
    return std::make_unique<S3Client>(settings_, bucket_, http_);
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
};

}  // namespace bev::native
