#include "native/cli/arguments.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>

namespace bev::cli {
namespace {

const Option& find_option(const Usage& usage, std::string_view name) {
  static const Option help = {"help", "", "Print this text and exit."};
  if (name == help.name) return help;
  const auto hit = std::find_if(
      usage.options.begin(), usage.options.end(), [&](const Option& option) {
        return option.name == name || (option.letter == name && !name.empty());
      });
  if (hit == usage.options.end()) {
    throw UsageError("unknown option \"" + std::string(name) + "\"");
  }
  return *hit;
}

bool is_one_of(const std::vector<std::string>& choices, const std::string& word) {
  return std::find(choices.begin(), choices.end(), word) != choices.end();
}

bool is_option(std::string_view word) {
  return word.size() > 1 && word.front() == '-';
}

struct GivenOption {
  std::string_view name;  ///< without dashes
  std::optional<std::string_view> value;
};

/// Splits an option: "--rows=0:9" is {"rows", "0:9"}; "-o" is {"o", nullopt}.
GivenOption split_option(std::string_view word) {
  word.remove_prefix(word.starts_with("--") ? 2 : 1);
  const auto equals = word.find('=');
  if (equals == std::string_view::npos) return {word, std::nullopt};
  return {word.substr(0, equals), word.substr(equals + 1)};
}

/// Indents all lines of `text` except the first.
std::string indented(std::string_view text, std::size_t indent) {
  std::string out;
  for (const char c : text) {
    out += c;
    if (c == '\n') out.append(indent, ' ');
  }
  return out;
}

std::string option_text(const Option& option) {
  constexpr std::size_t kColumn = 26;
  std::string out = "  ";
  out += option.letter.empty() ? "" : "-" + option.letter + ", ";
  out += "--" + option.name + (option.value.empty() ? "" : " " + option.value);
  if (out.size() + 2 > kColumn) {
    out += "\n" + std::string(kColumn, ' ');
  } else {
    out.resize(kColumn, ' ');
  }
  return out + indented(option.help, kColumn) + "\n";
}

/// Joins names for an error message: "npy, csv or json".
std::string listed(std::initializer_list<std::string_view> names) {
  std::string out;
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (name != names.begin()) out += name + 1 == names.end() ? " or " : ", ";
    out += *name;
  }
  return out;
}

}  // namespace

std::optional<std::string> Arguments::value(std::string_view option) const {
  const auto hit = values_.find(option);
  if (hit == values_.end()) return std::nullopt;
  return hit->second.back();
}

std::vector<std::string> Arguments::all(std::string_view option) const {
  const auto hit = values_.find(option);
  return hit == values_.end() ? std::vector<std::string>() : hit->second;
}

std::string Arguments::choice(std::string_view option,
                              std::initializer_list<std::string_view> choices) const {
  const auto given = value(option).value_or(std::string(*choices.begin()));
  if (std::find(choices.begin(), choices.end(), given) != choices.end()) return given;
  const std::string name(option);
  throw UsageError("--" + name + ": unknown " + name + " \"" + given + "\" (expected " +
                   listed(choices) + ")");
}

Arguments parse_arguments(const Usage& usage, std::span<const std::string> words) {
  Arguments out;
  bool options_ended = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (options_ended || !is_option(words[i])) {
      out.operands_.push_back(words[i]);
      continue;
    }
    if (words[i] == "--") {
      options_ended = true;
      continue;
    }
    const auto given = split_option(words[i]);
    const auto& option = find_option(usage, given.name);
    auto& values = out.values_[option.name];
    if (!values.empty() && !option.repeats && !option.value.empty()) {
      throw UsageError("--" + option.name + " is given twice");
    }
    auto& value = values.emplace_back();
    if (option.value.empty()) {
      if (given.value) throw UsageError("--" + option.name + " takes no value");
    } else if (given.value) {
      value = *given.value;
    } else if (!option.choices.empty()) {
      if (i + 1 < words.size() && is_one_of(option.choices, words[i + 1])) {
        value = words[++i];
      }
    } else if (i + 1 < words.size()) {
      value = words[++i];
    } else {
      throw UsageError("--" + option.name + " requires a value: " + option.value);
    }
  }
  return out;
}

std::string help_text(const Usage& usage) {
  std::string out = "Usage: bevscope " + usage.command + " " + usage.synopsis + "\n\n" +
                    usage.summary + "\n\n" + usage.description + "\n\nOptions:\n";
  for (const auto& option : usage.options) out += option_text(option);
  out += option_text({"help", "", "Print this text and exit."});
  out +=
      "\nExit status: 0 success; 1 data or network error (the reason is on standard\n"
      "error); 2 usage error.\n";
  if (!usage.examples.empty()) out += "\nExamples:\n" + usage.examples + "\n";
  return out;
}

long long whole_number(std::string_view text, std::string_view what, long long least,
                       long long most) {
  long long value = 0;
  const auto end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  const bool is_number = !text.empty() && parsed.ec == std::errc{} && parsed.ptr == end;
  if (!is_number || value < least || value > most) {
    throw UsageError(std::string(what) + ": not an integer in range (found \"" +
                     std::string(text) + "\", expected " + std::to_string(least) +
                     " to " + std::to_string(most) + ")");
  }
  return value;
}

std::uint64_t byte_size(std::string_view text, std::string_view what) {
  struct Unit {
    std::string_view name;
    std::uint64_t bytes;
  };
  static constexpr Unit kUnits[] = {{"", 1},
                                    {"B", 1},
                                    {"kB", 1'000},
                                    {"MB", 1'000'000},
                                    {"GB", 1'000'000'000},
                                    {"TB", 1'000'000'000'000},
                                    {"KiB", std::uint64_t{1} << 10},
                                    {"MiB", std::uint64_t{1} << 20},
                                    {"GiB", std::uint64_t{1} << 30},
                                    {"TiB", std::uint64_t{1} << 40}};
  std::uint64_t count = 0;
  const auto* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, count);
  const std::string_view name(parsed.ptr, static_cast<std::size_t>(end - parsed.ptr));
  for (const auto& unit : kUnits) {
    const bool fits = count <= std::numeric_limits<std::uint64_t>::max() / unit.bytes;
    if (parsed.ec == std::errc{} && name == unit.name && fits)
      return count * unit.bytes;
  }
  throw UsageError(std::string(what) + ": not a size (found \"" + std::string(text) +
                   "\", expected bytes, or a unit such as 500MB or 2GiB)");
}

}  // namespace bev::cli
