#pragma once

#include <string>
#include <string_view>

namespace bev {

/// Servers that addresses lead to. An endpoint is a URL without a slash at its end.
struct AddressServers {
  std::string s3_endpoint;  ///< "": Amazon's
  std::string s3_region;    ///< "": Amazon redirects to the bucket's
  bool s3_virtual_host =
      true;                 ///< the bucket is part of the host's name, not of the path
  std::string hf_endpoint;  ///< "": https://huggingface.co
};

/// An object of a bucket. Its names are not URL-encoded.
struct BucketObject {
  std::string bucket;
  std::string key;  ///< without slashes at its ends; "": the bucket itself
};

/// Whether a text is an address of a host that has a scheme of its own: "hf://..",
/// "s3://.." or "gs://..", in lower case.
bool is_host_address(std::string_view text);

/// Parses "s3://bucket/key" or "gs://bucket/key".
///
/// Throws  invalid_argument, also for a key with empty segments, "." or ".."
BucketObject bucket_object_of(const std::string& address);

/// Returns the URL of a bucket of S3, without a slash at its end.
std::string s3_bucket_url(const std::string& bucket, const AddressServers& servers);

/// Returns the URL of a host's address. Its path is encoded.
///
///   hf://datasets/OWNER/NAME@v1/a.zarr  https://huggingface.co/datasets/OWNER/NAME/
///                                       resolve/v1/a.zarr
///   s3://bucket/a.zarr                  https://bucket.s3.amazonaws.com/a.zarr
///   gs://bucket/a.zarr                  https://storage.googleapis.com/bucket/a.zarr
///
/// Throws     invalid_argument
/// Reference  huggingface_hub, "HF URIs": a revision is a branch, a tag, a commit,
///            refs/pr/N or refs/convert/NAME; main by default
std::string url_of_address(const std::string& address,
                           const AddressServers& servers = {});

}  // namespace bev
