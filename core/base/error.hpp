#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "include/bevscope/error.hpp"

namespace bev {

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

/// Throws an Error with the concatenated message: `fail(Errc::not_found, {"track ",
/// track, ": not in scene ", scene})`. In WebAssembly a call takes a third of the code
/// of `throw Error(..)` with concatenated strings.
[[noreturn]] void fail(Errc code, Message message);

/// Throws out_of_range: `fail_index({"scene "}, 9, 2)` throws "scene 9 is out of range
/// (count 2)".
[[noreturn]] void fail_index(Message thing, std::uint64_t index, std::uint64_t count);

/// Does the same as fail() with the thing as prefix: `fail_at(Errc::corrupt_chunk,
/// "agents/12", {"wrong length (found ", n, ")"})` throws "agents/12: wrong length (found
/// 7)".
[[noreturn]] void fail_at(Errc code, std::string_view thing, Message problem);

}  // namespace bev
