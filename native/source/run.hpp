#pragma once

#include <span>

#include "core/engine/engine.hpp"
#include "core/engine/query.hpp"
#include "native/source/source.hpp"

namespace bev::native {

/// Reads what `query` lacks from `source`, round by round, until it can be built.
///
/// Throws  errors of the source and of the query
void run(Engine& engine, Query& query, Source& source);

/// Answers one round of requests from `source`.
void supply(Engine& engine, std::span<const store::Request> round, Source& source);

}  // namespace bev::native
