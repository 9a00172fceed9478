#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/reader/statistics.hpp"
#include "core/scan/fact_archive.hpp"
#include "core/scan/make_fact_file.hpp"
#include "native/source/source.hpp"

namespace bev::native {

/// Options of index_facts().
struct IndexFactsOptions {
  std::optional<std::string> map = {};             ///< file of the semantic map
  const reader::Statistics* statistics = nullptr;  ///< of the data set as it is
  std::function<void(std::uint64_t done, std::uint64_t all)> progress = {};
};

/// Computes the facts of a data set's scenes and publishes them at `path`, in the folder
/// ".bevscope" of the data set's folder, by one rename; see make_fact_file(). The file has
/// the time of the data set's newest object, so that readers by HTTP detect objects that
/// are modified later.
///
/// Returns  nullopt, after writing nothing, for a store without scenes, frames and agents
/// Throws   As make_fact_file() and NewFile; `changed` if an object was modified meanwhile
std::optional<FactFileMade> index_facts(Source& source, const std::string& path,
                                        const IndexFactsOptions& options);

/// Returns a line: "facts: 8 scenes (6 kept), 310 tracks".
std::string text_of_facts(const FactFileMade& facts);

/// Reads all facts beside a data set; returns why they are not of it as it is, "" if they
/// are or if there are none.
///
/// @param statistics  of the data set as it is, of which every chunk was read
std::string difference_of_facts(Source& source, const reader::Statistics& statistics);

}  // namespace bev::native
