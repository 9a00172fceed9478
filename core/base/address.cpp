#include "core/base/address.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/secrets.hpp"
#include "core/base/url_text.hpp"

namespace bev {
namespace {

constexpr std::string_view kHf = "hf://";
constexpr std::string_view kS3 = "s3://";
constexpr std::string_view kGs = "gs://";
constexpr std::size_t kMaxName = 255;
constexpr std::string_view kHostCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";

bool is_host_name(std::string_view name, std::size_t min) {
  return name.size() >= min && name.size() <= kMaxName && name[0] != '.' &&
         name.find_first_not_of(kHostCharacters) == name.npos;
}

/// Throws for user names and queries, which may be secret.
void check_without_secrets(const std::string& address) {
  const auto shown = without_secrets(address);
  if (shown == address) return;
  fail_at(Errc::invalid_argument, shown,
          {"addresses ", std::string_view(address).substr(0, 5),
           " have no user and no query (open https:// for a presigned URL)"});
}

/// Removes slashes at the end, and throws unless the rest is a key or empty.
std::string_view key_in(std::string_view text) {
  while (text.ends_with('/')) text.remove_suffix(1);
  if (text.empty() || is_key(text)) return text;
  fail(Errc::invalid_argument,
       {"\"", text, "\": invalid key (expected names separated by slashes)"});
}

/// Removes and returns the text before a slash, which is removed, too.
std::string_view next_segment(std::string_view& text) {
  const auto found = text.substr(0, text.find('/'));
  text.remove_prefix(std::min(found.size() + 1, text.size()));
  return found;
}

/// A revision's length in "refs/pr/1/a.zarr" or "v1/a.zarr".
std::size_t revision_length(std::string_view text) {
  auto rest = text;
  if (next_segment(rest) != "refs") return std::min(text.find('/'), text.size());
  const auto kind = next_segment(rest);
  if (kind != "pr" && kind != "convert") return std::min(text.find('/'), text.size());
  return std::min(text.find('/', text.size() - rest.size()), text.size());
}

/// Encodes a revision as one segment; "%2F" in it is a slash already.
std::string encoded_revision(std::string_view text) {
  std::string plain(text);
  for (const std::string_view slash : {"%2F", "%2f"}) {
    for (auto at = plain.find(slash); at != plain.npos; at = plain.find(slash, at)) {
      plain.replace(at, slash.size(), "/");
    }
  }
  return url_encoded(plain, "");
}

std::string hf_url(const std::string& address, const AddressServers& servers) {
  check_without_secrets(address);
  auto rest = std::string_view(address).substr(kHf.size());
  std::string kind;
  for (const std::string_view one : {"datasets/", "spaces/", "models/"}) {
    if (!rest.starts_with(one)) continue;
    if (one != "models/") kind = one;  // models are at the root
    rest.remove_prefix(one.size());
  }
  const auto owner = next_segment(rest);
  const auto at = rest.find_first_of("@/");
  const auto name = rest.substr(0, at);
  rest.remove_prefix(name.size());
  std::string_view revision = "main";
  if (rest.starts_with('@')) {
    rest.remove_prefix(1);
    revision = rest.substr(0, revision_length(rest));
    rest.remove_prefix(revision.size());
  }
  const bool is_kind = owner == "buckets" || owner == "kernels";
  if (is_kind || !is_host_name(owner, 1) || !is_host_name(name, 1) ||
      revision.empty()) {
    fail_at(Errc::invalid_argument, address,
            {"not an address of Hugging Face (expected "
             "hf://datasets/OWNER/NAME[@REVISION]/PATH)"});
  }
  if (!rest.empty()) rest.remove_prefix(1);
  const auto key = key_in(rest);
  std::string out =
      servers.hf_endpoint.empty() ? "https://huggingface.co" : servers.hf_endpoint;
  out += "/" + kind;
  out += owner;
  out += "/";
  out += name;
  out += "/resolve/" + encoded_revision(revision);
  return key.empty() ? out : out + "/" + url_encoded(key);
}

}  // namespace

bool is_host_address(std::string_view text) {
  return text.starts_with(kHf) || text.starts_with(kS3) || text.starts_with(kGs);
}

BucketObject bucket_object_of(const std::string& address) {
  check_without_secrets(address);
  auto rest = std::string_view(address).substr(kS3.size());
  const auto bucket = rest.substr(0, rest.find('/'));
  if (!is_host_name(bucket, 3)) {
    fail_at(Errc::invalid_argument, address, {"invalid name of a bucket"});
  }
  rest.remove_prefix(bucket.size());
  while (rest.ends_with('/')) rest.remove_suffix(1);
  if (!rest.empty()) rest.remove_prefix(1);
  return {std::string(bucket), std::string(key_in(rest))};
}

std::string s3_bucket_url(const std::string& bucket, const AddressServers& servers) {
  const auto& region = servers.s3_region;
  if (!region.empty() && !is_host_name(region, 1)) {
    fail(Errc::invalid_argument, {"region of S3: invalid (found \"", region, "\")"});
  }
  auto endpoint = servers.s3_endpoint;
  if (!endpoint.empty() && !servers.s3_virtual_host) return endpoint + "/" + bucket;
  if (endpoint.empty()) {
    endpoint = "https://s3" + (region.empty() ? "" : "." + region) + ".amazonaws.com";
  }
  // Certificates do not cover names with dots
  if (!servers.s3_virtual_host || bucket.find('.') != bucket.npos) {
    return endpoint + "/" + bucket;
  }
  const auto host = endpoint.find("//") + 2;
  return endpoint.substr(0, host) + bucket + "." + endpoint.substr(host);
}

std::string url_of_address(const std::string& address, const AddressServers& servers) {
  if (address.starts_with(kHf)) return hf_url(address, servers);
  if (!is_host_address(address)) {
    fail_at(Errc::invalid_argument, address,
            {"unsupported scheme (expected hf://, s3:// or gs://)"});
  }
  const auto [bucket, key] = bucket_object_of(address);
  auto out = address.starts_with(kGs) ? "https://storage.googleapis.com/" + bucket
                                      : s3_bucket_url(bucket, servers);
  return key.empty() ? out : out + "/" + url_encoded(key);
}

}  // namespace bev
