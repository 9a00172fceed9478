#pragma once

#include "tests/support/memory_store.hpp"
#include "tests/support/small_scenes.hpp"

namespace bev::test {

/// Returns two scenes, of which the second has no ego vehicle.
inline MemoryStore store_without_ego() {
  auto store = small_store();
  store.text(".zattrs", R"({"bevscope": {"scenes": [{}, {"ego_is_virtual": true}]}})");
  store.objects.erase(".zmetadata");
  return store;
}

}  // namespace bev::test
