#include "native/serve/metrics.hpp"

#include <algorithm>
#include <string_view>

namespace bev::serve {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr std::array<std::string_view, 4> kMethodNames = {"GET", "HEAD", "OPTIONS",
                                                          "other"};

struct Bound {
  std::int64_t ns;
  std::string_view seconds;
};

// From a cached document on this machine to a large object for a slow client.
constexpr std::array<Bound, 15> kBounds = {{
    {500'000, "0.0005"},
    {1'000'000, "0.001"},
    {2'500'000, "0.0025"},
    {5'000'000, "0.005"},
    {10'000'000, "0.01"},
    {25'000'000, "0.025"},
    {50'000'000, "0.05"},
    {100'000'000, "0.1"},
    {250'000'000, "0.25"},
    {500'000'000, "0.5"},
    {1'000'000'000, "1"},
    {2'500'000'000, "2.5"},
    {5'000'000'000, "5"},
    {10'000'000'000, "10"},
    {60'000'000'000, "60"},
}};

std::size_t method_index(const Record& record) {
  const std::string_view method =
      record.request == nullptr ? "" : std::string_view(record.request->method);
  const auto hit = std::find(kMethodNames.begin(), kMethodNames.end() - 1, method);
  return static_cast<std::size_t>(hit - kMethodNames.begin());
}

std::size_t class_index(int status) {
  return static_cast<std::size_t>(std::clamp(status / 100, 2, 5) - 2);
}

std::size_t bucket_index(std::chrono::nanoseconds duration) {
  const auto hit =
      std::find_if(kBounds.begin(), kBounds.end(),
                   [&](const Bound& bound) { return duration.count() <= bound.ns; });
  return static_cast<std::size_t>(hit - kBounds.begin());
}

/// Formats nanoseconds as seconds: "12.000000345".
std::string seconds_text(std::uint64_t ns) {
  constexpr std::uint64_t kPerSecond = 1'000'000'000;
  auto fraction = std::to_string(kPerSecond + ns % kPerSecond);
  fraction.front() = '.';
  return std::to_string(ns / kPerSecond) + fraction;
}

std::string seconds_text(std::chrono::nanoseconds duration) {
  return seconds_text(
      static_cast<std::uint64_t>(std::max<std::int64_t>(0, duration.count())));
}

/// The lines before a metric's values.
std::string about(std::string_view name, std::string_view type, std::string_view help) {
  std::string text = "# HELP ";
  text.append(name).append(" ").append(help).append("\n# TYPE ");
  return text.append(name).append(" ").append(type).append("\n");
}

std::string metric(std::string_view name, std::string_view type, std::string_view help,
                   std::string_view value) {
  return about(name, type, help).append(name).append(" ").append(value).append("\n");
}

}  // namespace

Metrics::Metrics() noexcept
    : started_(std::chrono::steady_clock::now()),
      started_at_(std::chrono::system_clock::now()) {
  static_assert(kMethodNames.size() == kMethods);
  static_assert(kBounds.size() + 1 == kBuckets);
}

void Metrics::open() noexcept {
  opened_.fetch_add(1, kRelaxed);
}

void Metrics::close() noexcept {
  closed_.fetch_add(1, std::memory_order_release);
}

void Metrics::send(std::uint64_t bytes) noexcept {
  sent_bytes_.fetch_add(bytes, kRelaxed);
}

void Metrics::count(const Record& record) noexcept {
  requests_[method_index(record)][class_index(record.status)].fetch_add(1, kRelaxed);
  durations_[bucket_index(record.duration)].fetch_add(1, kRelaxed);
  duration_ns_.fetch_add(static_cast<std::uint64_t>(record.duration.count()), kRelaxed);
  if (!record.complete) aborted_.fetch_add(1, kRelaxed);
}

std::string Metrics::requests_text() const {
  constexpr std::string_view kName = "bevscope_http_requests_total";
  auto text = about(kName, "counter", "Answered requests.");
  for (std::size_t method = 0; method < kMethods; ++method) {
    for (std::size_t kind = 0; kind < kClasses; ++kind) {
      text.append(kName).append("{method=\"").append(kMethodNames[method]);
      text.append("\",status=\"").append(std::to_string(kind + 2)).append("xx\"} ");
      text += std::to_string(requests_[method][kind].load(kRelaxed)) + "\n";
    }
  }
  return text;
}

std::string Metrics::duration_text() const {
  constexpr std::string_view kName = "bevscope_http_request_duration_seconds";
  auto text =
      about(kName, "histogram",
            "From a request's last byte to its answer's, passed to the system.");
  const auto sum = duration_ns_.load(kRelaxed);
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    count += durations_[i].load(kRelaxed);
    const auto bound = i < kBounds.size() ? kBounds[i].seconds : "+Inf";
    text.append(kName).append("_bucket{le=\"").append(bound).append("\"} ");
    text += std::to_string(count) + "\n";
  }
  text.append(kName).append("_sum ").append(seconds_text(sum)).append("\n");
  return text.append(kName).append("_count ").append(std::to_string(count)) + "\n";
}

std::string Metrics::text(std::uint64_t dropped_lines) const {
  const auto uptime = std::chrono::steady_clock::now() - started_;
  // In this order, so that a connection that ends meanwhile is not closed before it was
  // opened.
  const auto closed = closed_.load(std::memory_order_acquire);
  const auto opened = opened_.load(kRelaxed);
  return about("bevscope_build_info", "gauge",
               "The server's version; the value is 1.") +
         "bevscope_build_info{version=\"" BEV_VERSION "\"} 1\n" + requests_text() +
         duration_text() +
         metric("bevscope_http_aborted_total", "counter",
                "Answers that were not sent to their end.",
                std::to_string(aborted_.load(kRelaxed))) +
         metric("bevscope_http_sent_bytes_total", "counter",
                "Bytes of answers, with their heads, passed to the system.",
                std::to_string(sent_bytes_.load(kRelaxed))) +
         metric("bevscope_connections_total", "counter", "Accepted connections.",
                std::to_string(opened)) +
         metric("bevscope_connections", "gauge", "Open connections.",
                std::to_string(opened - closed)) +
         metric("bevscope_log_dropped_lines_total", "counter",
                "Lines of the access log that could not be written.",
                std::to_string(dropped_lines)) +
         metric("bevscope_uptime_seconds", "gauge", "Time since the server started.",
                seconds_text(uptime)) +
         metric("bevscope_start_time_seconds", "gauge",
                "When the server started, in seconds since 1970.",
                seconds_text(started_at_.time_since_epoch()));
}

}  // namespace bev::serve
