#pragma once

#include <bevscope/arrays.hpp>
#include <memory>
#include <span>

#include "core/engine/result_array.hpp"

namespace bev::library {

/// Returns the arrays of a result without copying them; `owner` owns their memory.
Arrays arrays_of(std::span<const ResultArray> results,
                 std::shared_ptr<const void> owner);

}  // namespace bev::library
