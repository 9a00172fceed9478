#include <array>

#include "core/ops/tables.hpp"
#include "wasm/groups.hpp"

namespace bev::wasm {

ops::Dispatcher::Groups groups() {
  static const std::array all{ops::dataset_operations(), ops::map_operations(),
                              ops::sample_operations(),  ops::agent_operations(),
                              ops::archive_operations(), ops::parquet_operations(),
                              ops::reader_operations(),  ops::fact_operations(),
                              ops::unroll_operations(),  ops::patch_operations()};
  return all;
}

}  // namespace bev::wasm
