#include "core/store/read_ahead.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

#include "core/base/error.hpp"
#include "core/store/chunk_finder.hpp"
#include "core/store/plan.hpp"

namespace bev::store {

namespace {

// Keeps the network busy while chunks are decoded.
constexpr std::uint64_t kChunks = 8;
// Prefetched chunks may use one part in this many of the budget.
constexpr std::uint64_t kBudgetParts = 2;

std::vector<Request> requests_for(Store& store, const Array& array, std::uint64_t begin,
                                  std::uint64_t end) {
  Plan plan(store, "what follows in " + array.name());
  ChunkFinder finder(store, plan, array, Missing::fill);
  for (auto number = begin; number < end; ++number) {
    const std::span chunk(&number, 1);
    const bool here = !array.meta.sharding && store.holds(array.key(chunk));
    try {
      if (!here) finder.find(chunk);
    } catch (const Error&) {
      continue;  // damaged chunk: the query that needs it reports the error
    }
  }
  try {
    return plan.finish();
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

std::vector<Request> read_ahead(Store& store, const Array& array,
                                const RowSelection& rows,
                                std::span<const zarr::ColumnSlot> slots) {
  if (array.columns != nullptr) return read_ahead_fields(store, array, rows, slots);
  const auto chunk_rows = array.meta.chunk_rows();
  if (array.meta.shape.size() != 1 || !rows.contiguous()) return {};
  if (rows.count == 0 || rows.count < chunk_rows / 2) return {};
  auto& stats = store.array_stats(array);
  const auto end = rows.first + rows.count;
  const bool continues = rows.first > 0 && rows.first == stats.scan_end;
  stats.scan_end = end;
  if (!continues) {
    stats.scan_begin = rows.first;
    stats.prefetched_until = 0;
    return {};
  }
  const auto chunks_until = [&](std::uint64_t row) {
    return row / chunk_rows + (row % chunk_rows > 0 ? 1 : 0);
  };
  const auto next = chunks_until(end);
  const auto begin = std::max(next, stats.prefetched_until);
  const auto budget_chunks = store.cache().byte_budget / kBudgetParts /
                             std::max<std::size_t>(1, stats.chunk_bytes);
  const auto scanned = (end - stats.scan_begin) / chunk_rows;
  const auto last =
      std::min(chunks_until(array.length()),
               next + std::min<std::uint64_t>({kChunks, budget_chunks, scanned}));
  stats.prefetched_until = std::max(begin, last);
  return requests_for(store, array, begin, last);
}

}  // namespace bev::store
