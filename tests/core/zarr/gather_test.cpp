#include "core/zarr/gather.hpp"

#include <doctest/doctest.h>

#include <array>

#include "tests/support/records.hpp"

using namespace bev::zarr;

TEST_SUITE("zarr/gather") {
  TEST_CASE("any field of any record is copied out, and nothing else is written") {
    bev::test::Random random(5);
    for (std::size_t record = 1; record < 40; ++record) {
      const std::size_t rows = random.below(5);
      const auto data = random.bytes(record * rows);
      for (std::size_t size = 0; size <= record; ++size) {
        const std::size_t offset = random.below(record - size + 1);
        std::vector<std::byte> out(rows * size);
        const std::array slots{ColumnSlot{offset, size, out}};
        gather(data.data(), record, rows, slots);
        for (std::size_t i = 0; i < out.size(); ++i) {
          if (out[i] == data[i / size * record + offset + i % size]) continue;
          FAIL("record " << record << " size " << size);
        }
      }
    }
  }
}
