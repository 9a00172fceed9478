#include "native/serve/request.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "native/http/header_text.hpp"

namespace bev::serve {

using native::lower;
using native::trimmed;

namespace {

/// Removes the part before the next `mark`, and the mark, from `rest`; returns the
/// part.
std::string_view take(std::string_view& rest, std::string_view mark) {
  const auto end = rest.find(mark);
  const auto part = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + mark.size());
  return part;
}

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isgraph(c) != 0 &&
           std::string_view("()<>@,;:\\\"/[]?={}").find(static_cast<char>(c)) ==
               std::string_view::npos;
  });
}

bool is_visible(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return c > ' ' && c != 0x7f;
  });
}

/// Whether a header value has no control characters except tabs.
bool is_field_value(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return c == '\t' || (c >= ' ' && c != 0x7f);
  });
}

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

/// Whether Host and Content-Length occur at most once, and Host exactly once if needed.
bool is_unambiguous(const Request& request, bool needs_host) {
  const auto count = [&](std::string_view name) {
    return std::count_if(request.headers.begin(), request.headers.end(),
                         [&](const auto& entry) { return entry.first == name; });
  };
  const auto hosts = count("host");
  const auto* length = request.header("content-length");
  return hosts <= 1 && (hosts == 1 || !needs_host) && count("content-length") <= 1 &&
         (length == nullptr || is_digits(*length));
}

std::optional<Request> parse_request_line(std::string_view line) {
  const auto method = take(line, " ");
  const auto target = take(line, " ");
  if (!is_token(method) || !is_visible(target)) return std::nullopt;
  if (line != "HTTP/1.1" && line != "HTTP/1.0") return std::nullopt;
  Request request;
  request.method = method;
  request.target = target;
  request.version = line;
  request.keep_alive = line == "HTTP/1.1";
  return request;
}

}  // namespace

const std::string* Request::header(std::string_view name) const {
  const auto hit = std::find_if(headers.begin(), headers.end(),
                                [&](const auto& entry) { return entry.first == name; });
  return hit == headers.end() ? nullptr : &hit->second;
}

std::optional<Request> parse_request(std::string_view head) {
  auto request = parse_request_line(take(head, "\r\n"));
  const bool needs_host = request && request->keep_alive;  // HTTP/1.1
  while (request && !head.empty()) {
    auto line = take(head, "\r\n");
    const auto name = take(line, ":");
    if (!is_token(name) || !is_field_value(line)) return std::nullopt;
    request->headers.emplace_back(lower(name), trimmed(line));
  }
  if (!request || !is_unambiguous(*request, needs_host)) return std::nullopt;
  if (const auto* connection = request->header("connection")) {
    const auto wish = lower(*connection);
    if (wish.find("close") != std::string::npos) request->keep_alive = false;
    if (wish.find("keep-alive") != std::string::npos) request->keep_alive = true;
  }
  return request;
}

std::optional<std::string> path_of(std::string_view target) {
  const auto raw = target.substr(0, target.find_first_of("?#"));
  if (!raw.starts_with('/')) return std::nullopt;
  std::string path;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '%') {
      path += raw[i];
      continue;
    }
    const auto digits = raw.substr(i + 1, 2);
    unsigned value = 0;
    const auto end = digits.data() + digits.size();
    const auto parsed = std::from_chars(digits.data(), end, value, 16);
    if (digits.size() != 2 || parsed.ec != std::errc{} || parsed.ptr != end) {
      return std::nullopt;
    }
    path += static_cast<char>(value);
    i += 2;
  }
  return path;
}

}  // namespace bev::serve
