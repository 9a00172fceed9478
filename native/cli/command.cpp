#include "native/cli/command.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>

#include "core/base/secrets.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/output.hpp"

namespace bev::cli {
namespace {

using Commands = std::span<const Command>;

constexpr int kDataError = 1;
constexpr int kUsageError = 2;

std::string overview(Commands commands) {
  std::string text =
      "Usage: bevscope COMMAND [ARGUMENT]...\n\n"
      "Reads bird's-eye-view driving data sets in L5Kit's zarr format.\n\n"
      "Commands:\n";
  for (const auto& command : commands) {
    std::string name(command.name);
    name.resize(12, ' ');
    text += "  " + name + std::string(command.summary) + "\n";
  }
  return text +
         "\nbevscope COMMAND --help   help for a command\n"
         "bevscope --version        print the version\n";
}

const Command* find_command(Commands commands, std::string_view name) {
  const auto hit = std::find_if(commands.begin(), commands.end(),
                                [&](const Command& c) { return c.name == name; });
  return hit == commands.end() ? nullptr : &*hit;
}

int run_command(Commands commands, const std::string& name,
                std::span<const std::string> words) {
  const auto* command = find_command(commands, name);
  if (command == nullptr) throw UsageError("unknown command \"" + name + "\"");
  return command->run(words);
}

int dispatch(Commands commands, std::span<const std::string> words) {
  if (words.empty()) throw UsageError("no command given");
  const auto& first = words.front();
  if (first == "--version") {
    print("bevscope " BEV_VERSION "\n");
    return 0;
  }
  if (first == "--help" || first == "-h" || (first == "help" && words.size() == 1)) {
    print(overview(commands));
    return 0;
  }
  if (first == "help") {
    const std::string help = "--help";
    return run_command(commands, words[1], std::span(&help, 1));
  }
  return run_command(commands, first, words.subspan(1));
}

int report(int status, const std::string& message) {
  std::fprintf(stderr, "bevscope: %s\n", without_secrets(message).c_str());
  return status;
}

}  // namespace

std::string text_of(const Error& error) {
  const std::string text = error.what();
  const bool is_chunk = error.code() == Errc::missing_key &&
                        text.find(": missing from the store (") != text.npos;
  return is_chunk ? text + "; --allow-missing reads its fill value" : text;
}

int run(Commands commands, std::span<const std::string> words) {
  try {
    return dispatch(commands, words);
  } catch (const UsageError& error) {
    const bool in_command =
        !words.empty() && find_command(commands, words.front()) != nullptr;
    const std::string who = in_command ? "bevscope " + words.front() : "bevscope";
    return report(kUsageError, error.what() + std::string("\ntry: ") + who + " --help");
  } catch (const Error& error) {
    return report(kDataError, text_of(error));
  } catch (const std::bad_alloc&) {
    return report(kDataError, "out of memory");
  } catch (const std::exception& error) {
    return report(kDataError, std::string("internal error: ") + error.what());
  }
}

}  // namespace bev::cli
