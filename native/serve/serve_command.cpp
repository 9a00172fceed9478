#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/cli/output.hpp"
#include "native/serve/server.hpp"
#include "native/serve/site.hpp"

namespace bev::serve {
namespace {

cli::Usage serve_usage() {
  return {
      .command = "serve",
      .synopsis = "DIR [--port N] [--bind ADDRESS] [OPTION]...",
      .summary = "Serves the viewer and a folder of data on this machine.",
      .description =
          "Serves the viewer at / and the files of DIR below /data/, at\n"
          "http://127.0.0.1:PORT, which is reachable only from this machine. The\n"
          "first line of standard output is that URL; a line per data set follows,\n"
          "with the URL that opens it in the viewer; without a viewer, with its\n"
          "URL for other programs. SIGINT (control-C) and SIGTERM end the server;\n"
          "active responses get up to 3 seconds.\n"
          "\n"
          "Access: every program on this machine, with --bind also those of other\n"
          "machines, but only web pages of this server. There is neither password\n"
          "nor encryption (docs/hosting.md names servers that add them). --cors allows "
          "pages of other origins. Requests for host names\n"
          "other than 127.0.0.1, localhost and [::1] are rejected, because another\n"
          "page could point its own name at this machine; --host adds names.\n"
          "\n"
          "Files: regular files of DIR and APPDIR. Hidden files (.env, .git) other\n"
          "than .zarray, .zattrs, .zgroup and .zmetadata, folders, and symbolic\n"
          "links that lead out of DIR are 404. Supports ranges and revalidation by\n"
          "ETag.",
      .options =
          {
              {"port", "N", "Port. Default 0: any free port."},
              {"bind", "ADDRESS",
               "IP address to listen at, such as 0.0.0.0 (all addresses of this\n"
               "machine, as in a container) or ::. Default: 127.0.0.1."},
              {"app", "APPDIR",
               "Folder of the built viewer. Default: the one built or installed\n"
               "with this program; without one, only data is served."},
              {"cors", "ORIGIN,..|*",
               "Origins whose pages may read: https://example.org. \"*\": every\n"
               "page open in a browser on this machine. Default: none."},
              {"host", "NAME,..",
               "Additional host names, without port, such as a proxy's."},
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

Address address_of(const cli::Arguments& arguments) {
  try {
    return Address(arguments.value("bind").value_or("127.0.0.1"));
  } catch (const Error& error) {
    throw cli::UsageError(std::string("--bind: ") + error.what());
  }
}

Access access_of(const cli::Arguments& arguments, const Address& address) {
  try {
    return Access(list_of(arguments, "cors"), list_of(arguments, "host"),
                  address.is_public());
  } catch (const Error& error) {
    throw cli::UsageError(error.what());
  }
}

void announce(const Site& site, const std::string& folder, const std::string& origin) {
  cli::Output out("-");
  out.write(origin + "/\n");
  for (const auto& path : find_data_sets(folder)) {
    out.write(origin + site.link(path) + "\n");
  }
  out.commit();
}

}  // namespace

int serve_main(std::span<const std::string> words) {
  const auto arguments = cli::parse_arguments(serve_usage(), words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(serve_usage()));
    return 0;
  }
  if (arguments.operands().size() != 1) {
    throw cli::UsageError("expected one folder of data, DIR");
  }
  const auto port =
      cli::whole_number(arguments.value("port").value_or("0"), "--port", 0, UINT16_MAX);
  const auto& folder = arguments.operands().front();
  const auto address = address_of(arguments);
  auto access = access_of(arguments, address);
  const Site site(folder, app_folder(arguments), std::move(access));
  // Before starting threads, which inherit the mask
  const auto signals = blocked_stop_signals();
  Server server(site, {.address = address, .port = static_cast<std::uint16_t>(port)});
  if (address.is_public()) {
    std::fputs("bevscope: other machines can read this folder, without a password\n",
               stderr);
  }
  announce(site, folder,
           "http://" + address.in_url() + ":" + std::to_string(server.port()));
  int signal = 0;
  ::sigwait(&signals, &signal);
  server.stop();
  return 0;
}

}  // namespace bev::serve
