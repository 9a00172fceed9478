#include "native/serve/access_log.hpp"

#include <array>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "core/base/secrets.hpp"

namespace bev::serve {
namespace {

constexpr std::size_t kMaxValue = 2048;  // of a path, a referer, a program's name
constexpr std::array kMonthNames = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

/// Returns the text with other bytes than printable ASCII as \xHH, also where they are
/// part of UTF-8: a line has no control characters and is valid in any encoding.
std::string plain(std::string_view text, std::string_view also_escaped) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (const char c : text.substr(0, kMaxValue)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= ' ' && byte < 0x7f && also_escaped.find(c) == std::string_view::npos) {
      out += c;
    } else {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    }
  }
  return out;
}

/// Returns a target without query and fragment.
std::string path_text(std::string_view target) {
  return without_secrets(target.substr(0, target.find_first_of("?#")));
}

std::optional<std::string> header_text(const Record& record, std::string_view name) {
  const auto* value =
      record.request == nullptr ? nullptr : record.request->header(name);
  return value == nullptr ? std::nullopt : std::optional(without_secrets(*value));
}

std::optional<std::string> referer_text(const Record& record) {
  const auto text = header_text(record, "referer");
  return text ? std::optional(path_text(*text)) : std::nullopt;
}

std::int64_t microseconds_of(const Record& record) {
  using std::chrono::microseconds;
  return std::chrono::duration_cast<microseconds>(record.duration).count();
}

std::string seconds_of(const Record& record) {
  std::array<char, 32> text{};
  const auto spent = microseconds_of(record);
  const int length = std::snprintf(text.data(), text.size(), "%lld.%06lld",
                                   static_cast<long long>(spent / 1'000'000),
                                   static_cast<long long>(spent % 1'000'000));
  return {text.data(), static_cast<std::size_t>(length)};
}

std::tm utc(const Record& record) {
  const auto seconds = std::chrono::system_clock::to_time_t(
      std::chrono::floor<std::chrono::seconds>(record.received));
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  return parts;
}

/// "29/Nov/2026:07:43:13 +0000"
std::string common_time(const Record& record) {
  const auto at = utc(record);
  std::array<char, 64> text{};
  const int length =
      std::snprintf(text.data(), text.size(), "%02d/%s/%04d:%02d:%02d:%02d +0000",
                    at.tm_mday, kMonthNames[static_cast<std::size_t>(at.tm_mon)],
                    at.tm_year + 1900, at.tm_hour, at.tm_min, at.tm_sec);
  return {text.data(), static_cast<std::size_t>(length)};
}

/// "2026-11-29T07:43:13.042Z"
std::string iso_time(const Record& record) {
  using namespace std::chrono;
  const auto at = utc(record);
  const auto rest = record.received - floor<seconds>(record.received);
  std::array<char, 64> text{};
  const int length = std::snprintf(
      text.data(), text.size(), "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ",
      at.tm_year + 1900, at.tm_mon + 1, at.tm_mday, at.tm_hour, at.tm_min, at.tm_sec,
      static_cast<int>(duration_cast<milliseconds>(rest).count()));
  return {text.data(), static_cast<std::size_t>(length)};
}

std::string quoted(const std::optional<std::string>& value) {
  return '"' + (value ? plain(*value, "\"\\") : "-") + '"';
}

nlohmann::ordered_json json_value(const std::optional<std::string>& value) {
  if (!value) return nullptr;
  return plain(*value, "\\");
}

}  // namespace

std::string combined_line(const Record& record) {
  std::optional<std::string> line;
  if (const auto* request = record.request) {
    line = request->method + " " + path_text(request->target) + " " + request->version;
  }
  std::string text(record.client.empty() ? "-" : record.client);
  text.append(" - - [").append(common_time(record)).append("] ").append(quoted(line));
  text.append(" ").append(std::to_string(record.status));
  text.append(" ").append(std::to_string(record.body_bytes));
  text.append(" ").append(quoted(referer_text(record)));
  text.append(" ").append(quoted(header_text(record, "user-agent")));
  text.append(" ").append(seconds_of(record));
  return record.complete ? text : text.append(" aborted");
}

std::string json_line(const Record& record) {
  using Field = std::string Request::*;
  const auto part = [&](Field field) -> std::optional<std::string> {
    if (record.request == nullptr) return std::nullopt;
    return record.request->*field;
  };
  auto path = part(&Request::target);
  if (path) path = path_text(*path);
  nlohmann::ordered_json line;
  line["time"] = iso_time(record);
  line["client"] = record.client;
  line["method"] = json_value(part(&Request::method));
  line["path"] = json_value(path);
  line["protocol"] = json_value(part(&Request::version));
  line["range"] = json_value(header_text(record, "range"));
  line["status"] = record.status;
  line["bytes"] = record.body_bytes;
  line["seconds"] = static_cast<double>(microseconds_of(record)) / 1e6;
  line["complete"] = record.complete;
  line["referer"] = json_value(referer_text(record));
  line["agent"] = json_value(header_text(record, "user-agent"));
  return line.dump();
}

void AccessLog::add(const Record& record) {
  writer_.add(format_ == LogFormat::json ? json_line(record) : combined_line(record));
}

}  // namespace bev::serve
