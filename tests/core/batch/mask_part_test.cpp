#include "core/batch/mask_part.hpp"

#include <doctest/doctest.h>

#include <numeric>

#include "core/base/error.hpp"
#include "core/scene/mask_writer.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/memory_store.hpp"

using bev::Errc;
using bev::batch::check_spans;
using bev::batch::MaskPart;
using bev::batch::MaskSpan;
using bev::test::error_code;
using bev::test::MemoryStore;
using Mask = std::vector<std::uint32_t>;

namespace {

constexpr std::uint64_t kAgents = 34'567;

/// The only one in wasm.
const bev::zarr::Compressor kNone{};

/// Scenes of 7000 agents with a gap of 11 agents after each.
struct Scene {
  std::uint64_t first;
  Mask mask;
};

std::vector<Scene> scenes() {
  std::vector<Scene> out;
  std::uint32_t value = 1;
  for (std::uint64_t first = 3; first + 7000 <= kAgents; first += 7011) {
    out.push_back({first, Mask(14'000)});
    std::iota(out.back().mask.begin(), out.back().mask.end(), value);
    value += 14'000;
  }
  return out;
}

std::map<std::string, std::vector<std::byte>> whole() {
  MemoryStore store;
  bev::scene::MaskWriter writer(store, "m", kAgents, kNone);
  bev::scene::MaskRows rows(
      kAgents, [&](std::span<const std::uint32_t> part) { writer.append(part); });
  for (const auto& scene : scenes()) rows.add(scene.first, scene.mask);
  rows.finish();
  writer.close();
  store.objects.erase("m/.zarray");
  return store.objects;
}

/// Writes chunks [begin, end) from the scenes that overlap them.
MaskSpan write_part(MemoryStore& store, std::uint64_t begin, std::uint64_t end) {
  MaskPart part(store, "m", {kAgents, begin, end}, kNone);
  const auto all = scenes();
  const auto rows = part.rows();
  std::size_t scene = 0;
  while (scene + 1 < all.size() &&
         all[scene + 1].first <= static_cast<std::uint64_t>(rows.begin)) {
    ++scene;
  }
  MaskSpan span{scene, 0, 0, 0};
  for (; scene < all.size() && part.needs_more(); ++scene) {
    part.add(all[scene].first, all[scene].mask);
  }
  part.finish();
  span.end_scene = scene;
  span.first_agent = static_cast<std::uint64_t>(part.spanned().begin);
  span.end_agent = static_cast<std::uint64_t>(part.spanned().end);
  return span;
}

}  // namespace

TEST_SUITE("batch/mask_part") {
  TEST_CASE("parts write the chunks of one writer, wherever they are cut") {
    CHECK(MaskPart::chunk_count(kAgents) == 4);
    const auto expected = whole();
    CHECK(expected.size() == 4);
    const std::vector<std::vector<std::uint64_t>> cuts = {
        {0, 4}, {0, 1, 4}, {0, 1, 2, 3, 4}, {0, 2, 2, 4}};
    for (const auto& cut : cuts) {
      MemoryStore store;
      std::vector<MaskSpan> spans;
      for (std::size_t i = 0; i + 1 < cut.size(); ++i) {
        spans.push_back(write_part(store, cut[i], cut[i + 1]));
      }
      CHECK(store.objects == expected);
    }
  }

  TEST_CASE("parts of all chunks have read all scenes") {
    MemoryStore store;
    std::vector<MaskSpan> spans;
    for (std::uint64_t i = 0; i < 4; ++i) spans.push_back(write_part(store, i, i + 1));
    CHECK_NOTHROW(check_spans(spans, scenes().size()));
    spans.resize(2);
    CHECK(error_code([&] { check_spans(spans, scenes().size()); }) ==
          Errc::unsupported);
  }

  TEST_CASE("scenes that are out of order between two parts are an error") {
    const auto code = [](const std::vector<MaskSpan>& spans) {
      return error_code([&] { check_spans(spans, 4); });
    };
    CHECK_NOTHROW(check_spans(std::vector<MaskSpan>{{0, 2, 0, 50}, {1, 4, 30, 90}}, 4));
    CHECK_NOTHROW(check_spans(std::vector<MaskSpan>{{0, 2, 0, 50}, {2, 4, 50, 90}}, 4));
    CHECK(code({{0, 2, 0, 50}, {2, 4, 49, 90}}) == Errc::unsupported);
    CHECK(code({{0, 2, 0, 50}, {3, 4, 60, 90}}) == Errc::unsupported);
    CHECK(code({{1, 2, 0, 50}, {2, 4, 50, 90}}) == Errc::unsupported);
    CHECK(code({{0, 2, 0, 50}, {0, 1, 0, 20}}) == Errc::unsupported);
    CHECK_NOTHROW(check_spans({}, 0));
  }

  TEST_CASE(
      "scenes out of order within a part, and agents beyond the end, are errors") {
    MemoryStore store;
    MaskPart part(store, "m", {kAgents, 0, 4}, kNone);
    part.add(100, Mask(20));
    CHECK(error_code([&] { part.add(109, Mask(2)); }) == Errc::unsupported);
    CHECK(error_code([&] { part.add(kAgents, Mask(2)); }) == Errc::out_of_range);
    part.add(0, Mask{});  // a scene without agents is nowhere
    part.add(110, Mask(2));
    CHECK(part.spanned() == bev::scene::Interval{100, 111});
  }

  TEST_CASE("chunks that do not exist are errors") {
    MemoryStore store;
    for (const auto& range :
         std::vector<MaskPart::Range>{{kAgents, 0, 5}, {kAgents, 3, 2}, {0, 0, 1}}) {
      CHECK(error_code([&] { MaskPart(store, "m", range); }) == Errc::out_of_range);
    }
    MaskPart(store, "m", {0, 0, 0}, kNone).finish();
    CHECK(store.objects.empty());
  }
}
