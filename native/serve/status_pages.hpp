#pragma once

#include <optional>
#include <string_view>

#include "native/serve/access_log.hpp"
#include "native/serve/metrics.hpp"
#include "native/serve/response.hpp"
#include "native/serve/site.hpp"

namespace bev::serve {

/// The pages in which a server describes itself, for programs that watch it. Their names
/// are reserved: data is below /data/, and the viewer has no such files.
///
/// Pages of other origins may not read them, whatever --cors allows.
///
/// Lifetime       What it is constructed with must outlive it.
/// Thread safety  Concurrent calls of find() are safe.
class StatusPages {
 public:
  struct Options {
    bool health = true;   ///< whether /healthz exists
    bool metrics = true;  ///< whether /metrics exists
  };

  /// @param log  nullptr: none
  /// Throws  invalid_argument if the viewer's folder has a file of a page's name
  StatusPages(const Site& site, const Metrics& metrics, const AccessLog* log,
              const Options& options);

  /// Returns the page at a path; nullopt if it is none.
  ///
  /// /healthz is 200 with {"status": "ready", "version": ..}, or 503 with status
  /// "unavailable" and a reason if a served folder is gone. /metrics is Metrics::text().
  std::optional<Response> find(std::string_view path) const;

 private:
  Response health() const;

  const Site& site_;
  const Metrics& metrics_;
  const AccessLog* log_;
  Options options_;
};

}  // namespace bev::serve
