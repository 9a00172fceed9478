#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

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
std::string_view to_string(Errc code) noexcept;

/// The only exception the core throws. The message names the thing, the problem, and
/// the values: "agents/12: wrong length (found 4093 bytes, expected 4096)".
class Error : public std::runtime_error {
 public:
  Error(Errc code, const std::string& message)
      : std::runtime_error(message), code_(code) {}

  Errc code() const noexcept { return code_; }

 private:
  Errc code_;
};

/// Part of a message: a string, or a decimal integer.
///
/// Lifetime  Views the string it was made from, like std::string_view.
class MessagePart {
 public:
  MessagePart(const char* text) : text_(text), number_(std::string_view(text).size()) {}
  MessagePart(const std::string& text) : text_(text.data()), number_(text.size()) {}
  MessagePart(std::string_view text)
      : text_(text.empty() ? "" : text.data()), number_(text.size()) {}
  MessagePart(std::unsigned_integral auto number) : number_(number) {}
  MessagePart(std::signed_integral auto number)
      : number_(static_cast<std::uint64_t>(number)), negative_(number < 0) {}
  MessagePart(bool) = delete;
  MessagePart(char) = delete;
  MessagePart(double) = delete;

  /// Appends the string or the number.
  void append_to(std::string& out) const;

 private:
  const char* text_ = nullptr;  // null for a number
  std::uint64_t number_;        // for a string its length
  bool negative_ = false;
};

/// The parts of a message, to be concatenated.
using Message = std::initializer_list<MessagePart>;

std::string joined(Message message);

/// Throws an Error with the concatenated message: `fail(Errc::out_of_range, {"scene ",
/// scene, ", there are ", count})`. In WebAssembly a call takes a third of the code of
/// `throw Error(..)` with concatenated strings.
[[noreturn]] void fail(Errc code, Message message);

}  // namespace bev
