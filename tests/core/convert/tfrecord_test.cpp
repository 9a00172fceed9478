#include "core/convert/tfrecord.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "tests/support/error_code.hpp"
#include "tests/support/waymo.hpp"

using namespace bev;
using namespace bev::convert;

namespace {

std::vector<RecordRange> ranges_of(const std::string& file) {
  return find_records(file.size(), [&](std::uint64_t at, std::span<std::byte> out) {
    const auto count = std::min(out.size(), file.size() - static_cast<std::size_t>(at));
    std::memcpy(out.data(), file.data() + at, count);
    return count;
  });
}

/// Returns the contents of a file's records.
std::vector<std::string> records_of(const std::string& file) {
  std::vector<std::string> out;
  const auto bytes = std::as_bytes(std::span(file));
  for (const auto& range : ranges_of(file)) {
    const auto content =
        record_content(bytes.subspan(static_cast<std::size_t>(range.offset),
                                     static_cast<std::size_t>(range.size)),
                       range.offset);
    out.emplace_back(reinterpret_cast<const char*>(content.data()), content.size());
  }
  return out;
}

std::string hex(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    out += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
  }
  return out;
}

}  // namespace

TEST_SUITE("convert/tfrecord") {
  TEST_CASE("records are read in order, also empty ones") {
    const std::string file =
        test::tfrecord("first") + test::tfrecord("") + test::tfrecord("third");
    CHECK(records_of(file) == std::vector<std::string>{"first", "", "third"});
    CHECK(records_of("").empty());
  }

  TEST_CASE("checksums are those of another implementation") {
    CHECK(records_of(hex("0300000000000000b099490e6162636e57f121")) ==
          std::vector<std::string>{"abc"});
    CHECK(test::tfrecord("abc") == hex("0300000000000000b099490e6162636e57f121"));
  }

  TEST_CASE("ranges include head and tail") {
    const std::string file = test::tfrecord("first") + test::tfrecord("");
    CHECK(ranges_of(file) == std::vector<RecordRange>{{0, 21}, {21, 16}});
  }

  TEST_CASE("a record is not read with bytes of the next one") {
    const std::string file = test::tfrecord("first") + test::tfrecord("");
    CHECK(test::error_code([&] {
            record_content(std::as_bytes(std::span(file)), 0);
          }) == Errc::corrupt_chunk);
  }

  TEST_CASE("a flipped bit anywhere is rejected") {
    const std::string file = test::tfrecord("some content") + test::tfrecord("more");
    for (std::size_t bit = 0; bit < 8 * file.size(); ++bit) {
      CAPTURE(bit);
      std::string damaged = file;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
      CHECK(test::error_code([&] { records_of(damaged); }) == Errc::corrupt_chunk);
    }
  }

  TEST_CASE("a file that is cut anywhere but between records is rejected") {
    const std::string file = test::tfrecord("some content") + test::tfrecord("more");
    for (std::size_t size = 0; size <= file.size(); ++size) {
      CAPTURE(size);
      const bool is_whole = size == 0 || size == 28 || size == file.size();
      CHECK((test::error_code([&] { records_of(file.substr(0, size)); }) ==
             std::nullopt) == is_whole);
    }
  }

  TEST_CASE("a record above the limit is rejected before it is read") {
    std::string head = test::tfrecord("").substr(0, 12);
    std::byte length[8];
    store_le(length, kMaxRecordBytes + 1);
    std::memcpy(head.data(), length, 8);
    const auto crc = zarr::crc32c(length);
    std::byte masked[4];
    store_le(masked,
             static_cast<std::uint32_t>(((crc >> 15U) | (crc << 17U)) + 0xa282ead8U));
    std::memcpy(head.data() + 8, masked, 4);
    CHECK(test::error_code([&] { ranges_of(head); }) == Errc::limit_exceeded);
  }

  TEST_CASE("a function that reads less than there is gives a damaged head") {
    CHECK(test::error_code([] {
            find_records(100, [](std::uint64_t, std::span<std::byte>) {
              return std::size_t{3};
            });
          }) == Errc::corrupt_chunk);
  }
}
