#pragma once

#include <cstdint>
#include <string_view>

namespace bev::serve {

/// The part of a file that a `Range` header selects.
struct RangeAnswer {
  enum class Kind {
    whole,          ///< no range, or one that may be ignored: 200
    part,           ///< bytes [begin, end): 206
    unsatisfiable,  ///< begins after the end of the file: 416
  };
  Kind kind = Kind::whole;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool operator==(const RangeAnswer&) const = default;
};

/// Evaluates `Range: value` for a file of `size` bytes. Multiple ranges and malformed
/// values select the whole file, which the standard allows.
///
/// Example: "bytes=0-511" of 100 bytes is [0, 100); "bytes=-10" is [90, 100).
///
/// Reference  RFC 9110, section 14.
RangeAnswer answer_range(std::string_view value, std::uint64_t size);

}  // namespace bev::serve
