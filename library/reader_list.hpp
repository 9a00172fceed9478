#pragma once

#include <bevscope/reader.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace bev::library {

/// Throws invalid_argument if the readers' fields differ; `thing` is the prefix of the
/// message.
void check_same_fields(std::vector<Reader>& readers, std::string_view thing);

std::vector<std::string> states_of(std::vector<Reader>& readers);

/// Restores all readers, or after an error none.
void restore(std::vector<Reader>& readers, const std::vector<std::string>& states);

}  // namespace bev::library
