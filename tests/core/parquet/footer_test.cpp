#include "core/parquet/footer.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/parquet_by_hand.hpp"

namespace footer_test {
namespace {

using namespace bev::parquet;
using bev::Errc;
using bev::test::error_code;
using bev::test::ThriftBytes;

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

Footer footer_of(std::string_view file) {
  const auto range = footer_range(bytes_of(file.substr(file.size() - 8)), file.size());
  return parse_footer(bytes_of(file.substr(static_cast<std::size_t>(range.begin),
                                           static_cast<std::size_t>(range.size()))),
                      file.size());
}

std::optional<Errc> refusal(const ThriftBytes& footer) {
  const auto text = footer.done();
  return error_code([&] { parse_footer(bytes_of(text), 1'000); });
}

TEST_SUITE("parquet/footer") {
  TEST_CASE("a footer has columns, row groups and metadata") {
    const auto file = bev::test::futures_parquet("{}");
    const auto found = footer_of(file);
    REQUIRE(found.columns.size() == 5);
    CHECK(found.columns[0].name == "scenario_id");
    CHECK(found.columns[0].type == Type::bytes);
    CHECK_FALSE(found.columns[0].is_optional);
    CHECK(found.columns[0].is_flat);
    REQUIRE(found.groups.size() == 2);
    CHECK(found.groups[0].rows == 3);
    CHECK(found.groups[0].chunks[0].bytes.begin == 4);
    CHECK(found.groups[1].chunks[0].bytes.begin == found.groups[0].chunks[4].bytes.end);
    CHECK(found.metadata.at("bevscope") == "{}");
    CHECK(found.find("step") == 2);
    CHECK_FALSE(found.find("absent"));
  }

  TEST_CASE("leaves of groups, and repeated ones, are not flat") {
    const ThriftBytes root = ThriftBytes().text(4, "r").number(5, 3);
    const ThriftBytes group = ThriftBytes().text(4, "g").number(5, 1);
    const ThriftBytes in = ThriftBytes().number(1, 1).text(4, "in");
    const ThriftBytes list = ThriftBytes().number(1, 1).number(3, 2).text(4, "list");
    const ThriftBytes flat = ThriftBytes().number(1, 5).number(3, 1).text(4, "flat");
    const auto text = ThriftBytes().list(2, {root, group, in, list, flat}).done();
    const auto found = parse_footer(bytes_of(text), 10);
    REQUIRE(found.columns.size() == 3);
    CHECK_FALSE(found.find("in"));
    CHECK_FALSE(found.find("list"));
    CHECK(found.find("flat") == 2);
    CHECK(found.columns[2].is_optional);
  }

  TEST_CASE("ends of other files are refused") {
    const auto range = [](std::string_view tail, std::uint64_t size) {
      return error_code([&] { footer_range(bytes_of(tail), size); });
    };
    using namespace std::string_view_literals;
    CHECK_FALSE(range("\x04\0\0\0PAR1"sv, 12));
    CHECK(range("\x05\0\0\0PAR1"sv, 12) == Errc::corrupt_chunk);
    CHECK(range("\x04\0\0\0PAR2"sv, 12) == Errc::corrupt_chunk);
    CHECK(range("\x04\0\0\0PARE"sv, 12) == Errc::unsupported);
    CHECK(range("\0\0\0\x7fPAR1"sv, std::uint64_t{1} << 40U) == Errc::limit_exceeded);
  }

  TEST_CASE("what is not understood is refused") {
    const ThriftBytes root = ThriftBytes().text(4, "r").number(5, 1);
    const ThriftBytes leaf = ThriftBytes().number(1, 5).text(4, "x");
    const auto chunk = [](std::int64_t begin, std::int64_t size) {
      return ThriftBytes().record(3, ThriftBytes()
                                         .number(1, 5)
                                         .number(4, 0)
                                         .number(7, size, 6)
                                         .number(9, begin, 6));
    };
    const auto groups = [&](std::vector<ThriftBytes> chunks, std::int64_t rows = 1) {
      return ThriftBytes()
          .list(2, {root, leaf})
          .list(4, {ThriftBytes().list(1, chunks).number(3, rows, 6)});
    };
    CHECK_FALSE(refusal(groups({chunk(4, 10)})));
    CHECK(refusal(groups({})) == Errc::corrupt_chunk);
    CHECK(refusal(groups({chunk(4, 10), chunk(4, 10)})) == Errc::corrupt_chunk);
    CHECK(refusal(groups({chunk(-1, 10)})) == Errc::corrupt_chunk);
    CHECK(refusal(groups({chunk(4, -1)})) == Errc::corrupt_chunk);
    CHECK(refusal(groups({chunk(4, 997)})) == Errc::corrupt_chunk);
    CHECK(refusal(groups({chunk(1'001, 0)})) == Errc::corrupt_chunk);
    CHECK(refusal(groups({chunk(4, 10)}, -1)) == Errc::corrupt_chunk);
    CHECK(refusal(groups({chunk(4, 10)}, std::int64_t{1} << 40)) ==
          Errc::limit_exceeded);
    CHECK(refusal(groups({ThriftBytes().text(1, "other.parquet")})) ==
          Errc::unsupported);
    CHECK(refusal(ThriftBytes().list(2, {})) == Errc::corrupt_chunk);
    CHECK(refusal(ThriftBytes().list(2, {root, leaf, leaf})) == Errc::corrupt_chunk);
    CHECK(refusal(ThriftBytes().list(2, {root, ThriftBytes().number(1, 8)})) ==
          Errc::corrupt_chunk);
  }
}

}  // namespace
}  // namespace footer_test
