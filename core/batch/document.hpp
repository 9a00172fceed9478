#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/error.hpp"

namespace bev::batch {

/// Where members of a document come from: the caller, or a text.
struct Origin {
  std::string_view where;  ///< prefix of messages
  Errc invalid;            ///< of members that are not valid
};

/// Returns JSON with sorted members. Replaces invalid UTF-8, which a parser that copies
/// strings lets through.
std::string text_of(const nlohmann::json& value);

/// Parses a text.
///
/// Throws  from.invalid for text that is not JSON; limit_exceeded for one above `limit`
nlohmann::json parsed(std::string_view text, std::size_t limit, const Origin& from);

}  // namespace bev::batch
