#include "native/s3/s3_source.hpp"

#include "core/base/error.hpp"
#include "native/files/file.hpp"

namespace bev::native {
namespace {

bool is_key_s3_source(const std::string& text) {
  try {
    check_key(text);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

S3Source::S3Source(const S3Address& address, const S3Settings& settings,
                   const HttpSettings& http)
    : HttpSource(address.url(settings, address.key),
                 settings.applied_to(http, address.bucket)),
      address_(address),
      client_(settings, address.bucket, http) {}

std::optional<std::vector<Listed>> S3Source::list(const std::string& prefix) {
  const auto root = address_.key.empty() ? std::string() : address_.key + "/";
  std::vector<Listed> out;
  for (const auto& object : client_.list(root + prefix).objects) {
    auto key = object.key.substr(root.size());
    if (is_key_s3_source(key)) out.push_back({std::move(key), object.size});
  }
  return out;
}

}  // namespace bev::native
