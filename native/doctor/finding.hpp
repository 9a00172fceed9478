#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

namespace bev::doctor {

enum class Level {
  ok,
  warning,  ///< works, but less than it could
  problem,  ///< something does not work
};

/// What an examination found about one part of the program, the machine or a server.
struct Finding {
  std::string name = {};  ///< "codecs"
  Level level = Level::ok;
  std::string found = {};   ///< one line
  std::string remedy = {};  ///< what to do; "" only if the level is ok
  nlohmann::ordered_json facts = nlohmann::ordered_json::object();  ///< for programs
};

/// Returns the findings as lines for people, remedies below them, and their number by
/// level. Addresses have no user name, password and query.
std::string report_text(std::span<const Finding> findings);

/// Returns {"version": .., "ok": .., "findings": [{"name", "level", "found", "remedy",
/// "facts"}, ..]}; `ok` is false if there is a problem.
std::string report_json(std::span<const Finding> findings);

bool has_problem(std::span<const Finding> findings);

/// Formats a size: "512 B", "1.5 GiB".
std::string size_text(std::uint64_t bytes);

}  // namespace bev::doctor
