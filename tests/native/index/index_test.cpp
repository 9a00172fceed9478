#include "native/index/index.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/small_folder.hpp"

using bev::test::SmallFolder;

TEST_SUITE("native/index/index") {
  TEST_CASE("the table has a row per array") {
    const SmallFolder data;
    const auto source = bev::native::open_source(data.dataset());
    const auto index =
        bev::native::index_of(*source, {"agents", "scenes"}, {}, [](auto, auto) {});
    const auto bytes = index.statistics.json_bytes("agents");
    const auto few = std::to_string(index.statistics.json_bytes("scenes"));
    const auto head = "array   chunks  read  fields  bytes\n";
    const auto text = bev::native::index_text(index);
    CAPTURE(text);
    CHECK(text.starts_with(head));
    CHECK(text.find("agents       4     4      10   " + std::to_string(bytes) + "\n") !=
          text.npos);
    CHECK(text.ends_with(few + "\n"));
  }

  TEST_CASE("progress counts every chunk") {
    const SmallFolder data;
    const auto source = bev::native::open_source(data.dataset());
    std::vector<std::uint64_t> seen;
    std::uint64_t all = 0;
    bev::native::index_of(*source, {"agents"}, {}, [&](auto done, auto total) {
      seen.push_back(done);
      all = total;
    });
    CHECK(seen == std::vector<std::uint64_t>{1, 2, 3, 4});
    CHECK(all == 4);
  }
}
