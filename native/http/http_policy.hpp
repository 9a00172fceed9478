#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/store/request.hpp"
#include "native/http/http_client.hpp"

/// What a response means, as pure functions. web/src/source implements the same policy;
/// both are tested with tests/vectors/http.json.
///
/// Reference  RFC 9110.
namespace bev::native {

/// A Content-Range: "bytes 0-99/1000".
struct ContentRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;              ///< exclusive
  std::optional<std::uint64_t> size;  ///< size of the whole object; absent for "*"
};

/// Parses the header's value; nullopt if it is malformed or inconsistent.
std::optional<ContentRange> parse_content_range(std::string_view text);

/// What to do with a response.
enum class Verdict {
  part,       ///< the body is the requested range, or its existing part
  whole,      ///< the body is the whole object
  absent,     ///< the object does not exist
  denied,     ///< 403: absence or a missing permission
  ask_whole,  ///< request the object without a range
  retry,      ///< may succeed later
  web_page,   ///< a web page instead of data: not an error status, but not an object
  refused,    ///< would fail again
};

struct Judgement {
  Verdict verdict = Verdict::refused;
  std::string problem;  ///< for the error message; empty for part, whole and absent
};

/// The properties of a request that its response is judged by.
struct Asked {
  std::optional<ByteRange> range;
  bool forbidden_is_absent = false;
};

/// Judges a response. The body of a whole object is decoded by the client unless a
/// range was requested.
///
/// A 206 without Content-Range counts only if its length is that of the range; empty or
/// malformed headers do not count. Objects of a server that encodes ranges are read
/// whole. Only 200 and 206 are success: 204 has no content, 203 was altered on the way.
Judgement judge(const HttpAnswer& answer, const Asked& asked);

/// Whether the status is temporary: 0 (no response), 408, 425, 429 and all from 500.
bool is_transient(long status) noexcept;

/// An object's state according to a response.
struct Validator {
  std::string etag;      ///< normalized; "": not known
  std::string modified;  ///< Last-Modified; "": not known
  std::optional<std::uint64_t> length;
};

/// Returns the state from a response's headers; `length` is that of a whole body.
/// Normalizes the ETag: servers that compress mark it as weak or append the coding.
Validator validator_of(const HttpAnswer& answer,
                       std::optional<std::uint64_t> length = std::nullopt);

enum class Comparison { same, changed, unknown };

/// Compares two states. Different lengths prove a change, equal ones nothing; ETags
/// decide before dates.
Comparison compare(const Validator& known, const Validator& seen);

/// Maximum delay before a retry. A server that asks for more is not asked again.
inline constexpr double kMaxDelayMs = 30'000;

/// Parses a Retry-After header to milliseconds: seconds, or a date (the preferred
/// format of RFC 9110, 5.6.7) after `now_s`, in seconds since 1970. 0 if it is neither
/// or in the past.
double retry_after_ms(std::string_view header, std::int64_t now_s);

/// Returns the milliseconds to wait before retry `attempt` (0 for the first), or
/// nullopt to give up because the server asks for more than kMaxDelayMs. The back-off
/// doubles from `first_ms`. Half of it is random, and up to a tenth is added to a
/// Retry-After, so that clients which failed together do not retry together.
///
/// @param random  uniform in [0, 1)
std::optional<double> delay_ms(unsigned attempt, double first_ms, double retry_after,
                               double random);

}  // namespace bev::native
