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

  /// The value of the first header of that (lower-case) name, or nullptr.
  const std::string* header(std::string_view name) const;
};

/// Reads a head, from the request line to the last header, without the empty line that
/// ends it. Lines end with CR LF.
///
/// Returns nullopt if it is not HTTP/1.0 or 1.1, a header holds a control character, an
/// HTTP/1.1 request has no Host, or there are two of Host or of Content-Length: two
/// programs could understand such a request differently.
///
/// Source: RFC 9112, sections 3, 5, 6.3 and 9.3; RFC 9110, section 5.5.
std::optional<Request> parse_request(std::string_view head);

/// The path of a target: what comes before the query, its %XX decoded. nullopt if it
/// does not begin with a slash or an escape is damaged.
std::optional<std::string> path_of(std::string_view target);

}  // namespace bev::serve
