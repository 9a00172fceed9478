#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace bev::pickle {

/// Writes a pickle of protocol 4: the values that Python's pickle.load() returns, and
/// arrays of NumPy, under the names of NumPy 1, which NumPy 2 also reads.
///
///     Writer out;
///     out.begin_dict();
///     out.text("ts");
///     out.array("f8", shape, bytes);
///     out.end_dict();
///     const std::string pickle = out.finish();
///
/// Within a dict, keys and values alternate.
class Writer {
 public:
  Writer();

  void none();
  void boolean(bool value);
  void integer(std::int64_t value);
  void real(double value);
  void text(std::string_view value);

  void begin_dict();
  void end_dict();
  void begin_list();
  void end_list();

  /// Writes an array in C order.
  ///
  /// @param code  NumPy's, of little-endian numbers: "f8", "f4", "b1"
  void array(std::string_view code, std::span<const std::size_t> shape,
             std::span<const std::byte> bytes);

  /// Ends the pickle and returns it.
  std::string finish();

 private:
  void opcode(char code) { out_ += code; }
  void number(std::uint64_t value, std::size_t size);
  void sized(char short_code, char code, std::string_view bytes);
  void bytes(std::span<const std::byte> value);
  template <class Make>
  void once(const std::string& key, Make make);
  void global(std::string_view module, std::string_view name);
  void dtype(std::string_view code);

  std::string out_;
  std::map<std::string, std::uint32_t, std::less<>> memo_;
};

}  // namespace bev::pickle
