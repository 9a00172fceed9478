// What reading_groups.cpp is compared with: the dispatcher without operations.
#include "wasm/groups.hpp"

namespace bev::wasm {

ops::Dispatcher::Groups groups() {
  return {};
}

}  // namespace bev::wasm
