#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "native/s3/s3_address.hpp"
#include "native/s3/s3_client.hpp"
#include "native/s3/s3_settings.hpp"
#include "native/source/http_source.hpp"
#include "native/source/validated_source.hpp"

namespace bev::native {

/// A store below a prefix of a bucket: "s3://bucket/town.zarr" has the key agents/3 as
/// object town.zarr/agents/3. Reads as HttpSource does, with signed requests, and lists
/// objects.
///
/// Throws         see HttpSource; list() also invalid_metadata
/// Thread safety  None: use one source from one thread.
class S3Source final : public ValidatedSource {
 public:
  S3Source(const S3Address& address, const S3Settings& settings,
           const HttpSettings& http = {});

  std::optional<std::vector<std::byte>> read(
      const std::string& key, const std::optional<ByteRange>& range) override {
    return objects_.read(key, range);
  }
  void read_all(std::span<const store::Request> requests,
                const OnAnswer& take) override {
    objects_.read_all(requests, take);
  }
  /// Objects whose names are not keys (a/, a//b) are left out.
  std::optional<std::vector<Listed>> list(const std::string& prefix) override;
  std::optional<std::uint64_t> size(const std::string& key) override {
    return objects_.size(key);
  }
  std::vector<std::optional<std::uint64_t>> sizes(
      std::span<const std::string> keys) override {
    return objects_.sizes(keys);
  }
  void check_unchanged() override { objects_.check_unchanged(); }

  std::string url_of(const std::string& key) const override {
    return objects_.url_of(key);
  }
  const Validator& answered_state() const override { return objects_.answered_state(); }
  std::uint64_t received_bytes() const override { return objects_.received_bytes(); }
  std::uint64_t state_requests() const override { return objects_.state_requests(); }
  std::vector<std::optional<Validator>> states(
      std::span<const std::string> keys) override {
    return objects_.states(keys);
  }

 private:
  S3Address address_;
  HttpSource objects_;
  S3Client client_;
};

}  // namespace bev::native
