#include "native/http/http_policy.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <limits>

#include "native/http/header_text.hpp"

namespace bev::native {
namespace {

/// Parses a number at the front of `text` and removes it.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t value = 0;
  const auto* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(at - text.data()));
  return value;
}

bool take(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

/// Whether the body is a web page: some servers send their start page or an error page
/// with status 200. The type alone proves nothing, because some servers send every file
/// without an extension as text/html.
bool is_web_page(const HttpAnswer& answer) {
  if (lower(answer.content_type).find("html") == std::string::npos) return false;
  std::string_view bytes(reinterpret_cast<const char*>(answer.body.data()),
                         std::min<std::size_t>(answer.body.size(), 256));
  take(bytes, "\xef\xbb\xbf");  // a byte order mark
  const auto text = lower(trimmed(bytes));
  constexpr std::array<std::string_view, 6> kStarts = {"<!doctype", "<html", "<head",
                                                       "<body",     "<?xml", "<!--"};
  return std::any_of(kStarts.begin(), kStarts.end(),
                     [&](std::string_view start) { return text.starts_with(start); });
}

bool is_encoded(const HttpAnswer& answer) {
  return !answer.content_encoding.empty() &&
         lower(answer.content_encoding) != "identity";
}

std::string quoted_range(const HttpAnswer& answer) {
  return answer.content_range ? "Content-Range \"" + *answer.content_range + "\" with "
                              : std::string();
}

Judgement judge_part(const HttpAnswer& answer, const ByteRange& range) {
  if (is_encoded(answer)) {
    return {Verdict::ask_whole, "server applied Content-Encoding " +
                                    answer.content_encoding +
                                    " to a range request; disable compression for data "
                                    "files"};
  }
  const auto length = answer.body.size();
  const auto wanted = range.end - range.begin;
  if (!answer.content_range && length < wanted) return {Verdict::ask_whole, {}};
  bool fits = !answer.content_range && length == wanted;
  if (answer.content_range) {
    const auto found = parse_content_range(*answer.content_range);
    fits = found && found->begin == range.begin &&
           found->end - found->begin == length &&
           (found->end == range.end ||
            (found->end < range.end && found->size == found->end));
  }
  if (fits) return {Verdict::part, {}};
  return {Verdict::retry, "wrong range (found " + quoted_range(answer) +
                              std::to_string(length) + " bytes, expected bytes " +
                              std::to_string(range.begin) + "-" +
                              std::to_string(range.end - 1) + ")"};
}

/// Removes the mark of a weak ETag and the name of a content coding.
std::string normalized(std::string_view etag) {
  if (etag.starts_with("W/")) etag.remove_prefix(2);
  for (const std::string_view coding : {"gzip", "br", "zstd", "deflate", "df"}) {
    const auto end = std::string(coding) + "\"";
    if (!etag.ends_with(end)) continue;
    const auto bare = etag.substr(0, etag.size() - end.size());
    const auto last = bare.find_last_not_of("-;:");
    if (last + 1 == bare.size()) break;  // the name is part of the tag
    return std::string(bare.substr(0, last + 1)) + "\"";
  }
  return std::string(etag);
}

/// Parses two digits.
std::optional<int> two_digits(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.size() != 2 || !is_digit(text[0]) || !is_digit(text[1])) return std::nullopt;
  return (text[0] - '0') * 10 + (text[1] - '0');
}

/// Parses "Sun, 06 Nov 1994 08:49:37 GMT" to seconds since 1970. The name of the day is
/// not checked.
std::optional<std::int64_t> parse_http_date(std::string_view text) {
  using namespace std::chrono;
  constexpr std::string_view kForm = "ddd, 00 mmm 0000 00:00:00 GMT";
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  if (text.size() != kForm.size() || text.substr(3, 2) != ", " ||
      text.substr(25) != " GMT" || text[7] != ' ' || text[11] != ' ' ||
      text[16] != ' ' || text[19] != ':' || text[22] != ':') {
    return std::nullopt;
  }
  const auto month_at = kMonths.find(text.substr(8, 3));
  const auto century = two_digits(text.substr(12, 2));
  const auto rest = two_digits(text.substr(14, 2));
  const auto day_of_month = two_digits(text.substr(5, 2));
  const auto hour = two_digits(text.substr(17, 2));
  const auto minute = two_digits(text.substr(20, 2));
  const auto second = two_digits(text.substr(23, 2));
  if (month_at == std::string_view::npos || month_at % 3 != 0 || !century || !rest ||
      !day_of_month || !hour || !minute || !second || *hour > 23 || *minute > 59 ||
      *second > 60) {
    return std::nullopt;
  }
  const year_month_day date{year(*century * 100 + *rest),
                            month(static_cast<unsigned>(month_at / 3 + 1)),
                            day(static_cast<unsigned>(*day_of_month))};
  if (!date.ok()) return std::nullopt;
  const sys_seconds at =
      sys_days(date) + hours(*hour) + minutes(*minute) + seconds(*second);
  return at.time_since_epoch().count();
}

}  // namespace

