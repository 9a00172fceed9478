#pragma once

#include <span>

#include "core/engine/engine.hpp"
#include "core/engine/query.hpp"
#include "native/source/source.hpp"

namespace bev::native {

/// Reads from `source` what `query` lacks, round by round, until it can be built.
///
/// @throws Error  what the source throws, and what the query says of what it was given
void run(Engine& engine, Query& query, Source& source);

/// One round of that: answers requests of some query with what `source` has.
void supply(Engine& engine, std::span<const store::Request> round, Source& source);

}  // namespace bev::native
