#include "core/save/part_journal.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "tests/support/save_configs.hpp"

using bev::save::Manifest;
using bev::save::PartJournal;
using bev::save::PartObject;
using bev::test::small_config;

namespace {

constexpr PartObject kFull = {0, 10, 100, 1};
constexpr PartObject kRest = {10, 3, 30, 2};

/// Returns a journal of 13 rows, 10 of them in a full chunk.
PartJournal journal_of_13() {
  PartJournal out(small_config(), 4);
  for (std::size_t i = 0; i < 2; ++i) {
    out.add(i, kFull, false);
    out.add(i, kRest, true);
  }
  return out;
}

Manifest without_objects(const PartJournal& journal, std::uint64_t rows) {
  auto out = journal.written();
  out.rows = rows;
  for (auto& array : out.arrays) array.chunk_rows = 10;
  return out;
}

}  // namespace

TEST_SUITE("save/part_journal") {
  TEST_CASE("objects that are replaced are named once the next journal is written") {
    auto journal = journal_of_13();
    CHECK_FALSE(journal.is_written(0, kFull));
    CHECK(journal.replace(journal.next(without_objects(journal, 13))).empty());
    CHECK(journal.is_written(0, kFull));
    CHECK(journal.is_written(1, kRest));

    journal.drop_rest();
    const PartObject longer = {10, 5, 50, 3};
    for (std::size_t i = 0; i < 2; ++i) journal.add(i, longer, true);
    CHECK(journal.replace(journal.next(without_objects(journal, 15))) ==
          std::vector<std::string>{"image/10-3", "label/10-3"});
  }

  TEST_CASE("a resumed journal divides full chunks from the rest") {
    auto first = journal_of_13();
    first.replace(first.next(without_objects(first, 13)));
    PartJournal second(small_config(), 4);
    second.resume(first.written(), "manifest.json");
    CHECK(second.rest(1) == std::vector<PartObject>{kRest});
    second.drop_rest();
    CHECK(second.rest(1).empty());
    PartJournal other(small_config(), 5);
    CHECK_THROWS_WITH_AS(other.resume(first.written(), "manifest.json"),
                         "manifest.json: belongs to saver 4", bev::Error);
  }

  TEST_CASE("other bytes for the same rows, and gaps, are errors") {
    auto journal = journal_of_13();
    journal.replace(journal.next(without_objects(journal, 13)));
    CHECK_THROWS_WITH_AS(
        journal.is_written(0, {10, 3, 31, 9}),
        "image/10-3: the journal has other bytes for these rows (discard the part)",
        bev::Error);
    CHECK_FALSE(journal.is_written(0, {10, 4, 31, 9}));
    CHECK_THROWS_WITH_AS(journal.next(without_objects(journal, 20)),
                         "manifest.json: objects lack rows", bev::Error);
  }
}
