#include "core/pickle/numpy.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/pickle/read.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/pickles.hpp"

namespace numpy_test {

using namespace std::string_literals;
using bev::Errc;
using bev::pickle::array_of;
using bev::test::bytes_of;

bev::pickle::Policy policy() {
  return {.globals = bev::pickle::numpy_globals()};
}

// SHORT_BINUNICODE and SHORT_BINBYTES.
std::string text(const std::string& of) {
  return "\x8c" + std::string(1, static_cast<char>(of.size())) + of;
}
std::string bytes(const std::string& of) {
  return "C" + std::string(1, static_cast<char>(of.size())) + of;
}
std::string name(const std::string& module, const std::string& of) {
  return text(module) + text(of) + "\x93";
}

struct Made {
  std::string shape = "K\x02\x85";
  std::string code = "i2";
  std::string more =
      "NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0"s;  // after the byte order
  std::string order = "<";
  std::string data = bytes("\1\0\2\0"s);
  std::string type = name("numpy", "ndarray");
  std::string fortran = "\x89";
  std::string version = "K\x01";
};

std::string dtype(const Made& of) {
  return name("numpy", "dtype") + text(of.code) + "\x89\x88\x87R(K\x03" +
         text(of.order) + of.more + "tb";
}

std::string pickled(const Made& of) {
  return "\x80\x04" + name("numpy._core.multiarray", "_reconstruct") + of.type +
         "K\0\x85"s + bytes("b") + "\x87R(" + of.version + of.shape + dtype(of) +
         of.fortran + of.data + "tb.";
}

std::string message_of(const std::string& code) {
  const auto pickle = bev::pickle::read(bytes_of(code), "p", policy());
  try {
    return array_of(pickle.root(), "p") ? "read" : "none";
  } catch (const bev::Error& error) {
    return error.what();
  }
}

std::string message_of(const Made& of) {
  return message_of(pickled(of));
}

// The bytes of all elements, the last axis varying fastest.
std::vector<std::byte> in_c_order(const bev::pickle::Array& array) {
  std::vector<std::byte> out;
  std::vector<std::size_t> at(array.shape.size());
  const auto size = array.dtype.size();
  for (std::size_t left = array.data.size() / size; left > 0; --left) {
    std::size_t offset = 0;
    for (std::size_t i = 0; i < at.size(); ++i) offset += at[i] * array.strides[i];
    const auto element = array.data.subspan(offset, size);
    out.insert(out.end(), element.begin(), element.end());
    for (std::size_t i = at.size(); i-- > 0 && ++at[i] == array.shape[i];) at[i] = 0;
  }
  return out;
}

TEST_SUITE("pickle/numpy") {
  TEST_CASE("arrays of NumPy 1 and 2 of every protocol are views with type and shape") {
    const auto& vectors = bev::test::pickle_vectors();
    const auto& expected = vectors["arrays"];
    std::size_t checked = 0;
    for (const auto& one : vectors["pickles"].items()) {
      const auto& name = one.key();
      const auto& code = one.value();
      CAPTURE(name);
      const auto input = bev::test::from_hex(code.get<std::string>());
      const auto pickle = bev::pickle::read(input, name, policy());
      std::size_t i = 0;
      REQUIRE(pickle.root().size() == expected.size());
      for (const auto value : pickle.root().items()) {
        const auto& wanted = expected[i++];
        CAPTURE(i);
        const auto array = array_of(value, name);
        REQUIRE(array);
        CHECK(bev::zarr::to_json(array->dtype) == wanted["dtype"]);
        CHECK(array->shape == wanted["shape"].get<std::vector<std::size_t>>());
        CHECK(bev::test::to_hex(in_c_order(*array)) ==
              wanted["data"].get<std::string>());
        ++checked;
      }
    }
    CHECK(checked >= 6 * expected.size());
  }

  TEST_CASE("other values are no arrays") {
    CHECK(message_of("N."s) == "none");
    CHECK(message_of("\x80\x04" + name("numpy", "ndarray") + ")R.") == "none");
    CHECK_FALSE(array_of({}, "p"));
  }

  TEST_CASE("an array whose bytes are not those of its shape is refused") {
    CHECK(message_of(Made{}) == "read");
    CHECK(message_of(Made{.shape = "K\x03\x85"}) ==
          "p: array of <i2: wrong length (found 4 bytes, expected 6)");
    CHECK(message_of(Made{.shape = ")"}) ==
          "p: array of <i2: wrong length (found 4 bytes, expected 2)");
    CHECK(message_of(Made{.shape = "J\xff\xff\xff\xff\x85"}) ==
          "p: array: invalid shape");
    CHECK(message_of(Made{.shape = "]K\x02"
                                   "a"}) == "p: array: invalid shape");
    CHECK(message_of(Made{.shape = "N\x85"}) == "p: array: invalid shape");
    const std::string huge = "\x8a\x05\0\0\0\0\x40"s;
    CHECK(message_of(Made{.shape = huge + huge + huge + huge + "\x86\x86\x86"})
              .find("p: array") == 0);
    CHECK(message_of(Made{.shape = "(" + huge + huge + huge + huge + "t"}) != "read");
    CHECK(message_of(Made{.data = "]"}) == "p: array: expected bytes (found a list)");
    CHECK(message_of(Made{.version = "K\x02"}) == "p: array: unknown state");
    CHECK(message_of(Made{.fortran = "N"}) == "p: array: unknown state");
  }

  TEST_CASE("the order of axes is a permutation") {
    const auto buffer = [](const std::string& order, const std::string& axes) {
      return message_of("\x80\x05" + name("numpy._core.numeric", "_frombuffer") + "(" +
                        bytes("\1\0\2\0"s) + dtype({}) + "K\x02K\x01\x86" +
                        text(order) + axes + "tR.");
    };
    CHECK(buffer("C", "") == "read");
    CHECK(buffer("F", "") == "read");
    CHECK(buffer("A", "") == "p: array: unknown order");
    CHECK(buffer("K", "K\x01K\0\x86"s) == "read");
    const std::string refused = "p: array: invalid order of axes";
    CHECK(buffer("K", "") == refused);
    CHECK(buffer("K", "K\x01K\x01\x86") == refused);
    CHECK(buffer("K", "K\x02K\x01\x86") == refused);
    CHECK(buffer("K", "J\xff\xff\xff\xffK\x01\x86") == refused);
    CHECK(buffer("K", "K\0K\x01K\x02\x87"s) == refused);
  }

  TEST_CASE("objects, subclasses and unknown types are refused") {
    CHECK(message_of(Made{.code = "O8", .order = "|", .data = "]"}) ==
          "p: dtype \"|O8\": objects are not supported");
    CHECK(message_of(Made{.type = name("numpy", "dtype")}) ==
          "p: array: class numpy.dtype");
    CHECK(message_of(Made{.code = "f16"}).find("is not supported") !=
          std::string::npos);
    CHECK(message_of(Made{.order = "|"}).find("byte order is missing") !=
          std::string::npos);
    CHECK(message_of(Made{.order = "="}).find("not a type code") != std::string::npos);
    CHECK(message_of(Made{.code = "V0", .order = "|"}).find("size must not be 0") !=
          std::string::npos);
    CHECK(message_of(Made{.code = "M8"}) == "p: dtype: unknown unit of time");
  }

  TEST_CASE("records are contiguous") {
    const auto record = [](const std::string& offset, const std::string& size) {
      const std::string fields = "}(" + text("a") + dtype({}) + "K\0\x86"s + text("b") +
                                 dtype({}) + offset + "\x86u";
      return Made{
          .shape = "K\x01\x85",
          .code = "V4",
          .more = "N" + text("a") + text("b") + "\x86" + fields + size + "K\x01K\x10",
          .order = "|"};
    };
    CHECK(message_of(record("K\x02", "K\x04")) == "read");
    const std::string refused = "p: dtype: records whose fields are not contiguous";
    CHECK(message_of(record("K\x04", "K\x06")) == refused);
    CHECK(message_of(record("K\0"s, "K\x02")) == refused);
    CHECK(message_of(record("K\x02", "K\x05")) == refused);
  }

  TEST_CASE("records in records are not expanded without limit") {
    // Each record has the one before twice.
    auto inner = dtype({.code = "b1", .order = "|"}) + "q\0"s;
    std::size_t size = 1;
    for (int level = 0; level < 14; ++level) {
      const auto at = "J" + std::string{static_cast<char>(size),
                                        static_cast<char>(size >> 8), 0, 0};
      const auto all = "J" + std::string{static_cast<char>(2 * size),
                                         static_cast<char>(2 * size >> 8), 0, 0};
      const std::string memo(1, static_cast<char>(level));
      const auto fields = "}(" + text("a") + "h" + memo + "K\0\x86"s + text("b") + "h" +
                          memo + at + "\x86u";
      inner += "0" +
               dtype({.code = "V2",
                      .more = "N" + text("a") + text("b") + "\x86" + fields + all +
                              "K\x01K\x10",
                      .order = "|"}) +
               "q" + std::string(1, static_cast<char>(level + 1));
      size *= 2;
    }
    const auto code = "\x80\x04" + inner + ".";
    const auto pickle = bev::pickle::read(bytes_of(code), "p", policy());
    CHECK(bev::test::error_code([&] { bev::pickle::dtype_of(pickle.root(), "p"); }) ==
          Errc::invalid_metadata);
  }
}

}  // namespace numpy_test
