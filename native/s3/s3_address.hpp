#pragma once

#include <string>
#include <string_view>

#include "core/base/address.hpp"
#include "native/s3/s3_settings.hpp"

namespace bev::native {

/// Whether the command line's DATASET names an object or a prefix of S3: "s3://..".
bool is_s3(std::string_view dataset);

/// Whether the command line's DATASET is a URL or an address of a host.
bool is_remote(std::string_view dataset);

/// Returns the URL of an address hf:// or gs://, and others unchanged. The environment
/// variable HF_ENDPOINT names another server than https://huggingface.co, as for
/// huggingface_hub.
std::string without_host_scheme(const std::string& dataset);

/// A parsed "s3://bucket/path/to/x.zarr". Names are not URL-encoded in it.
struct S3Address : BucketObject {
  /// Throws  invalid_argument, also for a key with empty segments, "." or ".."
  static S3Address parse(const std::string& text);

  /// Returns the bucket's URL, without a slash at its end.
  std::string bucket_url(const S3Settings& settings) const;

  /// Returns the URL of an object of the bucket.
  std::string url(const S3Settings& settings, std::string_view object) const;
};

}  // namespace bev::native
