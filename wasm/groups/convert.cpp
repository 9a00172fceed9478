#include <array>

#include "core/ops/tables.hpp"
#include "wasm/groups.hpp"

namespace bev::wasm {

ops::Dispatcher::Groups groups() {
  static const std::array all{ops::convert_operations(), ops::simulation_operations()};
  return all;
}

}  // namespace bev::wasm
