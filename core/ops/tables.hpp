#pragma once

#include <span>

#include "core/ops/operation.hpp"

namespace bev::ops {

/// The operations by subject. A program, or a module, has some of these groups.
std::span<const Operation> dataset_operations();
std::span<const Operation> map_operations();
std::span<const Operation> sample_operations();
std::span<const Operation> agent_operations();
std::span<const Operation> archive_operations();
std::span<const Operation> parquet_operations();
std::span<const Operation> reader_operations();
std::span<const Operation> fact_operations();
std::span<const Operation> tool_operations();
std::span<const Operation> review_operations();
std::span<const Operation> distribution_operations();
std::span<const Operation> series_operations();
std::span<const Operation> rollout_operations();
std::span<const Operation> futures_operations();
std::span<const Operation> score_operations();
std::span<const Operation> model_operations();
std::span<const Operation> unroll_operations();
std::span<const Operation> patch_operations();
std::span<const Operation> convert_operations();
std::span<const Operation> simulation_operations();
std::span<const Operation> save_operations();
std::span<const Operation> writable_operations();

}  // namespace bev::ops
