#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bev::serve {

/// The head of an HTTP/1.x request: everything before the body.
struct Request {
  std::string method;  ///< as sent: "GET"
  std::string target;  ///< as sent: "/data/agents/3?x=1"
  bool keep_alive = true;
  std::vector<std::pair<std::string, std::string>> headers;  ///< names in lower case
  std::string version = "HTTP/1.1";                          ///< or "HTTP/1.0"

  /// Returns the value of the first header with that (lower-case) name, or nullptr.
  const std::string* header(std::string_view name) const;
};

/// Parses a head, from the request line to the last header, without the final empty
/// line. Lines end with CR LF.
///
/// Returns nullopt if it is not HTTP/1.0 or 1.1, a header contains a control character,
/// an HTTP/1.1 request has no Host, or Host or Content-Length occurs twice: two
/// programs could interpret such a request differently.
///
/// Reference  RFC 9112, sections 3, 5, 6.3 and 9.3; RFC 9110, section 5.5.
std::optional<Request> parse_request(std::string_view head);

/// Returns a target's path: the part before the query, %XX-decoded. nullopt if it does
/// not begin with a slash or an escape is malformed.
std::optional<std::string> path_of(std::string_view target);

}  // namespace bev::serve
