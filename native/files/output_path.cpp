#include "native/files/output_path.hpp"

#include "core/base/error.hpp"

namespace bev::native {

void refuse_url(const std::string& path) {
  if (path.find("://") == path.npos) return;
  fail_at(Errc::unsupported, path, {"a URL cannot be written to (expected a path)"});
}

}  // namespace bev::native
