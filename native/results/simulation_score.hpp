#pragma once

#include <string>
#include <vector>

#include "native/export/row_writer.hpp"

namespace bev::native {

/// Writes a row for each of nuPlan's simulations: its names, and the measures that need no
/// map; docs/results.md defines them. Returns the number of rows.
///
/// Memory  A simulation; the rows.
/// Throws  errors of each_simulation() and make_row_writer()
std::size_t score_simulations(const std::vector<std::string>& paths,
                              const std::string& format, const Write& write);

}  // namespace bev::native
