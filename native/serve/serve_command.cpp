#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/cli/output.hpp"
#include "native/files/data_sets.hpp"
#include "native/serve/access_log.hpp"
#include "native/serve/metrics.hpp"
#include "native/serve/server.hpp"
#include "native/serve/site.hpp"
#include "native/serve/status_pages.hpp"

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
          "For programs that watch the server: /healthz answers 200 with JSON "
          "(status,\n"
          "version), or 503 if DIR can no longer be read; /metrics has counters in\n"
          "Prometheus' text format. With --log, each request is logged as a line\n"
          "without its query, which may be a signature. SIGUSR1 opens the log file "
          "anew\n"
          "(for logrotate). If the log cannot be written, requests are answered all "
          "the\n"
          "same; /metrics counts the lines that are lost.\n"
          "\n"
          "Access: every program on this machine, with --bind also those of other\n"
          "machines, but only web pages of this server. There is neither password\n"
          "nor encryption (docs/service.md shows how to add them). --cors allows pages "
          "of\n"
          "other origins. Requests for host names other than 127.0.0.1, localhost and\n"
          "[::1] are rejected, because another page could point its own name at this\n"
          "machine; --host adds names.\n"
          "\n"
          "Files: regular files of DIR and APPDIR. Hidden files (.env, .git) other\n"
          "than .zarray, .zattrs, .zgroup and .zmetadata, folders, and symbolic\n"
          "links that lead out of DIR are 404. Supports ranges and revalidation by\n"
          "ETag.",
      .options =
          {
              {"port", "N", "Port. Default 0: any free port."},
              {"bind", "ADDRESS",
               "IPv4 or IPv6 address to listen at: 0.0.0.0 is all IPv4 addresses\n"
               "of this machine, as in a container, :: also those of IPv6.\n"
               "Default: 127.0.0.1."},
              {"app", "APPDIR",
               "Folder of the built viewer. Default: the one built or installed\n"
               "with this program; without one, only data is served."},
              {"cors", "ORIGIN,..|*",
               "Origins whose pages may read: https://example.org. \"*\": every\n"
               "page open in a browser on this machine. Default: none."},
              {"host", "NAME,..",
               "Additional host names, without port, such as a proxy's."},
              {"log", "FILE|-",
               "Log requests to FILE, which must not be in DIR, or to standard\n"
               "error (-). Default: none."},
              {"log-format", "combined|json",
               "Apache's combined format with the seconds that the answer took\n"
               "(default), or JSON."},
              {"no-healthz", "", "Serve no /healthz."},
              {"no-metrics", "", "Serve no /metrics."},
          },
      .examples =
          "  bevscope serve build/town\n"
          "  bevscope serve --port 8000 ~/datasets\n"
          "  bevscope serve ~/datasets --cors https://bevscope.example.org\n"
          "  bevscope serve /data --port 8000 --bind 0.0.0.0 --log -",
  };
}

/// Blocks SIGINT, SIGTERM and SIGUSR1 in all threads, so that one thread can wait for them.
sigset_t blocked_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGUSR1);
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

std::unique_ptr<AccessLog> access_log(const cli::Arguments& arguments,
                                      const Site& site) {
  const auto path = arguments.value("log");
  const auto format = arguments.choice("log-format", {"combined", "json"});
  if (!path) {
    if (!arguments.has("log-format")) return nullptr;
    throw cli::UsageError("--log-format requires --log");
  }
  if (*path != "-" && site.contains(*path)) {
    throw cli::UsageError("--log: " + *path + " would be served (expected a file " +
                          "outside of the served folders)");
  }
  return std::make_unique<AccessLog>(
      *path, format == "json" ? LogFormat::json : LogFormat::combined);
}

/// Waits for SIGINT or SIGTERM.
void wait_for_end(const sigset_t& signals, AccessLog* log) {
  for (int signal = 0;;) {
    ::sigwait(&signals, &signal);
    if (signal != SIGUSR1) return;
    if (log != nullptr) log->reopen();
  }
}

void announce(const Site& site, const std::string& folder, const std::string& origin) {
  cli::Output out("-");
  out.write(origin + "/\n");
  for (const auto& path : native::find_data_sets(folder)) {
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
  Metrics metrics;
  const auto log = access_log(arguments, site);  // its thread blocks all signals
  // Before starting threads, which inherit the mask
  const auto signals = blocked_signals();
  const StatusPages pages(site, metrics, log.get(),
                          {.health = !arguments.has("no-healthz"),
                           .metrics = !arguments.has("no-metrics")});
  Server server(site, {.address = address,
                       .port = static_cast<std::uint16_t>(port),
                       .pages = &pages,
                       .metrics = &metrics,
                       .log = log.get()});
  if (address.is_public()) {
    std::fputs("bevscope: other machines can read this folder, without a password\n",
               stderr);
  }
  announce(site, folder,
           "http://" + address.in_url() + ":" + std::to_string(server.port()));
  wait_for_end(signals, log.get());
  server.stop();
  return 0;
}

}  // namespace bev::serve
