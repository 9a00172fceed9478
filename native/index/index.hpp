#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/reader/statistics.hpp"
#include "core/scan/statistics_query.hpp"
#include "native/source/source.hpp"

namespace bev::native {

/// Called after each chunk with the numbers of chunks done and of all chunks.
using IndexProgress = std::function<void(std::uint64_t done, std::uint64_t all)>;

/// Statistics of a data set, and what was read for them.
struct Index {
  reader::Statistics statistics;
  std::vector<StatisticsQuery::Array> arrays;
};

/// Reads the chunks of `arrays` (if empty, L5Kit's) that are not in `earlier` or whose
/// files have changed since.
///
/// @param keys  fields whose every value is kept; nullopt: those of `earlier`
/// Throws       As StatisticsQuery; errors of the source
Index index_of(Source& source, const std::vector<std::string>& arrays,
               reader::Statistics earlier, const IndexProgress& progress,
               const std::optional<std::vector<std::string>>& keys = {});

/// Parses statistics; nullopt if there are none.
///
/// Throws  As Statistics::parse
std::optional<reader::Statistics> parse_statistics(
    const std::optional<std::vector<std::byte>>& bytes);

/// Returns a table with a row per array: chunks, chunks read, fields, bytes of the
/// statistics.
std::string index_text(const Index& index);

/// Returns a line per array whose statistics differ: "agents: 2 of 7 chunks differ".
std::string differences_text(const Index& index, const reader::Statistics& known);

}  // namespace bev::native
