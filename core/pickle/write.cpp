#include "core/pickle/write.hpp"

#include <bit>
#include <cstring>
#include <limits>

#include "core/base/error.hpp"

namespace bev::pickle {

Writer::Writer() : out_("\x80\x04", 2) {}

void Writer::none() {
  opcode('N');
}

void Writer::boolean(bool value) {
  opcode(value ? '\x88' : '\x89');
}

void Writer::integer(std::int64_t value) {
  if (value >= std::numeric_limits<std::int32_t>::min() &&
      value <= std::numeric_limits<std::int32_t>::max()) {
    opcode('J');
    number(static_cast<std::uint64_t>(value), 4);
    return;
  }
  opcode('\x8a');  // LONG1
  number(8, 1);
  number(static_cast<std::uint64_t>(value), 8);
}

void Writer::real(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  opcode('G');  // big-endian
  for (std::size_t i = 8; i-- > 0;) out_ += static_cast<char>(bits >> (8 * i) & 0xFFU);
}

void Writer::text(std::string_view value) {
  sized('\x8c', 'X', value);
}

void Writer::begin_dict() {
  out_ += "}(";
}

void Writer::end_dict() {
  opcode('u');
}

void Writer::begin_list() {
  out_ += "](";
}

void Writer::end_list() {
  opcode('e');
}

/// A little-endian number.
void Writer::number(std::uint64_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    out_ += static_cast<char>(value >> (8 * i) & 0xFFU);
  }
}

void Writer::sized(char short_code, char code, std::string_view bytes) {
  const bool is_short = bytes.size() < 256;
  if (bytes.size() > std::numeric_limits<std::uint32_t>::max()) {
    fail(Errc::limit_exceeded, {"pickle: a value above 4 GiB"});
  }
  opcode(is_short ? short_code : code);
  number(bytes.size(), is_short ? 1 : 4);
  out_ += bytes;
}

void Writer::bytes(std::span<const std::byte> value) {
  sized('C', 'B', {reinterpret_cast<const char*>(value.data()), value.size()});
}

/// Writes what `make` does, or refers to it if it was written before.
template <class Make>
void Writer::once(const std::string& key, Make make) {
  const auto found = memo_.find(key);
  if (found != memo_.end()) {
    opcode('h');  // BINGET: there are fewer than 256
    number(found->second, 1);
    return;
  }
  make();
  opcode('\x94');  // MEMOIZE
  memo_.emplace(key, static_cast<std::uint32_t>(memo_.size()));
}

void Writer::global(std::string_view module, std::string_view name) {
  once(joined({module, ".", name}), [&] {
    text(module);
    text(name);
    opcode('\x93');  // STACK_GLOBAL
  });
}

/// dtype(code, False, True), with the state (3, order, None, None, None, -1, -1, 0).
void Writer::dtype(std::string_view code) {
  once(std::string(code), [&] {
    global("numpy", "dtype");
    text(code);
    boolean(false);
    boolean(true);
    out_ += "\x87R(";  // TUPLE3, REDUCE, MARK
    integer(3);
    text(code.ends_with('1') ? "|" : "<");
    for (int i = 0; i < 3; ++i) none();
    for (const int value : {-1, -1, 0}) integer(value);
    out_ += "tb";  // TUPLE, BUILD
  });
}

/// _reconstruct(ndarray, (0,), b"b"), with the state (1, shape, dtype, False, bytes).
void Writer::array(std::string_view code, std::span<const std::size_t> shape,
                   std::span<const std::byte> bytes) {
  global("numpy.core.multiarray", "_reconstruct");
  global("numpy", "ndarray");
  integer(0);
  opcode('\x85');  // TUPLE1
  sized('C', 'B', "b");
  out_ += "\x87R(";
  integer(1);
  opcode('(');
  for (const auto length : shape) integer(static_cast<std::int64_t>(length));
  opcode('t');
  dtype(code);
  boolean(false);
  this->bytes(bytes);
  out_ += "tb";
}

std::string Writer::finish() {
  opcode('.');
  return std::move(out_);
}

}  // namespace bev::pickle
