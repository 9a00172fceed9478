#include "native/serve/response.hpp"

#include <algorithm>
#include <string_view>

#include "native/serve/byte_range.hpp"
#include "native/serve/http_date.hpp"

namespace bev::serve {
namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

std::string_view reason(int status) {
  switch (status) {
    case 200: return "OK";
    case 204: return "No Content";
    case 206: return "Partial Content";
    case 304: return "Not Modified";
    case 400: return "Bad Request";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 413: return "Content Too Large";
    case 416: return "Range Not Satisfiable";
    case 431: return "Request Header Fields Too Large";
    default: return "Internal Server Error";
  }
}

void allow_other_origins(Response& response) {
  response.headers.emplace_back("Access-Control-Allow-Origin", "*");
  response.headers.emplace_back(
      "Access-Control-Expose-Headers",
      "Accept-Ranges, Content-Length, Content-Range, ETag, Last-Modified");
  response.headers.emplace_back("Cross-Origin-Resource-Policy", "cross-origin");
}

Response preflight() {
  Response response;
  response.status = 204;
  allow_other_origins(response);
  response.headers.emplace_back("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS");
  response.headers.emplace_back("Access-Control-Allow-Headers",
                                "Range, If-None-Match, If-Modified-Since, If-Range");
  response.headers.emplace_back("Access-Control-Max-Age", "86400");
  response.headers.emplace_back("Allow", "GET, HEAD, OPTIONS");
  return response;
}

std::string etag_of(const native::File& file) {
  return "\"" + std::to_string(file.size()) + "-" + std::to_string(file.modified_ns()) +
         "\"";
}

std::string last_modified_of(const native::File& file) {
  return http_date(file.modified_ns() / kNsPerSecond);
}

/// Whether a list such as `"a", W/"b"` names `etag`; weak comparison, as If-None-Match
/// asks.
bool lists_etag(std::string_view list, std::string_view etag) {
  return list == "*" || list.find(etag) != std::string_view::npos;
}

bool is_unchanged(const Request& request, const native::File& file) {
  if (const auto* known = request.header("if-none-match")) {
    return lists_etag(*known, etag_of(file));
  }
  const auto* since = request.header("if-modified-since");
  return since != nullptr && *since == last_modified_of(file);
}

RangeAnswer range_of(const Request& request, const native::File& file) {
  const RangeAnswer whole;
  const auto* range = request.header("range");
  if (range == nullptr || request.method != "GET") return whole;
  const auto* if_range = request.header("if-range");
  const bool stale = if_range != nullptr && *if_range != etag_of(file) &&
                     *if_range != last_modified_of(file);
  return stale ? whole : answer_range(*range, file.size());
}

void set_part(Response& response, const RangeAnswer& range, std::uint64_t size) {
  const auto total = "/" + std::to_string(size);
  response.end = size;
  if (range.kind == RangeAnswer::Kind::whole) return;
  if (range.kind == RangeAnswer::Kind::unsatisfiable) {
    response.status = 416;
    response.end = 0;
    response.headers.emplace_back("Content-Range", "bytes *" + total);
    return;
  }
  response.status = 206;
  response.begin = range.begin;
  response.end = range.end;
  response.headers.emplace_back("Content-Range",
                                "bytes " + std::to_string(range.begin) + "-" +
                                    std::to_string(range.end - 1) + total);
}

Response send(const Request& request, SiteFile found) {
  Response response;
  allow_other_origins(response);
  response.headers.emplace_back("Accept-Ranges", "bytes");
  response.headers.emplace_back("Cache-Control", "no-cache");
  response.headers.emplace_back("ETag", etag_of(found.file));
  response.headers.emplace_back("Last-Modified", last_modified_of(found.file));
  if (is_unchanged(request, found.file)) {
    response.status = 304;
    return response;
  }
  response.headers.emplace_back("Content-Type", found.type);
  response.headers.emplace_back("Content-Security-Policy", found.policy);
  response.headers.emplace_back("X-Content-Type-Options", "nosniff");
  set_part(response, range_of(request, found.file), found.file.size());
  response.file.emplace(std::move(found.file));
  return response;
}

}  // namespace

const std::string* Response::header(std::string_view name) const {
  const auto hit = std::find_if(headers.begin(), headers.end(),
                                [&](const auto& entry) { return entry.first == name; });
  return hit == headers.end() ? nullptr : &hit->second;
}

Response plain_response(int status, std::string text) {
  Response response;
  response.status = status;
  allow_other_origins(response);
  response.headers.emplace_back("Cache-Control", "no-cache");
  response.headers.emplace_back("Content-Type", "text/plain; charset=utf-8");
  response.headers.emplace_back("X-Content-Type-Options", "nosniff");
  response.text = std::move(text);
  return response;
}

Response respond(const Request& request, const Site& site) {
  if (request.method == "OPTIONS") return preflight();
  const bool is_head = request.method == "HEAD";
  if (!is_head && request.method != "GET") {
    auto response = plain_response(405, "only GET, HEAD and OPTIONS\n");
    response.headers.emplace_back("Allow", "GET, HEAD, OPTIONS");
    return response;
  }
  const auto path = path_of(request.target);
  auto found = path ? site.find(*path) : std::nullopt;
  auto response = !path   ? plain_response(400, "not a path\n")
                  : found ? send(request, std::move(*found))
                          : plain_response(404, "not found\n");
  response.head_only = is_head;
  return response;
}

std::string head_of(const Response& response, bool keep_alive, std::int64_t now) {
  std::string head = "HTTP/1.1 " + std::to_string(response.status) + " ";
  head += reason(response.status);
  head += "\r\nDate: " + http_date(now) + "\r\n";
  for (const auto& [name, value] : response.headers) {
    head.append(name).append(": ").append(value).append("\r\n");
  }
  if (response.status != 204 && response.status != 304) {
    head += "Content-Length: " + std::to_string(response.body_size()) + "\r\n";
  }
  head += keep_alive ? "Connection: keep-alive\r\n" : "Connection: close\r\n";
  return head + "\r\n";
}

}  // namespace bev::serve
