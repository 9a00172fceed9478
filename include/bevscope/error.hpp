#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "export.hpp"

namespace bev {

/// Error codes that a caller can act on. `BevError.code` in TypeScript has the same
/// names.
enum class Errc {
  invalid_argument,  ///< a precondition was violated
  invalid_metadata,  ///< not JSON, or JSON that the format does not allow
  missing_key,       ///< a required object is absent from the store
  out_of_range,      ///< an index or a range outside the data
  not_found,         ///< a name (an array, a field) that the data lacks
  corrupt_chunk,     ///< the bytes do not decode as the metadata states
  unsupported,       ///< valid, but not supported by this library
  network,           ///< a server could not be reached or refused to answer
  io,                ///< reading or writing a local file failed
  changed,           ///< the data changed or was removed after it was opened
  out_of_memory,     ///< the memory or the byte budget is too small
  limit_exceeded,    ///< above a documented limit, however much memory there is
  internal,          ///< a bug in bevscope
};

/// Returns the code's name, which is `error.code` in JavaScript: "corrupt_chunk".
BEV_EXPORT std::string_view to_string(Errc code) noexcept;

/// The exception that the library throws, besides std::bad_alloc. The message names the
/// thing, the problem, and the values: "agents/12: wrong length (found 4093 bytes,
/// expected 4096)".
class BEV_EXPORT Error : public std::runtime_error {
 public:
  /// Creates an error with a code and a message.
  Error(Errc code, const std::string& message)
      : std::runtime_error(message), code_(code) {}

  /// Returns the code.
  Errc code() const noexcept { return code_; }

 private:
  Errc code_;
};

}  // namespace bev
