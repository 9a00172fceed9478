#include <array>

#include "core/ops/tables.hpp"
#include "wasm/groups.hpp"

namespace bev::wasm {

ops::Dispatcher::Groups groups() {
  static const std::array all{ops::tool_operations(),         ops::review_operations(),
                              ops::distribution_operations(), ops::series_operations(),
                              ops::rollout_operations(),      ops::futures_operations(),
                              ops::score_operations(),        ops::model_operations()};
  return all;
}

}  // namespace bev::wasm
