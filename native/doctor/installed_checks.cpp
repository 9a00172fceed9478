#include "native/doctor/installed_checks.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <string_view>
#include <system_error>

#include "core/base/error.hpp"
#include "core/base/secrets.hpp"
#include "native/serve/site.hpp"

namespace bev::doctor {
namespace {

namespace fs = std::filesystem;

std::string compiler_text() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

constexpr bool kIsOptimized =
#ifdef __OPTIMIZE__
    true;
#else
    false;
#endif

std::string processor_text() {
#if defined(__x86_64__)
  return "x86_64";
#elif defined(__aarch64__)
  return "aarch64";
#else
  return "other processor";
#endif
}

/// Calls `visit` with the path of each entry of a folder; without the folder, never.
template <class Visit>
void each_entry(const fs::path& folder, Visit&& visit) {
  std::error_code error;
  fs::directory_iterator at(folder, error);
  for (const fs::directory_iterator end; !error && at != end; at.increment(error)) {
    visit(at->path());
  }
}

/// Adds the versions of the package that are installed below a prefix:
/// lib/python3.11/site-packages/bevscope-0.2.0.dist-info.
void add_versions(std::set<std::string>& versions, const fs::path& prefix) {
  constexpr std::string_view kBegin = "bevscope-";
  constexpr std::string_view kEnd = ".dist-info";
  each_entry(prefix / "lib", [&](const fs::path& python) {
    if (!python.filename().string().starts_with("python3")) return;
    for (const auto* packages : {"site-packages", "dist-packages"}) {
      each_entry(python / packages, [&](const fs::path& package) {
        const auto name = package.filename().string();
        if (!name.starts_with(kBegin) || !name.ends_with(kEnd)) return;
        versions.insert(
            name.substr(kBegin.size(), name.size() - kBegin.size() - kEnd.size()));
      });
    }
  });
}

std::string listed(const std::set<std::string>& items) {
  std::string text;
  for (const auto& item : items) text += (text.empty() ? "" : ", ") + item;
  return text;
}

std::size_t count_modules(const fs::path& app) {
  std::size_t count = 0;
  std::error_code error;
  fs::recursive_directory_iterator at(app, error);
  for (const fs::recursive_directory_iterator end; !error && at != end;
       at.increment(error)) {
    if (at->path().extension() == ".wasm") ++count;
  }
  return count;
}

}  // namespace

Finding check_program(const fs::path& program) {
  const std::string path = program.empty() ? "path not known" : program.string();
  Finding finding{.name = "program",
                  .found = std::string(BEV_VERSION ", ") + compiler_text() + ", " +
                           processor_text() + ", " + path,
                  .facts = {{"version", BEV_VERSION},
                            {"compiler", compiler_text()},
                            {"processor", processor_text()},
                            {"optimized", kIsOptimized},
                            {"path", path}}};
  if (kIsOptimized) return finding;
  finding.level = Level::warning;
  finding.found += ", not optimized";
  finding.remedy = "use the release build (scripts/build program): it is much faster";
  return finding;
}

Finding check_viewer(const fs::path& program) {
  const auto app = serve::find_app_folder(program.string());
  const auto modules = app ? count_modules(*app) : 0;
  Finding finding{.name = "viewer", .facts = {{"modules", modules}}};
  finding.facts["folder"] = app ? nlohmann::ordered_json(*app) : nullptr;
  if (modules > 0) {
    finding.found = *app + ", " + std::to_string(modules) + " modules";
    return finding;
  }
  finding.level = Level::warning;
  finding.found = app ? *app + ": no WebAssembly module" : "not found";
  finding.remedy =
      "build it (scripts/build app) and install again, or use serve --app APPDIR; "
      "without it, serve serves data only";
  return finding;
}

Finding check_python(const fs::path& program, const native::Environment& environment) {
  std::set<std::string> versions;
  add_versions(versions, program.parent_path().parent_path());
  if (const auto home = environment("VIRTUAL_ENV")) add_versions(versions, *home);
  if (const auto home = environment("HOME")) {
    add_versions(versions, fs::path(*home) / ".local");
  }
  Finding finding{.name = "python", .facts = {{"versions", versions}}};
  if (versions.empty()) {
    finding.found = "no package beside the program";
    return finding;
  }
  finding.found = "package " + listed(versions);
  if (versions == std::set<std::string>{BEV_VERSION}) return finding;
  finding.level = Level::warning;
  finding.remedy = "install the same version: pip install bevscope==" BEV_VERSION "";
  return finding;
}

Finding check_s3(const native::Environment& environment) {
  Finding finding{.name = "s3"};
  try {
    const auto settings = native::s3_settings(environment);
    const bool by_variables = environment("AWS_ACCESS_KEY_ID").has_value();
    const std::string keys = !settings.signing ? "none"
                             : by_variables    ? "environment"
                                               : "profile";
    const bool has_token = settings.signing && !settings.signing->session_token.empty();
    finding.facts = {{"keys", keys},
                     {"session_token", has_token},
                     {"region", settings.region},
                     {"endpoint", without_secrets(settings.endpoint)},
                     {"virtual_host", settings.virtual_host}};
    finding.found = settings.signing ? "keys of the " + keys : "no keys";
    if (has_token) finding.found += " with a session token";
    finding.found += ", region " + settings.region;
    if (!settings.endpoint.empty()) finding.found += ", " + settings.endpoint;
    if (!settings.signing) {
      finding.found += "; requests are anonymous";
      finding.remedy =
          "for private buckets, set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or "
          "AWS_PROFILE";
    }
  } catch (const Error& error) {
    finding.level = Level::problem;
    finding.found = error.what();
    finding.remedy = "correct this setting: s3 addresses cannot be read";
  }
  return finding;
}

}  // namespace bev::doctor
