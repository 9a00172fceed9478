#include "core/scene/virtual_records.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/scene/copier.hpp"
#include "tests/support/changed_scenes.hpp"
#include "tests/support/copy_scenes.hpp"
#include "tests/support/small_scenes.hpp"

namespace virtual_records_test {

using bev::scene::Overlay;
using bev::scene::VirtualArray;
using bev::test::MemoryStore;
using bev::test::small_store;

namespace {

bev::zarr::DType type_of(const MemoryStore& store, const std::string& array) {
  const auto meta = nlohmann::json::parse(store.text(array + "/.zarray"));
  return bev::zarr::parse_dtype(meta["dtype"], array);
}

MemoryStore copied(const MemoryStore& store, std::shared_ptr<const Overlay> overlay) {
  MemoryStore out;
  bev::scene::Copier copier(out, bev::test::description_of(store), {}, {},
                            std::move(overlay));
  bev::test::copy_scenes(store, copier, {0, 1});
  copier.close();
  return out;
}

}  // namespace

TEST_SUITE("scene/virtual_records") {
  TEST_CASE("rows in memory are the stored records, in either byte order") {
    const auto store = small_store();
    Overlay overlay;
    overlay.put(1, bev::test::arrays_in(store, 1));
    constexpr auto first = bev::scene::kFirstVirtualRow;
    const auto type = type_of(store, "agents");
    CHECK(virtual_records(overlay, VirtualArray::agents, {first + 2, first + 9},
                          type) == bev::test::records_of(store, "agents", {17, 24}));
    auto other = type;
    for (auto& field : other.fields) field.type.order = bev::zarr::ByteOrder::big;
    auto swapped =
        virtual_records(overlay, VirtualArray::agents, {first, first + 1}, other);
    std::reverse(swapped.begin(), swapped.begin() + 8);
    const auto stored = bev::test::records_of(store, "agents", {15, 16});
    CHECK(std::equal(swapped.begin(), swapped.begin() + 8, stored.begin()));
    CHECK(virtual_records(overlay, VirtualArray::agents, {first, first}, type).empty());
  }

  TEST_CASE("fields that rows in memory lack are refused") {
    const auto store = small_store();
    Overlay overlay;
    overlay.put(0, bev::test::arrays_in(store, 0));
    auto type = type_of(store, "agents");
    type.fields[0].name = "weight";
    const auto rows = overlay.frames_of(0);
    CHECK_THROWS_WITH_AS(
        virtual_records(overlay, VirtualArray::agents, {rows.begin, rows.begin + 1},
                        type),
        "field weight: not in memory (found 0 bytes a row, expected 16)", bev::Error);
  }

  TEST_CASE("a copy has the scenes in memory in place of the stored ones") {
    auto scenes = bev::test::records_in(small_store());
    const auto before = bev::test::store_of(scenes);
    CHECK(copied(before, std::make_shared<Overlay>()).objects == before.objects);
    bev::test::remove_agents(scenes[1],
                             [](const auto& agent) { return agent.track_id == 2; });
    scenes[1].faces[3].traffic_light_face_status = {0, 0, 1};
    bev::scene::chop(scenes[1], 4);
    scenes[1].scene.end_time = 77;
    auto added = scenes[1].agents.back();
    added.track_id = 9;
    for (int i = 0; i < 40; ++i) scenes[1].agents.push_back(added);
    scenes[1].frames.back().agent_index_interval.end += 40;
    const auto after = bev::test::store_of(scenes);
    const auto overlay = std::make_shared<Overlay>();
    overlay->put(1, bev::test::arrays_in(after, 1));
    CHECK(copied(before, overlay).objects == after.objects);
  }
}

}  // namespace virtual_records_test
