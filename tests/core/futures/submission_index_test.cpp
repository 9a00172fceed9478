#include "core/futures/submission_index.hpp"

#include <doctest/doctest.h>

#include "tests/support/error_code.hpp"
#include "tests/support/files.hpp"
#include "tests/support/submissions.hpp"
#include "tests/support/waymo_files.hpp"

namespace submission_index_test {
namespace {

using namespace bev::test;
using bev::ByteRange;
using bev::Errc;
using bev::Error;
using bev::futures::joined_shards;
using bev::futures::SubmissionIndexer;
using bev::futures::SubmissionKind;
using bev::futures::SubmissionShard;
namespace wire = bev::test::submission_wire;

std::string small_rollouts(std::string_view id, Encoding encoding = {}) {
  return rollouts_message(
      id, {{trajectory_along(7, 1, 2, 3)}, {trajectory_along(7, 4, 5, 3)}}, encoding);
}

std::vector<std::string> ids_of(const SubmissionShard& shard) {
  std::vector<std::string> out;
  for (const auto& one : shard.scenarios) out.push_back(one.id);
  return out;
}

/// A shard of `count` scenarios that is never in memory: each is a small message, filled
/// up to `scenario_bytes` with zeros in a field that no reader knows.
class HugeShard {
 public:
  HugeShard(std::size_t count, std::uint64_t scenario_bytes) : count_(count) {
    const auto padding = scenario_bytes - begin_of(0).size();
    head_bytes_ = begin_of(0, padding).size();
    stride_ = head_bytes_ + padding;
    padding_ = padding;
  }

  std::uint64_t size() const { return count_ * stride_; }

  std::vector<std::byte> read(ByteRange range) const {
    std::vector<std::byte> out(static_cast<std::size_t>(range.size()));
    for (auto number = range.begin / stride_; number * stride_ < range.end; ++number) {
      const auto head = begin_of(number, padding_);
      for (std::size_t i = 0; i < head.size(); ++i) {
        const auto at = number * stride_ + i;
        if (at < range.begin || at >= range.end) continue;
        out[static_cast<std::size_t>(at - range.begin)] =
            static_cast<std::byte>(head[i]);
      }
    }
    return out;
  }

 private:
  static std::string id_of(std::uint64_t number) {
    const auto digits = std::to_string(number);
    return std::string(16 - digits.size(), '0') + digits;
  }

  static std::string varint(std::uint64_t value) {
    std::string out;
    for (; value >= 0x80; value >>= 7U)
      out += static_cast<char>((value & 0x7fU) | 0x80U);
    return out + static_cast<char>(value);
  }

  static std::string begin_of(std::uint64_t number, std::uint64_t padding = 1U << 20U) {
    auto body = small_rollouts(id_of(number)) + "\x7a" + varint(padding);
    return "\x0a" + varint(body.size() + padding) + body;
  }

