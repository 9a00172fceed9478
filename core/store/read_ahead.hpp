#pragma once

#include <vector>

#include "core/store/request.hpp"
#include "core/store/selection.hpp"
#include "core/store/store.hpp"

namespace bev::store {

/// What of the chunks after `rows` is to be read by whoever goes on as it does:
/// nothing, unless the rows are much of a chunk and begin where those of the last call
/// for this array ended. No more than were read so since somebody began, nor than
/// eight, nor than half of the budget holds; and each is told once. To be called once
/// for each question, when it has asked for what it needs itself.
///
/// Errors    None: what is wrong with a chunk shows when it is asked for.
/// Threads   Those of the store.
std::vector<Request> read_ahead(Store& store, const Array& array,
                                const RowSelection& rows);

}  // namespace bev::store
