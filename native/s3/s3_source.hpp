#pragma once

#include <optional>
#include <string>
#include <vector>

#include "native/s3/s3_address.hpp"
#include "native/s3/s3_client.hpp"
#include "native/s3/s3_settings.hpp"
#include "native/source/http_source.hpp"

namespace bev::native {

/// A store below a prefix of a bucket: "s3://bucket/town.zarr" has the key agents/3 as
/// object town.zarr/agents/3. Reads as HttpSource does, with signed requests, and lists
/// objects.
///
/// Throws         see HttpSource; list() also invalid_metadata
/// Thread safety  None: use one source from one thread.
class S3Source final : public HttpSource {
 public:
  S3Source(const S3Address& address, const S3Settings& settings,
           const HttpSettings& http = {});

  /// Objects whose names are not keys (a/, a//b) are left out.
  std::optional<std::vector<Listed>> list(const std::string& prefix) override;

 private:
  S3Address address_;
  S3Client client_;
};

}  // namespace bev::native
