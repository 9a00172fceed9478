#include <array>
#include <cstdio>

#include "core/ops/describe.hpp"
#include "core/ops/tables.hpp"

/// Prints the table of operations as JSON, for scripts/operations.mjs.
int main() {
  using namespace bev::ops;
  const std::array groups{
      dataset_operations(), map_operations(),          sample_operations(),
      agent_operations(),   archive_operations(),      parquet_operations(),
      reader_operations(),  fact_operations(),         tool_operations(),
      review_operations(),  distribution_operations(), series_operations(),
      rollout_operations(), futures_operations(),      score_operations(),
      model_operations(),   unroll_operations(),       patch_operations(),
      convert_operations(), simulation_operations(),   save_operations(),
      writable_operations()};
  std::puts(describe(groups).c_str());
  return 0;
}
