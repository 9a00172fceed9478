#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "native/sample/sample_maker.hpp"

namespace bev::native {

/// Samples to store, and where.
struct MaterializeRequest {
  SampleRequest samples;
  std::string index;   ///< items, as parse_indices() reads them
  std::string folder;  ///< of the stores
};

/// Called with the samples stored so far and their number.
using MaterializeProgress = std::function<void(std::uint64_t done, std::uint64_t all)>;

/// Stored samples.
struct Materialized {
  std::string path;         ///< FOLDER/samples-0123456789abcdef.zarr
  std::uint64_t count = 0;  ///< number of samples
  bool reused = false;      ///< whether they existed
};

/// Returns the query as JSON with sorted members: the config, the options and the items,
/// and size and modification time of every file of the data set, the maps and the mask.
/// Samples are equal if their queries are, so the query's hash names the store.
///
/// Throws  unsupported for a data set at a URL, whose files cannot be compared; errors
///         of the config and of DataRoot
std::string query_of(const MaterializeRequest& request);

/// Stores samples as a zarr group with an array per key, one row per sample, unless they
/// are stored. A run that was killed is continued. See DataSaver.
///
/// Throws  As SampleMaker and DataSaver; invalid_argument for samples of different
///         shapes, for no samples and if another process stores the same ones; changed
///         if a file changed meanwhile. Nothing is then at the path.
Materialized materialize(const MaterializeRequest& request,
                         const SelectionProgress& selection,
                         const MaterializeProgress& progress);

/// Removes the stored samples of a query, also incomplete ones.
///
/// Returns  whether there were any
/// Throws   invalid_argument if another process stores them; io with the system's reason
bool remove_materialized(const MaterializeRequest& request);

}  // namespace bev::native
