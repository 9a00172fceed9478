#include "native/facts/versions.hpp"

#include <string>

#include "core/scan/fact_archive.hpp"

namespace bev::native {

void set_versions(Engine& engine, Source& source) {
  if (source.version(std::string(FactArchive::kKey)).empty()) return;
  engine.set_version([&source](const std::string& key) { return source.version(key); });
}

}  // namespace bev::native
