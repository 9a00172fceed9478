#pragma once

#include <span>
#include <vector>

#include "core/reader/limits.hpp"
#include "core/zarr/number.hpp"

namespace bev::reader {

/// Returns the distinct values of the first element of a field of integers, as runs in
/// ascending order: 1, 2, 3, 7 are [1, 3] and [7, 7].
std::vector<ValueRun> runs_of(const FieldRows& field);

/// Whether a number is in one of the runs, which are in ascending order.
bool contains(std::span<const ValueRun> runs, const zarr::Number& number) noexcept;

}  // namespace bev::reader
