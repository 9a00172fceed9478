#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "tests/support/copy_scenes.hpp"
#include "tests/support/files.hpp"

namespace bev::test {

/// Codecs of copies; WebAssembly writes none.
#ifdef __EMSCRIPTEN__
inline constexpr std::array kCopyCodecs = {"none"};
#else
inline constexpr std::array kCopyCodecs = {"none", "zstd", "blosc:zstd", "blosc:lz4"};
#endif

/// Returns a copy of all scenes with one array per field, or of another layout.
inline MemoryStore copy_of(const MemoryStore& store, scene::CopyLayout layout) {
  MemoryStore out;
  scene::Copier copier(out, description_of(store), layout);
  std::vector<std::uint64_t> scenes(static_cast<std::size_t>(copier.scene_count()));
  std::iota(scenes.begin(), scenes.end(), std::uint64_t{0});
  copy_scenes(store, copier, scenes);
  copier.close();
  return out;
}

inline MemoryStore columnar_copy(const MemoryStore& store,
                                 scene::CopyLayout layout = {}) {
  layout.columnar = true;
  return copy_of(store, layout);
}

/// Returns a data set of one folder, in memory.
inline MemoryStore store_in(const std::string& folder) {
  MemoryStore out;
  const auto add = [&](const std::string& key) {
    const auto bytes = find_file(folder + "/" + key);
    if (bytes) out.put(key, *bytes);
    return bytes.has_value();
  };
  for (const auto* key : {".zgroup", ".zattrs", ".zmetadata"}) add(key);
  for (const std::string name : {"scenes", "frames", "agents", "traffic_light_faces"}) {
    add(name + "/.zarray");
    for (int chunk = 0; add(name + "/" + std::to_string(chunk)); ++chunk) continue;
  }
  return out;
}

}  // namespace bev::test
