#include "native/export/npy_read.hpp"

#include <doctest/doctest.h>

#include <string>

#include "core/base/error.hpp"
#include "native/export/npy.hpp"

using bev::Errc;
using bev::Error;
using bev::native::npy_head;
using bev::native::NpyHead;
using bev::native::read_npy_head;
using bev::native::RowLayout;
using bev::zarr::ByteOrder;
using bev::zarr::Kind;

namespace {

NpyHead read(const std::string& bytes) {
  return read_npy_head(std::as_bytes(std::span(bytes)), "m.npy");
}

Errc code_of(const std::string& bytes) {
  try {
    read(bytes);
  } catch (const Error& error) {
    return error.code();
  }
  return Errc::internal;
}

RowLayout counts(std::uint64_t rows) {
  RowLayout layout;
  layout.row.kind = Kind::unsigned_int;
  layout.row.order = ByteOrder::little;
  layout.row.item_size = 4;
  layout.row.shape = {2};
  layout.count = rows;
  return layout;
}

std::string with_text(const std::string& text) {
  std::string head = "\x93NUMPY\x01";
  head += '\0';
  head += static_cast<char>(text.size());
  head += '\0';
  return head + text;
}

}  // namespace

TEST_SUITE("native/export/npy_read") {
  TEST_CASE("what the writer writes is read") {
    const auto text = npy_head(counts(3));
    const auto head = read(text);
    CHECK(head.type.kind == Kind::unsigned_int);
    CHECK(head.type.item_size == 4);
    CHECK(head.shape == std::vector<std::uint64_t>{3, 2});
    CHECK(head.data_offset == text.size());
    const RowLayout single{.row = counts(0).row, .name = "", .count = std::nullopt};
    CHECK(read(npy_head(single)).shape == std::vector<std::uint64_t>{2});
  }

  TEST_CASE("what NumPy writes is read") {
    const std::string text =
        "{'descr': '|b1', 'fortran_order': False, 'shape': (248,), }   \n";
    const auto head = read(with_text(text));
    CHECK(head.type.kind == Kind::boolean);
    CHECK(head.shape == std::vector<std::uint64_t>{248});
    CHECK(head.data_offset == 10 + text.size());
  }

  TEST_CASE("what is no .npy is refused, and what is not a plain array") {
    CHECK(code_of("") == Errc::invalid_argument);
    CHECK(code_of("PK\x03\x04 a zip file, but not NumPy's") == Errc::invalid_argument);
    const auto whole = npy_head(counts(3));
    CHECK(code_of(whole.substr(0, 11)) == Errc::invalid_argument);
    CHECK(code_of(whole.substr(0, 60)) == Errc::invalid_argument);
    CHECK(code_of(with_text("{'descr': [('a', '<f4')], 'fortran_order': False, "
                            "'shape': (2,), }\n")) == Errc::unsupported);
    CHECK(code_of(with_text("{'descr': '<f4', 'fortran_order': True, "
                            "'shape': (2, 2), }\n")) == Errc::unsupported);
    CHECK(code_of(with_text("{'descr': '|O', 'fortran_order': False, "
                            "'shape': (2,), }\n")) == Errc::unsupported);
    CHECK(code_of(with_text("{'descr': '<f4', 'fortran_order': False, 'shape': "
                            "(99999999999999999999,), }\n")) == Errc::invalid_argument);
  }
}
