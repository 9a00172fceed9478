#include "native/s3/s3_address.hpp"

#include <cstdlib>

#include "core/base/error.hpp"
#include "native/http/url_text.hpp"

namespace bev::native {
namespace {

std::string hf_endpoint() {
  const char* const value = std::getenv("HF_ENDPOINT");
  std::string out = value == nullptr ? "" : value;
  while (out.ends_with('/')) out.pop_back();
  if (out.empty() || (is_url(out) && out.find_first_of("?#@") == out.npos)) return out;
  fail(Errc::invalid_argument,
       {"HF_ENDPOINT: not an http(s) URL without user and query"});
}

}  // namespace

bool is_s3(std::string_view dataset) {
  return dataset.starts_with("s3://");
}

bool is_remote(std::string_view dataset) {
  return is_url(dataset) || is_host_address(dataset);
}

std::string without_host_scheme(const std::string& dataset) {
  if (!is_host_address(dataset) || is_s3(dataset)) return dataset;
  AddressServers servers;
  servers.hf_endpoint = hf_endpoint();
  return url_of_address(dataset, servers);
}

S3Address S3Address::parse(const std::string& text) {
  if (!is_s3(text)) {
    fail_at(Errc::invalid_argument, text,
            {"not an S3 address (expected s3://BUCKET/KEY)"});
  }
  return {bucket_object_of(text)};
}

std::string S3Address::bucket_url(const S3Settings& settings) const {
  return s3_bucket_url(bucket,
                       {settings.endpoint, settings.region, settings.virtual_host, {}});
}

std::string S3Address::url(const S3Settings& settings, std::string_view object) const {
  return bucket_url(settings) + "/" + url_encoded(object);
}

}  // namespace bev::native
