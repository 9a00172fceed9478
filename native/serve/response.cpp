#include "native/serve/response.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string_view>

#include "native/serve/status_pages.hpp"

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
    case 421: return "Misdirected Request";
    case 431: return "Request Header Fields Too Large";
    case 503: return "Service Unavailable";
    default: return "Internal Server Error";
  }
}

/// Adds the headers that tell which pages may read the response.
void add_access(Response& response, const Request& request, const Access& access) {
  if (access.depends_on_origin()) response.headers.emplace_back("Vary", "Origin");
  const auto origin =
      response.for_other_origins ? access.allowed_origin(request) : std::nullopt;
  response.headers.emplace_back("Cross-Origin-Resource-Policy",
                                origin ? "cross-origin" : "same-origin");
  if (!origin) return;
  response.headers.emplace_back("Access-Control-Allow-Origin", *origin);
  response.headers.emplace_back(
      "Access-Control-Expose-Headers",
      "Accept-Ranges, Content-Length, Content-Range, ETag, Last-Modified");
}

Response options_response(const Request& request, const Access& access) {
  Response response;
  response.status = 204;
  response.headers.emplace_back("Allow", "GET, HEAD, OPTIONS");
  if (!access.allowed_origin(request)) return response;
  response.headers.emplace_back("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS");
  response.headers.emplace_back("Access-Control-Allow-Headers",
                                "Range, If-None-Match, If-Modified-Since, If-Range");
  response.headers.emplace_back("Access-Control-Max-Age", "86400");
  // Chromium sends this before a public page may access a private address.
  if (request.header("access-control-request-private-network") != nullptr) {
    response.headers.emplace_back("Access-Control-Allow-Private-Network", "true");
  }
  return response;
}

std::string etag_of(const native::File& file) {
  return "\"" + std::to_string(file.size()) + "-" + std::to_string(file.modified_ns()) +
         "\"";
}

std::string last_modified_of(const native::File& file) {
  return http_date(file.modified_ns() / kNsPerSecond);
}

/// Removes the next entity tag from a list such as `"a", W/"b"` and returns it without
/// W/; nullopt at the end or for a malformed list.
std::optional<std::string_view> take_etag(std::string_view& list) {
  const auto from = list.find_first_not_of(" \t,");
  if (from == list.npos) return std::nullopt;
  list.remove_prefix(from);
  if (list.starts_with("W/")) list.remove_prefix(2);
  const auto quote = list.starts_with('"') ? list.find('"', 1) : list.npos;
  if (quote == list.npos) return std::nullopt;
  const auto tag = list.substr(0, quote + 1);
  list.remove_prefix(tag.size());
  const auto next = list.find_first_not_of(" \t");
  if (next != list.npos && list[next] != ',') return std::nullopt;
  return tag;
}

/// Whether a list such as `"a", W/"b"` contains `etag`, by weak comparison as for
/// If-None-Match.
bool lists_etag(std::string_view list, std::string_view etag) {
  if (list == "*") return true;
  while (const auto tag = take_etag(list)) {
    if (*tag == etag) return true;
  }
  return false;
}

