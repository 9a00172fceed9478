// The module that reading_groups.cpp is compared with: the door without operations.
#include "wasm/groups.hpp"

namespace bev::wasm {

ops::Door::Groups groups() {
  return {};
}

}  // namespace bev::wasm
