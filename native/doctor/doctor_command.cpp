#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/cli/output.hpp"
#include "native/doctor/installed_checks.hpp"
#include "native/doctor/library_checks.hpp"
#include "native/doctor/machine_checks.hpp"
#include "native/doctor/server_checks.hpp"
#include "native/source/read_options.hpp"

namespace bev::native {
namespace {

cli::Usage doctor_usage() {
  return {
      .command = "doctor",
      .synopsis = "[ADDRESS] [--json] [OPTION]...",
      .summary = "Says what works on this machine, and what to do about the rest.",
      .description =
          "Examines the program (codecs, images, TLS, certificates, viewer), the "
          "Python\n"
          "package beside it, the persistent cache, the machine (open files, "
          "processors,\n"
          "memory, temporary folder) and the settings of S3. A line each: ok, warning\n"
          "(works, but less than it could) or problem, and what to do. Keys and "
          "queries\n"
          "are never printed. Nothing is changed.\n"
          "\n"
          "With ADDRESS (http, https or s3, of a data set, a .zip or a file), also how "
          "its\n"
          "server answers: ranges, absent files, pages of other origins, caching, and "
          "the\n"
          "speed of one request. Sends about ten requests and reads at most 4 MiB.\n"
          "\n"
          "Exit status 1 if there is a problem.",
      .options = with_cache_options({
          {"json", "", "Print JSON: version, ok, findings."},
          {"origin", "ORIGIN",
           "Origin of the page that would read ADDRESS. Default:\n"
           "https://example.org."},
      }),
      .examples =
          "  bevscope doctor\n"
          "  bevscope doctor https://host/town.zarr\n"
          "  bevscope doctor --json",
  };
}

std::optional<std::string> environment_value(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

std::filesystem::path program_path() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error);
}

std::filesystem::path temporary_folder() {
  // As temp_directory_path(), also if the folder does not exist.
  return environment_value("TMPDIR").value_or("/tmp");
}

std::vector<doctor::Finding> examine_machine(const CacheOptions& cache) {
  using namespace doctor;
  const auto program = program_path();
  std::vector<Finding> findings;
  findings.push_back(check_program(program));
  findings.push_back(check_codecs());
  findings.push_back(check_images());
  findings.push_back(check_http(environment_value));
  findings.push_back(check_certificates());
  findings.push_back(check_viewer(program));
  findings.push_back(check_python(program, environment_value));
  findings.push_back(check_cache(cache));
  findings.push_back(check_descriptors());
  findings.push_back(check_processors(control_group()));
  findings.push_back(check_memory(control_group()));
  findings.push_back(check_temporary(temporary_folder()));
  findings.push_back(check_s3(environment_value));
  return findings;
}

}  // namespace

int doctor_main(std::span<const std::string> words) {
  const auto arguments = cli::parse_arguments(doctor_usage(), words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(doctor_usage()));
    return 0;
  }
  const auto& operands = arguments.operands();
  if (operands.size() > 1) throw cli::UsageError("expected at most one address");
  const auto origin = arguments.value("origin");
  if (origin && operands.empty()) throw cli::UsageError("--origin requires ADDRESS");
  auto findings = examine_machine(cache_settings(arguments));
  if (!operands.empty()) {
    doctor::ServerQuestion question{.address = operands.front()};
    if (origin) question.origin = *origin;
    auto more = doctor::check_server(question);
    std::move(more.begin(), more.end(), std::back_inserter(findings));
  }
  cli::print(arguments.has("json") ? doctor::report_json(findings)
                                   : doctor::report_text(findings));
  return doctor::has_problem(findings) ? 1 : 0;
}

}  // namespace bev::native
