#pragma once

#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bev::cli {

/// A command line that means nothing: exit status 2, with a hint at --help.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One option of a command.
struct Option {
  std::string name;   ///< without the dashes: "rows"
  std::string value;  ///< what stands for its value in the help: "A:B[:S]"; "" none
  std::string help;   ///< one or more lines, separated by \n
  std::string letter = "";  ///< the short form, "o" for -o
};

/// What a command understands and what its --help says.
struct Usage {
  std::string command;      ///< "cat"
  std::string synopsis;     ///< "DATASET/ARRAY [OPTION]..."
  std::string summary;      ///< one line
  std::string description;  ///< paragraphs
  std::vector<Option> options;
  std::string examples;
};

/// A command line, taken apart.
class Arguments {
 public:
  const std::vector<std::string>& operands() const noexcept { return operands_; }
  bool has(std::string_view option) const { return values_.contains(option); }

  /// The value of an option, or nullopt if it was not given; the last one counts.
  std::optional<std::string> value(std::string_view option) const;

 private:
  friend Arguments parse_arguments(const Usage&, std::span<const std::string>);

  std::vector<std::string> operands_;
  std::map<std::string, std::string, std::less<>> values_;
};

/// Takes `--name value`, `--name=value`, `-o value`; `--` ends the options. Every
/// command understands `--help`, which the caller asks for with has("help").
///
/// @throws UsageError for an unknown option, one that lacks its value or has one too
/// many
Arguments parse_arguments(const Usage& usage, std::span<const std::string> words);

/// The text of `bevscope COMMAND --help`.
std::string help_text(const Usage& usage);

/// A whole number within [least, most]; `what` heads the message: "--port".
///
/// @throws UsageError
long long whole_number(std::string_view text, std::string_view what, long long least,
                       long long most);

}  // namespace bev::cli