bool is_unchanged(const Request& request, const native::File& file,
                  std::string_view etag) {
  if (const auto* known = request.header("if-none-match")) {
    return lists_etag(*known, etag);
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

/// Returns the gzipped copy to send instead of the file; nullptr for none.
std::shared_ptr<const std::string> gzipped(const Request& request,
                                           std::string_view path, const Site& site,
                                           const SiteFile& found) {
  const auto* accepted = request.header("accept-encoding");
  const bool wanted = found.is_text && accepted != nullptr && accepts_gzip(*accepted) &&
                      request.header("range") == nullptr;
  return wanted ? site.gzipped(path, etag_of(found.file), found) : nullptr;
}

/// Returns the ETag of the gzipped copy: "\"12-34-gzip\"" for a file's "\"12-34\"".
std::string gzip_etag_of(const native::File& file) {
  auto etag = etag_of(file);
  etag.insert(etag.size() - 1, "-gzip");
  return etag;
}

Response send(const Request& request, std::string_view path, const Site& site,
              SiteFile found) {
  Response response;
  const auto packed = gzipped(request, path, site, found);
  const auto etag = packed ? gzip_etag_of(found.file) : etag_of(found.file);
  response.headers.emplace_back("Accept-Ranges", "bytes");
  response.headers.emplace_back(
      "Cache-Control",
      found.immutable ? "public, max-age=31536000, immutable" : "no-cache");
  response.headers.emplace_back("ETag", etag);
  response.headers.emplace_back("Last-Modified", last_modified_of(found.file));
  if (found.is_text) response.headers.emplace_back("Vary", "Accept-Encoding");
  if (is_unchanged(request, found.file, etag)) {
    response.status = 304;
    return response;
  }
  response.headers.emplace_back("Content-Type", found.type);
  response.headers.emplace_back("Content-Security-Policy", found.policy);
  response.headers.emplace_back("X-Content-Type-Options", "nosniff");
  if (packed) {
    response.headers.emplace_back("Content-Encoding", "gzip");
    response.text = *packed;
    return response;
  }
  set_part(response, range_of(request, found.file), found.file.size());
  response.file.emplace(std::move(found.file));
  return response;
}

/// Returns the response to GET: a page of the server, or a file.
Response content_response(const Request& request, const Site& site,
                          const StatusPages* pages) {
  const auto path = path_of(request.target);
  if (!path) return plain_response(400, "not a path\n");
  auto page = pages != nullptr ? pages->find(*path) : std::nullopt;
  if (page) return std::move(*page);
  auto found = site.find(*path);
  return found ? send(request, *path, site, std::move(*found))
               : plain_response(404, "not found\n");
}

Response answer(const Request& request, const Site& site, const StatusPages* pages) {
  if (!site.access().allows_host(request)) {
    return plain_response(421,
                          "host \"" + *request.header("host") +
                              "\": not served here (expected 127.0.0.1, localhost, "
                              "[::1] or a name given with --host)\n");
  }
  if (request.method == "OPTIONS") return options_response(request, site.access());
  const bool is_head = request.method == "HEAD";
  if (!is_head && request.method != "GET") {
    auto response = plain_response(405, "only GET, HEAD and OPTIONS\n");
    response.headers.emplace_back("Allow", "GET, HEAD, OPTIONS");
    return response;
  }
  auto response = content_response(request, site, pages);
  response.head_only = is_head;
  return response;
}

using Kind = RangeAnswer::Kind;

std::optional<std::uint64_t> number_response(std::string_view text) {
  std::uint64_t value = 0;
  const auto end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (text.empty() || parsed.ec != std::errc{} || parsed.ptr != end)
    return std::nullopt;
  return value;
}

RangeAnswer part(std::uint64_t begin, std::uint64_t end) {
  if (begin >= end) return {Kind::unsatisfiable, 0, 0};
  return {Kind::part, begin, end};
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
  response.headers.emplace_back("Cache-Control", "no-cache");
  response.headers.emplace_back("Content-Type", "text/plain; charset=utf-8");
  response.headers.emplace_back("X-Content-Type-Options", "nosniff");
  response.text = std::move(text);
  return response;
}

Response respond(const Request& request, const Site& site, const StatusPages* pages) {
  auto response = answer(request, site, pages);
  add_access(response, request, site.access());
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

RangeAnswer answer_range(std::string_view value, std::uint64_t size) {
  constexpr std::string_view kUnit = "bytes=";
  if (!value.starts_with(kUnit)) return {};
  value.remove_prefix(kUnit.size());
  const auto dash = value.find('-');
  if (dash == std::string_view::npos) return {};

  const auto first = number_response(value.substr(0, dash));
  const auto last = number_response(value.substr(dash + 1));
  const bool open_ended = dash + 1 == value.size();
  if (first && open_ended) return part(*first, size);
  if (first && last && *first <= *last) {
    return part(*first, *last < size ? *last + 1 : size);
  }
  if (dash == 0 && last) return part(size - std::min(*last, size), size);
  return {};
}

std::string http_date(std::int64_t seconds) {
  using namespace std::chrono;
  constexpr std::array kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const sys_seconds at{std::chrono::seconds(seconds)};
  const auto day = floor<days>(at);
  const year_month_day date(day);
  const hh_mm_ss time(at - day);
  std::array<char, 64> text{};
  const int length = std::snprintf(
      text.data(), text.size(), "%s, %02u %s %04d %02d:%02d:%02d GMT",
      kDays[weekday(day).c_encoding()], static_cast<unsigned>(date.day()),
      kMonths[static_cast<unsigned>(date.month()) - 1], static_cast<int>(date.year()),
      static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
      static_cast<int>(time.seconds().count()));
  return {text.data(), static_cast<std::size_t>(length)};
}

}  // namespace bev::serve
