#pragma once

#include <bevscope/arrays.hpp>
#include <bevscope/source.hpp>
#include <memory>
#include <span>

#include "core/engine/engine.hpp"
#include "core/engine/query.hpp"

namespace bev::library {

/// Reads what `query` lacks from `source`, round by round, until it can be built.
///
/// Throws  errors of the source and of the query
void run(Engine& engine, Query& query, Source& source);

/// Does the same for several queries, whose requests of a round are read together.
void run_together(Engine& engine, std::span<const std::shared_ptr<Query>> queries,
                  Source& source);

/// Returns the arrays of a result without copying them; `owner` owns their memory.
Arrays arrays_of(std::span<const ResultArray> results,
                 std::shared_ptr<const void> owner);

}  // namespace bev::library