  std::size_t count_, head_bytes_ = 0;
  std::uint64_t stride_ = 0, padding_ = 0;
};

void check_refused(const std::string& file, Errc code, const char* message) {
  CHECK(error_code([&] { indexed("s", file); }) == code);
  CHECK_THROWS_WITH_AS(indexed("s", file), message, Error);
}

}  // namespace

TEST_SUITE("futures/submission_index") {
  TEST_CASE(
      "scenarios are listed in the file's order, with the ranges of their messages") {
    const std::vector<std::string> scenarios = {small_rollouts("b"),
                                                small_rollouts("a")};
    const auto file = submission_file(scenarios);
    const auto shard = indexed("one", file);
    CHECK(shard.name == "one");
    CHECK(shard.kind == SubmissionKind::sim_agents);
    CHECK(ids_of(shard) == std::vector<std::string>{"b", "a"});
    CHECK(message_of(file, shard.scenarios[0]) == scenarios[0]);
    CHECK(message_of(file, shard.scenarios[1]) == scenarios[1]);
  }

  TEST_CASE("the card has method, affiliation, link and parameters, and no account") {
    const auto card = indexed("one", submission_file({small_rollouts("a")})).card;
    CHECK(card.method == "made");
    CHECK(card.affiliation == "Example University");
    CHECK(card.link == "https://example.com/made");
    CHECK(card.parameters == "200K");
    for (const auto* text :
         {&card.method, &card.affiliation, &card.link, &card.parameters}) {
      CHECK(text->find('@') == std::string::npos);
    }
  }

  TEST_CASE("a link that is not https is left out") {
    for (const char* link : {"javascript:alert(1)", "http://example.com", ""}) {
      const auto file =
          submission_file({small_rollouts("a")}) + wire::message(8, std::string(link));
      CHECK(indexed("one", file).card.link.empty());
    }
  }

  TEST_CASE("an old submission has no card") {
    const auto shard = indexed("one", wire::message(1, small_rollouts("a")));
    CHECK(shard.card == bev::futures::ModelCard{});
  }

  TEST_CASE("fields may be in any order, floats packed or not") {
    for (const bool is_reversed : {false, true}) {
      for (const bool is_packed : {false, true}) {
        CAPTURE(is_reversed);
        CAPTURE(is_packed);
        const Encoding encoding{is_reversed, is_packed};
        const auto path = trajectory_along(3, 0, 0, 16);
        const std::pair<SubmissionKind, std::string> kinds[] = {
            {SubmissionKind::sim_agents, small_rollouts("x", encoding)},
            {SubmissionKind::motion,
             motion_message("x", {{{0.5F, {path}}, {0.25F, {path}}}}, encoding)},
            {SubmissionKind::interaction,
             interaction_message("x", {{0.5F, {path, path}}}, encoding)}};
        for (const auto& [kind, scenario] : kinds) {
          const auto file = submission_file({scenario}, "made", encoding);
          const auto shard = indexed("one", file);
          CHECK(shard.kind == kind);
          CHECK(ids_of(shard) == std::vector<std::string>{"x"});
          CHECK(shard.card.method == "made");
          CHECK(message_of(file, shard.scenarios[0]) == scenario);
        }
      }
    }
  }

  TEST_CASE("scenarios without contents leave the kind to later ones") {
    const auto file =
        submission_file({wire::message(1, "empty"), rollouts_message("scene", {{}, {}}),
                         small_rollouts("full")});
    const auto shard = indexed("one", file);
    CHECK(shard.kind == SubmissionKind::sim_agents);
    CHECK(shard.scenarios.size() == 3);
    CHECK(indexed("one", submission_file({wire::message(1, "empty")})).kind ==
          SubmissionKind::unknown);
  }

  TEST_CASE("1,000 scenarios of 2 MB are found by reading their heads") {
    const HugeShard shard(1'000, 2'077'034);
    REQUIRE(shard.size() > 2'000'000'000);
    ReadCounts counts;
    const auto index = indexed(
        "huge", shard.size(), [&](ByteRange r) { return shard.read(r); }, &counts);
    REQUIRE(index.scenarios.size() == 1'000);
    CHECK(index.scenarios[999].id == "0000000000000999");
    CHECK(index.scenarios[999].bytes.end == shard.size());
    CHECK(index.kind == SubmissionKind::sim_agents);
    CHECK(counts.bytes <= 1'010 * bev::futures::kHeadBytes);
    CHECK(counts.requests <= 1'010);
    CHECK(counts.largest <= bev::futures::kHeadBytes);
    const auto one = index.scenarios[500].bytes;
    CHECK(one.size() <= 2'200'000);
  }

  TEST_CASE("small scenarios are read in windows, no byte much more than once") {
    std::vector<std::string> scenarios;
    const auto path = trajectory_along(3, 0, 0, 16);
    for (int i = 0; i < 1'000; ++i) {
      const std::vector<MadeMode> modes(6, MadeMode{0.5F, {path}});
      scenarios.push_back(motion_message("s" + std::to_string(i), {modes, modes}));
    }
    const auto file = submission_file(scenarios);
    ReadCounts counts;
    CHECK(indexed("one", file, &counts).scenarios.size() == 1'000);
    CHECK(counts.bytes <= file.size() + file.size() / 20);
    CHECK(counts.requests <= file.size() / bev::futures::kWindowBytes + 10);
  }

  TEST_CASE("the id after 32 joint scenes takes a range per scene") {
    std::vector<MadeScene> scenes(32, MadeScene(50, trajectory_along(7, 1, 2)));
    const auto file = submission_file({rollouts_message("last", scenes, {true, true})});
    ReadCounts counts;
    CHECK(ids_of(indexed("one", file, &counts)) == std::vector<std::string>{"last"});
    CHECK(counts.bytes <= 50 * bev::futures::kHeadBytes + bev::futures::kWindowBytes);
  }

  TEST_CASE("every truncation is refused or has fewer scenarios") {
    const auto file = submission_file({small_rollouts("a"), small_rollouts("b")});
    for (std::size_t size = 0; size < file.size(); ++size) {
      CAPTURE(size);
      std::size_t found = 0;
      const auto code = error_code([&] {
        found = indexed("one", std::string_view(file).substr(0, size)).scenarios.size();
      });
      const bool is_refused =
          code == Errc::corrupt_chunk || (size == 0 && code == Errc::invalid_metadata);
      REQUIRE((is_refused || (!code && found >= 1 && found <= 2)));
    }
  }

  TEST_CASE("hostile fields are refused") {
    using namespace std::string_literals;
    check_refused("", Errc::invalid_metadata,
                  "s: no scenarios; not a submission to the Waymo Open Dataset "
                  "Challenges");
    check_refused("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x7f", Errc::corrupt_chunk,
                  "s: byte 0: field 1: truncated (found 0 bytes, expected "
                  "9223372036854775807)");
    check_refused("\x0a"s + std::string(10, '\xff'), Errc::corrupt_chunk,
                  "s: byte 0: a number has more than 10 bytes");
    check_refused("\x0b\x0c", Errc::corrupt_chunk,
                  "s: byte 0: field 1: unexpected wire type (found 3)");
    check_refused("\x02\x00"s, Errc::corrupt_chunk, "s: byte 0: no field number");
    check_refused("\x0a\x05\x0a\x10xyz", Errc::corrupt_chunk,
                  "s: byte 2: field 1: truncated (found 3 bytes, expected 16)");
    check_refused(wire::message(1, ""), Errc::corrupt_chunk,
                  "s: scenario at byte 2: no scenario_id");
    check_refused(wire::message(1, wire::message(1, "a\xff")), Errc::corrupt_chunk,
                  "s: byte 2: scenario_id is not UTF-8 (byte 1 of 2)");
    check_refused(wire::message(1, wire::message(1, std::string(257, 'a'))),
                  Errc::limit_exceeded,
                  "s: byte 3: scenario_id: too long (found 257 bytes, expected at most "
                  "256)");
    check_refused(wire::message(4, std::string(4'097, 'a')), Errc::limit_exceeded,
                  "s: byte 0: unique_method_name: too long (found 4097 bytes, expected "
                  "at most 4096)");
  }

  TEST_CASE("a million empty messages are refused soon") {
    std::string empty;
    for (int i = 0; i < 1'000'000; ++i) empty += std::string("\x12\0", 2);
    ReadCounts counts;
    const auto code = error_code([&] {
      indexed("s", wire::message(1, wire::message(1, "a") + empty), &counts);
    });
    CHECK(code == Errc::limit_exceeded);
    CHECK(counts.bytes < 100'000);
    check_refused(empty, Errc::limit_exceeded,
                  "s: too many fields besides scenarios (expected at most 10000)");
  }

  TEST_CASE("an id that occurs twice in a shard is refused with both places") {
    check_refused(submission_file(
                      {small_rollouts("a"), small_rollouts("b"), small_rollouts("a")}),
                  Errc::invalid_metadata,
                  "s: scenario a: occurs twice (at bytes 2 and 260)");
  }

  TEST_CASE("bytes of another length than requested are refused") {
    SubmissionIndexer indexer("s", 100);
    CHECK(indexer.missing() == ByteRange{0, bev::futures::kHeadBytes});
    CHECK_THROWS_WITH_AS(indexer.supply({}),
                         "s: wrong length (found 0 bytes, expected 48)", Error);
  }

  TEST_CASE("shards are joined, and a scenario is found in its shard") {
    const auto a =
        indexed("a", submission_file({small_rollouts("z"), small_rollouts("k")}));
    const auto b = indexed("b", submission_file({small_rollouts("m")}));
    const auto all = joined_shards({a, b});
    CHECK(all.size() == 3);
    CHECK(all.kind == SubmissionKind::sim_agents);
    CHECK(all.card.method == "made");
    const auto place = all.find("m");
    REQUIRE(place);
    CHECK(place->shard == 1);
    CHECK(all.at(*place) == b.scenarios[0]);
    CHECK(all.at(all.find("k").value()) == a.scenarios[1]);
    CHECK_FALSE(all.find("a"));
    CHECK_FALSE(all.find("zz"));
  }

  TEST_CASE("shards with the same scenario, of other methods or kinds are refused") {
    const auto a = indexed("a", submission_file({small_rollouts("x")}));
    CHECK_THROWS_WITH_AS(
        joined_shards({a, indexed("b", submission_file({small_rollouts("x")}))}),
        "b: scenario x is also in a", Error);
    CHECK_THROWS_WITH_AS(
        joined_shards(
            {a, indexed("b", submission_file({small_rollouts("y")}, "other"))}),
        "b: shard of another method (found other, expected made)", Error);
    const auto path = trajectory_along(3, 0, 0, 16);
    const auto motion = submission_file({motion_message("y", {{{1, {path}}}})});
    CHECK_THROWS_WITH_AS(joined_shards({a, indexed("b", motion)}),
                         "b: shard of another kind (found motion prediction, expected "
                         "sim agents)",
                         Error);
    CHECK(error_code([] { joined_shards({}); }) == Errc::invalid_argument);
  }

  TEST_CASE("the real submission has one scenario") {
    BEV_REQUIRE_WAYMO();
    const auto file =
        read_text(waymo_files() + "/sim_agents/testdata/test_submission.binproto");
    ReadCounts counts;
    const auto shard = indexed("test_submission.binproto", file, &counts);
    CHECK(ids_of(shard) == std::vector<std::string>{"637f20cafde22ff8"});
    CHECK(shard.kind == SubmissionKind::sim_agents);
    CHECK(shard.card.method == "test");
    CHECK(shard.card.affiliation == "waymo");
    CHECK(counts.bytes <= 300);
  }
}

}  // namespace submission_index_test
