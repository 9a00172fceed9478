#pragma once

#include <cstdint>
#include <string_view>

namespace bev::serve {

/// Which part of a file a `Range` header asks for.
struct RangeAnswer {
  enum class Kind {
    whole,          ///< no range, or one that a server may ignore: 200
    part,           ///< bytes [begin, end): 206
    unsatisfiable,  ///< begins behind the end of the file: 416
  };
  Kind kind = Kind::whole;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool operator==(const RangeAnswer&) const = default;
};

/// Answers `Range: value` for a file of `size` bytes. A list of several ranges and
/// whatever is not well formed is answered by the whole file, which the standard
/// allows.
///
/// Example  "bytes=0-511" of 100 bytes is [0, 100); "bytes=-10" is [90, 100).
/// Source: RFC 9110, section 14.
RangeAnswer answer_range(std::string_view value, std::uint64_t size);

}  // namespace bev::serve
