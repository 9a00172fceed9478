#pragma once

#include <span>
#include <vector>

#include "core/store/request.hpp"
#include "core/store/selection.hpp"
#include "core/store/store.hpp"
#include "core/zarr/decode.hpp"

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
///
/// @param slots  what is read of a table that is stored by column; each column counts as
///               an array
std::vector<Request> read_ahead(Store& store, const Array& array,
                                const RowSelection& rows,
                                std::span<const zarr::ColumnSlot> slots = {});

/// Does the same for a table that is stored by column.
std::vector<Request> read_ahead_fields(Store& store, const Array& table,
                                       const RowSelection& rows,
                                       std::span<const zarr::ColumnSlot> slots);

}  // namespace bev::store
