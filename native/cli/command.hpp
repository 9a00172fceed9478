#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/error.hpp"

namespace bev::cli {

/// A subcommand of `bevscope`. `run` gets the words after its name and returns the exit
/// status; it may throw Error, UsageError and standard exceptions.
struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(std::span<const std::string> words);
};

/// Returns the error's text, with the option that avoids it if there is one.
std::string text_of(const Error& error);

/// Runs `bevscope WORDS...`. Exceptions become a line on standard error with prefix
/// "bevscope: ". Exit status: 0 success, 1 data or network error, 2 usage error.
int run(std::span<const Command> commands, std::span<const std::string> words);

}  // namespace bev::cli
