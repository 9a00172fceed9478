#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "native/serve/request.hpp"

namespace bev::serve {

/// Which web pages may read the answers, and which host names are served.
///
/// Pages of the server's own origin need no permission. The host check stops DNS
/// rebinding: a page whose host name is changed to resolve to 127.0.0.1 would otherwise
/// be of the same origin.
///
/// Reference  the Fetch standard, "CORS protocol"; RFC 9110, section 7.2.
class Access {
 public:
  /// @param origins  other origins that may read: "https://example.org", or "*" for all
  /// @param hosts    names beside 127.0.0.1, localhost and [::1], without a port
  /// @param any_address  whether every IP address is served: no name points to another
  ///                     machine by one
  /// Throws  invalid_argument for an origin that is not SCHEME://HOST[:PORT] and for an
  ///         empty host name
  explicit Access(const std::vector<std::string>& origins = {},
                  const std::vector<std::string>& hosts = {}, bool any_address = false);

  /// Whether the request's Host header names this server, with any port. HTTP/1.0 may
  /// go without one.
  bool allows_host(const Request& request) const;

  /// The value of Access-Control-Allow-Origin; nullopt if other origins may not read.
  std::optional<std::string> allowed_origin(const Request& request) const;

  /// Whether allowed_origin() differs between requests.
  bool depends_on_origin() const { return !any_origin_ && !origins_.empty(); }

 private:
  bool any_origin_ = false;
  bool any_address_ = false;
  std::vector<std::string> origins_;
  std::vector<std::string> hosts_;
};

}  // namespace bev::serve
