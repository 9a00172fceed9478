#include "native/serve/status_pages.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "core/base/error.hpp"

namespace bev::serve {
namespace {

constexpr std::string_view kHealth = "/healthz";
constexpr std::string_view kMetrics = "/metrics";

Response status_response(int status, std::string_view type, std::string text) {
  Response response;
  response.status = status;
  response.for_other_origins = false;
  response.headers.emplace_back("Cache-Control", "no-store");
  response.headers.emplace_back("Content-Type", type);
  response.headers.emplace_back("X-Content-Type-Options", "nosniff");
  response.text = std::move(text);
  return response;
}

void check_name(const Site& site, std::string_view page, std::string_view option) {
  if (!site.find(page)) return;
  fail(Errc::invalid_argument,
       {"--app: the file ", page.substr(1), " has the name of a page of the server; ",
        option, " serves the file"});
}

}  // namespace

StatusPages::StatusPages(const Site& site, const Metrics& metrics, const AccessLog* log,
                         const Options& options)
    : site_(site), metrics_(metrics), log_(log), options_(options) {
  if (options.health) check_name(site, kHealth, "--no-healthz");
  if (options.metrics) check_name(site, kMetrics, "--no-metrics");
}

std::optional<Response> StatusPages::find(std::string_view path) const {
  if (options_.health && path == kHealth) return health();
  if (options_.metrics && path == kMetrics) {
    // The version is that of the text format.
    return status_response(200, "text/plain; version=0.0.4; charset=utf-8",
                           metrics_.text(log_ == nullptr ? 0 : log_->dropped()));
  }
  return std::nullopt;
}

Response StatusPages::health() const {
  const auto problem = site_.problem();
  nlohmann::ordered_json body = {{"status", problem ? "unavailable" : "ready"},
                                 {"version", BEV_VERSION}};
  if (problem) body["reason"] = *problem;
  return status_response(problem ? 503 : 200, "application/json", body.dump() + "\n");
}

}  // namespace bev::serve
