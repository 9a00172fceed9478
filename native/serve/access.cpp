#include "native/serve/access.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "native/http/header_text.hpp"
#include "native/serve/address.hpp"

namespace bev::serve {

using native::lower;

namespace {

/// Returns "localhost" for "Localhost:8000", "[::1]" for "[::1]:8000"; "" if anything but a
/// port follows the colon.
std::string host_name(std::string_view host) {
  const auto from = host.starts_with('[') ? host.find(']') : 0;
  const auto colon = from == host.npos ? host.npos : host.find(':', from);
  if (colon == host.npos) return lower(host);
  const bool is_port = host.find_first_not_of("0123456789", colon + 1) == host.npos;
  return is_port ? lower(host.substr(0, colon)) : "";
}

bool is_origin(std::string_view text) {
  const auto slashes = text.find("://");
  return slashes != text.npos && slashes > 0 && slashes + 3 < text.size() &&
         text.find_first_of("/?# ,", slashes + 3) == text.npos;
}

}  // namespace

Access::Access(const std::vector<std::string>& origins,
               const std::vector<std::string>& hosts, bool any_address)
    : any_address_(any_address), hosts_({"127.0.0.1", "localhost", "[::1]"}) {
  for (const auto& origin : origins) {
    if (origin == "*") {
      any_origin_ = true;
    } else if (is_origin(origin)) {
      origins_.push_back(lower(origin));
    } else {
      throw Error(Errc::invalid_argument,
                  "--cors: not an origin (found \"" + origin +
                      "\", expected * or an origin such as https://example.org)");
    }
  }
  for (const auto& host : hosts) {
    const auto name = host_name(host);
    if (name.empty() || name != lower(host)) {
      throw Error(Errc::invalid_argument,
                  "--host: not a host name without port (found \"" + host + "\")");
    }
    hosts_.push_back(name);
  }
}

bool Access::allows_host(const Request& request) const {
  const auto* host = request.header("host");
  if (host == nullptr) return true;  // HTTP/1.0; parse_request() refuses it in 1.1
  const auto name = host_name(*host);
  if (any_address_ && is_address(name)) return true;
  return std::find(hosts_.begin(), hosts_.end(), name) != hosts_.end();
}

std::optional<std::string> Access::allowed_origin(const Request& request) const {
  if (any_origin_) return "*";
  const auto* origin = request.header("origin");
  if (origin == nullptr) return std::nullopt;
  const bool listed =
      std::find(origins_.begin(), origins_.end(), lower(*origin)) != origins_.end();
  return listed ? std::optional(*origin) : std::nullopt;
}

}  // namespace bev::serve
