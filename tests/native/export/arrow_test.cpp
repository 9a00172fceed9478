#include <doctest/doctest.h>
#include <flatbuffers/flatbuffers.h>

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "native/export/arrow_schema.hpp"
#include "native/export/row_writer.hpp"
#include "tests/support/error_code.hpp"

namespace arrow_test {

using bev::Errc;
using bev::native::RowLayout;
using bev::test::error_code;

namespace {

RowLayout layout_of(const char* dtype) {
  return {bev::zarr::parse_dtype(nlohmann::json::parse(dtype), "test"), "a",
          std::nullopt};
}

/// Writes rows of bytes, a batch per string.
std::vector<std::byte> written(const char* dtype,
                               const std::vector<std::string>& batches) {
  const auto layout = layout_of(dtype);
  std::vector<std::byte> out;
  const auto writer = bev::native::make_row_writer(
      "arrow", layout, [&](std::span<const std::byte> bytes) {
        out.insert(out.end(), bytes.begin(), bytes.end());
      });
  for (const auto& rows : batches) {
    writer->rows(rows.size() / layout.row.size(), std::as_bytes(std::span(rows)));
  }
  writer->finish();
  return out;
}

/// A table of the metadata; members by number.
struct Metadata {
  const flatbuffers::Table* table;

  template <class T>
  T number(int member) const {
    return table->GetField<T>(static_cast<std::uint16_t>(4 + 2 * member), T{});
  }
  Metadata child(int member) const {
    return {table->GetPointer<const flatbuffers::Table*>(
        static_cast<std::uint16_t>(4 + 2 * member))};
  }
  template <class T>
  std::vector<T> structs(int member) const {
    const auto* list = table->GetPointer<const flatbuffers::Vector<const T*>*>(
        static_cast<std::uint16_t>(4 + 2 * member));
    std::vector<T> out;
    for (const auto* one : *list) out.push_back(*one);
    return out;
  }
};

Metadata metadata_at(const std::vector<std::byte>& file, std::size_t at) {
  return {flatbuffers::GetRoot<flatbuffers::Table>(file.data() + at)};
}

}  // namespace

TEST_SUITE("native/export/arrow") {
  TEST_CASE("the footer has the place of each batch, and the batch its buffers") {
    const auto file =
        written(R"([["k", "|b1"], ["v", "|i1", [2]]])",
                {std::string("\1\2\3\0\4\5", 6), std::string("\1\6\7", 3), ""});
    REQUIRE(file.size() > 24);
    CHECK(std::memcmp(file.data(), "ARROW1\0\0", 8) == 0);
    CHECK(std::memcmp(file.data() + file.size() - 6, "ARROW1", 6) == 0);
    const auto size = bev::load_le<std::uint32_t>(file.data() + file.size() - 10);
    const auto footer = metadata_at(file, file.size() - 10 - size);
    CHECK(footer.number<std::int16_t>(0) == 4);
    const auto blocks = footer.structs<bev::native::arrow::Block>(3);
    REQUIRE(blocks.size() == 2);  // none for no rows
    std::vector<std::int64_t> lengths;
    for (const auto& block : blocks) {
      CHECK(block.offset % 8 == 0);
      CHECK(block.body_length % 8 == 0);
      const auto at = static_cast<std::size_t>(block.offset);
      CHECK(bev::load_le<std::uint32_t>(file.data() + at) == 0xffffffff);
      CHECK(bev::load_le<std::uint32_t>(file.data() + at + 4) + 8 ==
            static_cast<std::uint32_t>(block.metadata_length));
      const auto message = metadata_at(file, at + 8);
      CHECK(message.number<std::uint8_t>(1) == 3);
      CHECK(message.number<std::int64_t>(3) == block.body_length);
      const auto batch = message.child(2);
      lengths.push_back(batch.number<std::int64_t>(0));
      const auto nodes = batch.structs<bev::native::arrow::FieldNode>(1);
      REQUIRE(nodes.size() == 3);  // k, v, and the items of v
      CHECK(nodes[2].length == 2 * lengths.back());
      CHECK(batch.structs<bev::native::arrow::Buffer>(2).size() == 5);
    }
    CHECK(lengths == std::vector<std::int64_t>{2, 1});
    const auto body = static_cast<std::size_t>(blocks[0].offset) +
                      static_cast<std::size_t>(blocks[0].metadata_length);
    CHECK(file[body] == std::byte{1});  // the bits of k
    CHECK(std::memcmp(file.data() + body + 8, "\2\3\4\5", 4) == 0);
  }

  TEST_CASE("types that Arrow's readers would not read as they are refused") {
    for (const auto* dtype : {R"("|S2")", R"("<c8")", R"("<M8[ns]")", R"(">i4")",
                              R"([["k", [["a", "|u1"]]]])"}) {
      CAPTURE(dtype);
      CHECK(error_code([&] { written(dtype, {}); }) == Errc::unsupported);
    }
    CHECK_FALSE(error_code([&] { written(R"("<U3")", {}); }).has_value());
  }
}

}  // namespace arrow_test