std::optional<ContentRange> parse_content_range(std::string_view text) {
  if (lower(text.substr(0, 6)) != "bytes ") return std::nullopt;
  text.remove_prefix(6);
  const auto begin = take_number(text);
  if (!begin || !take(text, "-")) return std::nullopt;
  const auto last = take_number(text);
  if (!last || *last < *begin || *last == std::numeric_limits<std::uint64_t>::max()) {
    return std::nullopt;
  }
  ContentRange found{*begin, *last + 1, std::nullopt};
  if (!take(text, "/")) return std::nullopt;
  if (text == "*") return found;
  found.size = take_number(text);
  if (!found.size || !text.empty() || *found.size < found.end) return std::nullopt;
  return found;
}

bool is_transient(long status) noexcept {
  return status == 0 || status == 408 || status == 425 || status == 429 ||
         status >= 500;
}

Judgement judge(const HttpAnswer& answer, const Asked& asked) {
  const auto status = answer.status;
  auto said = "HTTP " + std::to_string(status);
  if (status == 0) {
    return {answer.permanent ? Verdict::refused : Verdict::retry, answer.failure};
  }
  if (is_transient(status)) return {Verdict::retry, std::move(said)};
  if (status == 404 || (status == 403 && asked.forbidden_is_absent)) {
    return {Verdict::absent, {}};
  }
  if (status == 403) return {Verdict::denied, std::move(said)};
  if (status == 416 && asked.range) return {Verdict::ask_whole, {}};
  if (status != 200 && status != 206) return {Verdict::refused, std::move(said)};
  if (is_web_page(answer)) {
    return {Verdict::web_page, "unexpected response (found a web page, expected data)"};
  }
  if (status == 200) {
    const bool is_raw = asked.range && is_encoded(answer);
    return {is_raw ? Verdict::ask_whole : Verdict::whole, {}};
  }
  if (!asked.range) {
    return {Verdict::retry,
            "unexpected response (found a range, expected the whole object)"};
  }
  return judge_part(answer, *asked.range);
}

Validator validator_of(const HttpAnswer& answer, std::optional<std::uint64_t> length) {
  Validator out{normalized(answer.etag), answer.last_modified, length};
  if (answer.status != 206) return out;
  const auto found =
      answer.content_range ? parse_content_range(*answer.content_range) : std::nullopt;
  out.length = found ? found->size : std::nullopt;
  return out;
}

Comparison compare(const Validator& known, const Validator& seen) {
  if (known.length && seen.length && *known.length != *seen.length) {
    return Comparison::changed;
  }
  for (const auto field : {&Validator::etag, &Validator::modified}) {
    if ((known.*field).empty() || (seen.*field).empty()) continue;
    return known.*field == seen.*field ? Comparison::same : Comparison::changed;
  }
  return Comparison::unknown;
}

double retry_after_ms(std::string_view header, std::int64_t now_s) {
  header = trimmed(header);
  const bool is_count = !header.empty() && header.find_first_not_of("0123456789") ==
                                               std::string_view::npos;
  if (is_count) {
    const auto seconds = take_number(header);
    return seconds ? static_cast<double>(*seconds) * 1000
                   : std::numeric_limits<double>::infinity();
  }
  const auto date = parse_http_date(header);
  return date && *date > now_s ? static_cast<double>(*date - now_s) * 1000 : 0;
}

std::optional<double> delay_ms(unsigned attempt, double first_ms, double retry_after,
                               double random) {
  if (retry_after > kMaxDelayMs) return std::nullopt;
  double back_off = std::min(first_ms, kMaxDelayMs);
  for (unsigned i = 0; i < attempt && back_off > 0 && back_off < kMaxDelayMs; ++i) {
    back_off = std::min(back_off * 2, kMaxDelayMs);
  }
  return std::max(back_off * (0.5 + 0.5 * random), retry_after * (1 + 0.1 * random));
}

}  // namespace bev::native
