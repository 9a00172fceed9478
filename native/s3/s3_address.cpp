#include "native/s3/s3_address.hpp"

#include "core/base/error.hpp"
#include "core/base/secrets.hpp"
#include "native/files/file.hpp"
#include "native/http/url_text.hpp"

namespace bev::native {
namespace {

constexpr std::string_view kScheme = "s3://";
constexpr std::size_t kMaxBucket = 255;

bool is_bucket(std::string_view name) {
  constexpr std::string_view kAllowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
  return name.size() >= 3 && name.size() <= kMaxBucket && name[0] != '.' &&
         name.find_first_not_of(kAllowed) == name.npos;
}

}  // namespace

bool is_s3(std::string_view dataset) {
  return dataset.starts_with(kScheme);
}

bool is_remote(std::string_view dataset) {
  return is_url(dataset) || is_s3(dataset);
}

S3Address S3Address::parse(const std::string& text) {
  if (!is_s3(text)) {
    fail_at(Errc::invalid_argument, text,
            {"not an S3 address (expected s3://BUCKET/KEY)"});
  }
  if (without_secrets(text) != text) {
    fail_at(Errc::invalid_argument, text,
            {"addresses s3:// have no user and no query (open https:// for a presigned "
             "URL)"});
  }
  const auto rest = text.substr(kScheme.size());
  const auto slash = std::min(rest.find('/'), rest.size());
  S3Address out{rest.substr(0, slash), rest.substr(slash)};
  if (!is_bucket(out.bucket)) {
    fail_at(Errc::invalid_argument, text, {"invalid name of a bucket"});
  }
  while (out.key.ends_with('/')) out.key.pop_back();
  if (out.key.empty()) return out;
  out.key.erase(0, 1);
  check_key(out.key);
  return out;
}

std::string S3Address::bucket_url(const S3Settings& settings) const {
  if (!settings.endpoint.empty() && !settings.virtual_host) {
    return settings.endpoint + "/" + bucket;
  }
  auto endpoint = settings.endpoint;
  if (endpoint.empty()) endpoint = "https://s3." + settings.region + ".amazonaws.com";
  // Certificates do not cover names with dots
  if (!settings.virtual_host || bucket.find('.') != bucket.npos) {
    return endpoint + "/" + bucket;
  }
  const auto host = endpoint.find("//") + 2;
  return endpoint.substr(0, host) + bucket + "." + endpoint.substr(host);
}

std::string S3Address::url(const S3Settings& settings, std::string_view object) const {
  return bucket_url(settings) + "/" + url_encoded(object);
}

}  // namespace bev::native
