#include <doctest/doctest.h>

#include <span>
#include <string>
#include <vector>

#include "core/reader/plan.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/support/codec_cases.hpp"
#include "tests/support/files.hpp"
#include "tests/support/fixtures.hpp"
#include "tests/support/pickles.hpp"
#include "tests/support/records.hpp"

using bev::test::read_file;
using bev::test::test_path;

namespace {

constexpr const char* kMetadata[] = {"agents", "consolidated", "every_type", "filters",
                                     "scalar", "shards",       "two_axes"};

}  // namespace

namespace bev::test {
namespace {

// The bytes with a few of them replaced, removed or repeated.
std::vector<std::byte> changed(std::vector<std::byte> bytes, Random& random) {
  constexpr std::string_view kLikely = "()[]{}\",.0129-+*/<>=!eainb \\\x80";
  for (auto count = 1 + random.below(4); count > 0 && !bytes.empty(); --count) {
    const auto at = static_cast<std::ptrdiff_t>(random.below(bytes.size()));
    const auto one = static_cast<std::byte>(kLikely[random.below(kLikely.size())]);
    switch (random.below(4)) {
      case 0: bytes[static_cast<std::size_t>(at)] = one; break;
      case 1: bytes.erase(bytes.begin() + at); break;
      case 2: bytes.insert(bytes.begin() + at, one); break;
      default: bytes.insert(bytes.begin() + at, bytes.begin() + at, bytes.end());
    }
  }
  return bytes;
}

}  // namespace
}  // namespace bev::test

TEST_SUITE("fuzz/corpus") {
  TEST_CASE("the properties hold for every chunk of the corpus") {
    for (const auto& one : bev::test::codec_cases()) {
      CAPTURE(one.name);
      CHECK_NOTHROW(bev::test::decode_target(
          read_file(test_path("fuzz/corpus/decode/") + one.name)));
    }
  }

  TEST_CASE("the properties hold for every metadata of the corpus, whole and cut") {
    for (const char* name : kMetadata) {
      CAPTURE(name);
      const auto file = read_file(test_path("fuzz/corpus/metadata/") + name);
      const std::span<const std::byte> bytes(file);
      for (std::size_t size = 0; size <= bytes.size(); ++size) {
        CHECK_NOTHROW(bev::test::metadata_target(bytes.first(size)));
      }
    }
  }

  TEST_CASE("the properties hold for selections, whatever their numbers") {
    bev::test::Random random(17);
    for (int i = 0; i < 600; ++i) {
      const auto input = random.bytes(8 + random.below(40));
      CAPTURE(i);
      REQUIRE_NOTHROW(bev::test::selection_target(input));
    }
  }

  TEST_CASE("the properties hold for what readers parse, and for changed ones") {
    struct Target {
      std::string name;
      void (*run)(std::span<const std::byte>);
      int seeds;
    };
    const std::vector<Target> targets{{"filter", &bev::test::filter_target, 5},
                                      {"plan", &bev::test::plan_target, 6},
                                      {"state", &bev::test::state_target, 4},
                                      {"statistics", &bev::test::statistics_target, 4},
                                      {"patch", &bev::test::patch_target, 3}};
    for (const auto& one : targets) {
      const auto& name = one.name;
      const auto target = one.run;
      bev::test::Random random(23);
      for (int seed = 0; seed < one.seeds; ++seed) {
        CAPTURE(name);
        CAPTURE(seed);
        const auto file =
            read_file(test_path("fuzz/corpus/" + name + "/" + std::to_string(seed)));
        CHECK_NOTHROW(target(file));
        for (int i = 0; i < 300; ++i) {
          CAPTURE(i);
          REQUIRE_NOTHROW(target(bev::test::changed(file, random)));
        }
      }
    }
  }

  TEST_CASE("the properties hold for pickles, and for changed ones") {
    bev::test::Random random(29);
    for (const auto& one : bev::test::pickle_vectors()["values"]) {
      const auto bytes = bev::test::from_hex(one[1].get<std::string>());
      CAPTURE(one[0].get<std::string>());
      CHECK_NOTHROW(bev::test::pickle_target(bytes));
      for (int i = 0; i < 30; ++i) {
        CAPTURE(i);
        REQUIRE_NOTHROW(bev::test::pickle_target(bev::test::changed(bytes, random)));
      }
    }
  }

  TEST_CASE("states of the corpus are accepted by its plan") {
    CHECK_NOTHROW(bev::test::state_target({}));
    const auto plan = bev::reader::plan_from_json(
        R"({"where": "speed > 3", "order": {"mode": "blocks", "seed": 7}})");
    const auto file = read_file(test_path("fuzz/corpus/state/0"));
    const auto* const text = reinterpret_cast<const char*>(file.data());
    const auto position = bev::reader::position_from({text, file.size()}, plan, 0x1234);
    CHECK(position == bev::reader::Position{2, 4096});
  }

  TEST_CASE("the properties hold for archives and shards") {
    bev::test::Fixture fixture("version3.zip");
    for (const char* name : {"version3.zip", "filters.zip"}) {
      CHECK_NOTHROW(
          bev::test::zip_target(read_file(test_path("fixtures/" + std::string(name)))));
    }
    const auto shard = fixture.objects.lower_bound("shards_long/")->second;
    for (const std::size_t cut : {0u, 1u, 4u, 20u, 700u}) {
      CHECK_NOTHROW(
          bev::test::shard_target(std::span(shard).first(shard.size() - cut)));
    }
  }
}
