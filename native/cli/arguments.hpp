#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bev::cli {

/// An invalid command line: exit status 2, with a pointer to --help.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An option of a command.
struct Option {
  std::string name;         ///< without dashes: "rows"
  std::string value;        ///< value placeholder in the help: "A:B[:S]"; "" for a flag
  std::string help;         ///< one or more lines, separated by \n
  std::string letter = "";  ///< short form: "o" for -o

  /// Values of an option that may be given without one: any other word after it is not
  /// its value. Without a value, the option's value is "".
  std::vector<std::string> choices = {};

  /// Whether it may be given more than once; if not, a second value is an error.
  bool repeats = false;
};

/// A command's syntax and its --help text.
struct Usage {
  std::string command;      ///< "cat"
  std::string synopsis;     ///< "DATASET/ARRAY [OPTION]..."
  std::string summary;      ///< one line
  std::string description;  ///< paragraphs
  std::vector<Option> options;
  std::string examples;
};

/// A parsed command line.
class Arguments {
 public:
  const std::vector<std::string>& operands() const noexcept { return operands_; }
  bool has(std::string_view option) const { return values_.contains(option); }

  /// Returns the value of an option, or nullopt if not given.
  std::optional<std::string> value(std::string_view option) const;

  /// Returns all values of an option that may be repeated, in order.
  std::vector<std::string> all(std::string_view option) const;

  /// Returns the value of an option that is one of `choices`: the first if not given.
  ///
  /// Throws  UsageError for another value
  std::string choice(std::string_view option,
                     std::initializer_list<std::string_view> choices) const;

 private:
  friend Arguments parse_arguments(const Usage&, std::span<const std::string>);

  std::vector<std::string> operands_;
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

/// Parses `--name value`, `--name=value` and `-o value`; `--` ends the options. Every
/// command accepts `--help`, which the caller checks with has("help").
///
/// Throws  UsageError for an unknown option, a missing value, an unexpected value or a
///         second value
Arguments parse_arguments(const Usage& usage, std::span<const std::string> words);

/// Returns the text of `bevscope COMMAND --help`.
std::string help_text(const Usage& usage);

/// Parses an integer within [least, most]; `what` is the prefix of errors: "--port".
///
/// Throws  UsageError
long long whole_number(std::string_view text, std::string_view what, long long least,
                       long long most);

/// Parses a size in bytes: "65536", "500MB" (10^6), "2GiB" (2^30); `what` is the prefix
/// of errors. Units: B, kB, MB, GB, TB, KiB, MiB, GiB, TiB.
///
/// Throws  UsageError
std::uint64_t byte_size(std::string_view text, std::string_view what);

}  // namespace bev::cli
