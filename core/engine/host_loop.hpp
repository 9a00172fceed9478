#pragma once

#include <memory>
#include <span>

#include "core/engine/engine.hpp"
#include "core/engine/query.hpp"
#include "include/bevscope/source.hpp"

// The loop of native hosts, whose sources block. A page's worker has its own.

namespace bev {

/// Reads what `query` lacks from `source`, round by round, until it can be built.
///
/// Throws  errors of the source and of the query
void run(Engine& engine, Query& query, Source& source);

/// Does the same for several queries, whose requests of a round are read together.
void run_together(Engine& engine, std::span<const std::shared_ptr<Query>> queries,
                  Source& source);

/// Answers one round of requests from `source`.
void supply(Engine& engine, std::span<const store::Request> round, Source& source);

/// Reads one round of requests from `source`, and passes on the answers.
void read_round(std::span<const store::Request> round, Source& source,
                const Source::OnAnswer& take);

}  // namespace bev
