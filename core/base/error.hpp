#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

namespace bev {

/// What went wrong, in terms a caller can act on. The same names are `BevError.code`
/// in TypeScript.
enum class Errc {
  invalid_argument,  ///< the caller broke a stated precondition
  invalid_metadata,  ///< the JSON parses but is not what the format allows, or not JSON
  missing_key,       ///< an object that the format requires is absent from the store
  out_of_range,      ///< an index or a range outside what the data holds
  not_found,         ///< a name (an array, a field) that the data does not have
  corrupt_chunk,     ///< the bytes do not decode to what the metadata promises
  unsupported,       ///< valid, but outside what this library reads
  network,           ///< a source could not be read
  changed,           ///< the data changed, or vanished, after it was opened
  out_of_memory,     ///< the memory, or the budget given, is too small
  internal,          ///< a bug of ours
};

/// The name JavaScript sees as `error.code`, e.g. "corrupt_chunk".
std::string_view to_string(Errc code) noexcept;

/// The only exception the core throws. The message names the thing, then what
/// was found, then what was expected: "agents/12: 4093 bytes, expected 4096".
class Error : public std::runtime_error {
 public:
  Error(Errc code, const std::string& message)
      : std::runtime_error(message), code_(code) {}

  Errc code() const noexcept { return code_; }

 private:
  Errc code_;
};

/// A piece of a message: a text, or a whole number in decimal.
///
/// Lifetime: that of the text it was made from, as std::string_view.
class Piece {
 public:
  Piece(const char* text) : text_(text), number_(std::string_view(text).size()) {}
  Piece(const std::string& text) : text_(text.data()), number_(text.size()) {}
  Piece(std::string_view text)
      : text_(text.empty() ? "" : text.data()), number_(text.size()) {}
  Piece(std::unsigned_integral auto number) : number_(number) {}
  Piece(std::signed_integral auto number)
      : number_(static_cast<std::uint64_t>(number)), negative_(number < 0) {}
  Piece(bool) = delete;
  Piece(char) = delete;
  Piece(double) = delete;

  /// Appends what it stands for.
  void append_to(std::string& out) const;

 private:
  const char* text_ = nullptr;  // nothing for a number
  std::uint64_t number_;        // of a text its length
  bool negative_ = false;
};

/// The pieces of a message, one after the other.
using Message = std::initializer_list<Piece>;

std::string joined(Message message);

/// Throws an Error whose message the pieces make up:
/// `fail(Errc::out_of_range, {"scene ", scene, ", there are ", count})`. In WebAssembly
/// a call is a third of what `throw Error(..)` with sums of strings is.
[[noreturn]] void fail(Errc code, Message message);

}  // namespace bev
