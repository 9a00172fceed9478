#include "native/serve/serve_command.hpp"

#include <csignal>
#include <cstdint>
#include <cstdio>

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
      .synopsis = "DIR [--port N] [--app APPDIR]",
      .summary = "Serves the viewer and the files of DIR on this machine.",
      .description =
          "The viewer is at /, the files of DIR are below /data/, both at\n"
          "http://127.0.0.1:PORT, which nobody but this machine reaches. The first "
          "line\n"
          "on standard output is that address; a line follows for each data set "
          "found,\n"
          "with the address that opens it in the viewer. Ends on SIGINT (control-C) "
          "or\n"
          "SIGTERM, once answers under way are sent.\n"
          "\n"
          "Ranges, revalidation by ETag and reading from pages of other origins "
          "(CORS)\n"
          "are served. A file that is not there is 404; folders are not listed. "
          "Nothing\n"
          "outside of DIR and APPDIR is served, symbolic links that lead there "
          "neither.",
      .options =
          {
              {"port", "N", "Port to listen on. Default 0: a free one."},
              {"app", "APPDIR",
               "Folder of the built viewer. Default: the one built or installed\n"
               "with this program; without one, only the data is served."},
          },
      .examples =
          "  bevscope serve build/town\n"
          "  bevscope serve --port 8000 ~/datasets",
  };
}

/// SIGINT and SIGTERM, kept from interrupting any thread so that one can wait for them.
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
  const Site site(folder, app_folder(arguments));
  const auto signals = blocked_stop_signals();  // before threads, which inherit it
  Server server(site, static_cast<std::uint16_t>(port));
  announce(folder, "http://127.0.0.1:" + std::to_string(server.port()));
  int signal = 0;
  ::sigwait(&signals, &signal);
  server.stop();
  return 0;
}

}  // namespace bev::serve
