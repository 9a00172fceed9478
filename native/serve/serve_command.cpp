#include "native/serve/serve_command.hpp"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/output.hpp"
#include "native/serve/app_folder.hpp"
#include "native/serve/data_links.hpp"
#include "native/serve/server.hpp"

namespace bev::serve {
namespace {

cli::Usage usage() {
  return {
      .command = "serve",
      .synopsis = "DIR [--port N] [--app APPDIR] [--cors ORIGIN] [--host NAME]",
      .summary = "Serves the viewer and the files of DIR on this machine.",
      .description =
          "The viewer is at /, the files of DIR are below /data/, both at\n"
          "http://127.0.0.1:PORT, which only this machine reaches. The first line on\n"
          "standard output is that address; a line follows for each data set found,\n"
          "with the address that opens it in the viewer. Ends on SIGINT (control-C) "
          "or\n"
          "SIGTERM: answers under way are finished, for up to 3 seconds.\n"
          "\n"
          "Who can read: every program on this machine, but of the web pages only "
          "those\n"
          "of this server. --cors lets pages of other origins read, too. Requests for\n"
          "host names other than 127.0.0.1, localhost and [::1] are refused, for a "
          "page\n"
          "elsewhere could point its own name at this machine; --host adds names.\n"
          "\n"
          "What can be read: regular files of DIR and APPDIR. Hidden files (.env, "
          ".git)\n"
          "are 404, except .zarray, .zattrs, .zgroup and .zmetadata, and so are "
          "folders,\n"
          "symbolic links that lead out of DIR, and what is not there. Ranges and\n"
          "revalidation by ETag are served.",
      .options =
          {
              {"port", "N", "Port to listen on. Default 0: a free one."},
              {"app", "APPDIR",
               "Folder of the built viewer. Default: the one built or installed\n"
               "with this program; without one, only the data is served."},
              {"cors", "ORIGIN,..|*",
               "Origins whose pages may read: https://example.org. \"*\": every page\n"
               "open in a browser on this machine. Default: none."},
              {"host", "NAME,..",
               "Further host names to answer to, without port: that of a proxy."},
          },
      .examples =
          "  bevscope serve build/town\n"
          "  bevscope serve --port 8000 ~/datasets\n"
          "  bevscope serve ~/datasets --cors https://bevscope.example.org",
  };
}

/// Blocks SIGINT and SIGTERM in all threads, so that one thread can wait for them.
sigset_t blocked_stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

std::string app_folder(const cli::Arguments& arguments) {
  if (const auto given = arguments.value("app")) return *given;
  if (const auto found = find_app_folder()) return *found;
  std::fputs("bevscope: no viewer was built or installed; serving data only\n", stderr);
  return {};
}

/// Returns the items of a list option such as "a,b"; none if not given.
std::vector<std::string> list_of(const cli::Arguments& arguments,
                                 std::string_view option) {
  std::vector<std::string> items;
  const auto given = arguments.value(option);
  if (!given) return items;
  for (std::size_t from = 0; from <= given->size();) {
    const auto comma = std::min(given->find(',', from), given->size());
    items.push_back(given->substr(from, comma - from));
    from = comma + 1;
  }
  return items;
}

Access access_of(const cli::Arguments& arguments) {
  try {
    return Access(list_of(arguments, "cors"), list_of(arguments, "host"));
  } catch (const Error& error) {
    throw cli::UsageError(error.what());
  }
}

void announce(const std::string& folder, const std::string& origin) {
  cli::Output out("-");
  out.write(origin + "/\n");
  for (const auto& path : find_data_sets(folder)) {
    out.write(origin + viewer_link(path) + "\n");
  }
  out.commit();
}

}  // namespace

int serve_main(std::span<const std::string> words) {
  const auto arguments = cli::parse_arguments(usage(), words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(usage()));
    return 0;
  }
  if (arguments.operands().size() != 1) {
    throw cli::UsageError("expected one folder of data, DIR");
  }
  const auto port =
      cli::whole_number(arguments.value("port").value_or("0"), "--port", 0, UINT16_MAX);
  const auto& folder = arguments.operands().front();
  auto access = access_of(arguments);
  const Site site(folder, app_folder(arguments), std::move(access));
  // Before starting threads, which inherit the mask
  const auto signals = blocked_stop_signals();
  Server server(site, {.port = static_cast<std::uint16_t>(port)});
  announce(folder, "http://127.0.0.1:" + std::to_string(server.port()));
  int signal = 0;
  ::sigwait(&signals, &signal);
  server.stop();
  return 0;
}

}  // namespace bev::serve
