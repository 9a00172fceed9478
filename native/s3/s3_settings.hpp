#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "native/http/http_client.hpp"
#include "native/s3/s3_credentials.hpp"

namespace bev::native {

/// Returns an environment variable; nullopt if it is not set or empty.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// How to reach S3 or a service that speaks its protocol.
struct S3Settings {
  std::string endpoint;      ///< "https://host:port"; "": Amazon's
  bool virtual_host = true;  ///< the bucket is part of the host's name, not of the path
  std::string region;
  std::optional<HttpSigning> signing;  ///< nullopt: requests are anonymous
  /// In place of `signing`, if the program gives the keys
  std::shared_ptr<S3CredentialStore> credentials = nullptr;

  /// Returns `http` with what requests to a bucket of this service need.
  HttpSettings applied_to(HttpSettings http, const std::string& bucket) const;
};

/// Reads the settings that Amazon's tools use:
///
/// - AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN; otherwise the profile
///   AWS_PROFILE (default "default") of ~/.aws/credentials and ~/.aws/config, or of
///   AWS_SHARED_CREDENTIALS_FILE and AWS_CONFIG_FILE; otherwise requests are anonymous
/// - AWS_REGION, AWS_DEFAULT_REGION, the profile's `region`, us-east-1
/// - AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, the profile's `endpoint_url`. Such a service
///   is asked with the bucket in the path, unless the profile's s3 section has
///   `addressing_style = virtual`
///
/// @param credentials  gives the keys instead, if it is not nullptr
/// Throws  invalid_argument for an incomplete pair of keys, an AWS_PROFILE that does not
///         exist or has no keys, and invalid values, without quoting any of them
S3Settings s3_settings(const Environment& environment,
                       std::shared_ptr<S3CredentialStore> credentials = nullptr);

/// The same for the environment and the callback of the process.
S3Settings s3_settings();

}  // namespace bev::native
