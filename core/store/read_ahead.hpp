#pragma once

#include <vector>

#include "core/store/request.hpp"
#include "core/store/selection.hpp"
#include "core/store/store.hpp"

namespace bev::store {

/// Returns the requests that prefetch the chunks after `rows`. Empty unless the rows
/// are contiguous, cover at least half a chunk and continue the previous call for this
/// array.
///
/// Prefetches at most eight chunks, no more chunks than the sequential scan has read so
/// far, and at most half of the byte budget. Returns each chunk once per scan. Call it
/// once per query, after the query's own requests.
///
/// Throws         Nothing for damaged chunks: the query that reads them reports the
///                error.
/// Thread safety  As the store.
std::vector<Request> read_ahead(Store& store, const Array& array,
                                const RowSelection& rows);

}  // namespace bev::store
