#pragma once

#include <span>
#include <string>
#include <string_view>

namespace bev::cli {

/// A subcommand of `bevscope`. `run` gets the words behind its name and returns the
/// exit status; it may throw Error, UsageError and what the standard library throws.
struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(std::span<const std::string> words);
};

/// What `bevscope WORDS...` does with these commands. Exceptions become a line on
/// standard error, headed "bevscope: ", and a status: 0 done, 1 data or network, 2
/// usage.
int run(std::span<const Command> commands, std::span<const std::string> words);

}  // namespace bev::cli
