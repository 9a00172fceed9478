#include "core/futures/side_file.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/support/error_code.hpp"
#include "tests/support/own_futures.hpp"

namespace side_file_test {
namespace {

using namespace bev::test;
using namespace bev::futures;
using bev::ByteRange;
using bev::Errc;
using nlohmann::json;

std::span<const std::byte> bytes_of(std::string_view file, ByteRange range) {
  return std::as_bytes(std::span<const char>(file).subspan(
      static_cast<std::size_t>(range.begin), static_cast<std::size_t>(range.size())));
}

std::string side_file_of(std::string_view file) {
  const auto shard = indexed("made", file);
  return side_file_text(shard, file.size(), bytes_of(file, hashed_head(file.size())),
                        bytes_of(file, hashed_tail(file.size())));
}

/// Indexes a file that has a side file; counts what is read.
SubmissionShard with_side_file(std::string_view file, const SideFile& side,
                               ReadCounts& counts) {
  ShardIndexer indexer("made", file.size(), side);
  while (const auto range = indexer.missing()) {
    counts.bytes += range->size();
    ++counts.requests;
    indexer.supply(bytes_of(file, *range));
  }
  return indexer.take();
}

/// Returns why a side file is ignored; the index must be that of the file.
std::string notice_of(std::string_view file, const SideFile& side) {
  ReadCounts counts;
  const auto found = with_side_file(file, side, counts);
  CHECK(found.scenarios == indexed("made", file).scenarios);
  return found.notice;
}

std::string rollouts_file() {
  const MadeScene scene{trajectory_along(7, 1, 2), trajectory_along(9, 3, 4)};
  std::vector<std::string> all;
  for (int i = 0; i < 20; ++i) {
    all.push_back(rollouts_message("s" + std::to_string(i), {scene, scene}));
  }
  return submission_file(all);
}

std::string csv_file() {
  return "# name: rows\n# joint: false\nx,y,step,track_id,scenario_id\n"
         "1,2,11,7,b\n3,4,12,7,b\n5,6,11,8,a\n";
}

TEST_SUITE("futures/side_file") {
  TEST_CASE("a shard is opened by its side file and its first and last bytes") {
    const auto file = rollouts_file();
    const auto expected = indexed("made", file);
    ReadCounts counts;
    const auto found = with_side_file(file, {side_file_of(file)}, counts);
    CHECK(counts.requests == 2);
    CHECK(counts.bytes == 2 * 4'096);
    CHECK(found.name == "made");
    CHECK(found.kind == expected.kind);
    CHECK(found.card == expected.card);
    CHECK(found.scenarios == expected.scenarios);
    CHECK(found.notice == "");
    const auto& one = found.scenarios[13];
    CHECK(read_shard(message_of(file, one), found, one).at(0).scenario_id == "s13");
  }

  TEST_CASE("rows of CSV are found without reading all") {
    const auto file = csv_file();
    ReadCounts counts;
    const auto found = with_side_file(file, {side_file_of(file)}, counts);
    CHECK(found.card.method == "rows");
    CHECK(found.kind == SubmissionKind::predictions);
    REQUIRE(found.scenarios.size() == 2);
    const auto& one = found.scenarios[0];
    const auto futures = read_shard(message_of(file, one), found, one).at(0);
    CHECK(futures.poses == own_futures(file, "b").poses);
    CHECK_FALSE(futures.is_joint);
  }

  TEST_CASE("1,000 scenarios of 2 MB take 100 kB") {
    SubmissionShard shard;
    shard.kind = SubmissionKind::sim_agents;
    std::uint64_t at = 0;
    for (int i = 0; i < 1'000; ++i) {
      auto id = std::to_string(i);
      id.insert(0, 16 - id.size(), '0');
      shard.scenarios.push_back({id, {at + 5, at + 2'077'034}});
      at += 2'077'034;
    }
    const auto text = side_file_text(shard, at, {}, {});
    CHECK(text.size() + 2 * 4'096 < 100'000);
  }

  TEST_CASE("NPZ and a late header of CSV have no side file") {
    CHECK(error_code([] { side_file_of(npz_file(npz_arrays())); }) ==
          Errc::unsupported);
    CHECK(error_code([] {
            side_file_of("scenario_id,track_id,step,x,y\n# " + std::string(4'080, '-') +
                         "\na,1,0,0,0\n");
          }) == Errc::unsupported);
  }

  TEST_CASE("a side file of another file or an earlier content is ignored") {
    const auto file = rollouts_file();
    const auto text = side_file_of(file);
    CHECK(notice_of(file, {text, true}) ==
          "made.index.json: ignored: older than its file; write it again with bevscope "
          "futures --index");
    CHECK(notice_of(file + std::string("\x70\x01", 2), {text})
              .find("of a file of another size") != std::string::npos);
    for (const std::size_t at : {std::size_t{30}, file.size() - 2}) {
      auto other = file;
      other[at] = static_cast<char>(other[at] ^ 1);
      CHECK(
          notice_of(other, {text}).find("of another file, or of an earlier content") !=
          std::string::npos);
    }
  }

  TEST_CASE("anything else than an index is ignored") {
    const auto file = rollouts_file();
    const auto good = json::parse(side_file_of(file));
    const auto ignored = [&](const json& text) {
      return !notice_of(file, {text.dump()}).empty();
    };
    CHECK_FALSE(ignored(good));
    for (const auto& change : std::vector<std::pair<std::string, json>>{
             {"format", "other"},
             {"version", 2},
             {"size", -1},
             {"kind", "other"},
             {"kind", "joint futures"},
             {"link", "javascript:alert(1)"},
             {"method", std::string(5'000, 'a')},
             {"ends", 5},
             {"scenarios", json::object()},
             {"scenarios", json::array()},
             {"scenarios", {{"a", 0}}},
             {"scenarios", {{"a", 0, 4, 8}}},
             {"scenarios", {{0, 4, "a"}}},
             {"scenarios", {{{"a", 0, 4}}}},
             {"other", {{"a", 0, 4}}},
             {"other", true},
             {"scenarios", {{"a", 5, 4}}},
             {"scenarios", {{"", 0, 4}}},
             {"scenarios", {{"a", 0, 1e300}}},
             {"scenarios", {{"a", 0, file.size() + 1}}},
             {"scenarios", {{"a", 0, 4}, {"a", 4, 8}}}}) {
      CAPTURE(change.first);
      CAPTURE(change.second.dump());
      auto bad = good;
      bad[change.first] = change.second;
      CHECK(ignored(bad));
    }
    for (const auto* const key : {"format", "version", "size", "kind", "ends"}) {
      auto bad = good;
      bad.erase(key);
      CHECK(ignored(bad));
    }
    CHECK_FALSE(notice_of(file, {"{"}).empty());
    CHECK_FALSE(notice_of(file, {std::string(100'000, '[')}).empty());
    CHECK_FALSE(notice_of(file, {std::string("{\"format\": \"\xff\"}")}).empty());
  }

  TEST_CASE("another scenario at a place of the index is refused when it is read") {
    const auto file = rollouts_file();
    auto bad = json::parse(side_file_of(file));
    bad["scenarios"][0][0] = "other";
    ReadCounts counts;
    const auto found = with_side_file(file, {bad.dump()}, counts);
    const auto& one = found.scenarios[0];
    CHECK_THROWS_WITH_AS(
        read_shard(message_of(file, one), found, one),
        "made: scenario other: another scenario_id than in the index: s0", bev::Error);
  }
}

}  // namespace
}  // namespace side_file_test
