#pragma once

#include <string>

namespace bev::native {

/// Whether a path is a JSON file, or the folder of a version of nuScenes.
bool has_tables(const std::string& path);

/// Returns a description of a JSON file, or of the tables in a folder of nuScenes, as
/// JSON: the number of records, and of the first one the fields with their types; of a
/// map, for each layer.
///
/// Throws  invalid_metadata, naming the file, for what is not JSON; not_found; io.
std::string describe_tables(const std::string& path);

/// Prints the records of a table, or of a file's layer, as lines of JSON.
///
/// Throws  not_found for another table or layer; as describe_tables()
void print_records(const std::string& path, const std::string& name);

}  // namespace bev::native
