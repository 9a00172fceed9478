#include "core/scene/seen_faces.hpp"

#include <doctest/doctest.h>

#include <string_view>
#include <vector>

TEST_SUITE("scene/seen_faces") {
  TEST_CASE("every face is told once, with the frame that shows it first") {
    bev::scene::SceneDataset scene;
    scene.frames.traffic_light_faces_index_interval = {{0, 0}, {0, 2}, {2, 4}};
    const std::string_view all = "redgreenredamber";
    const bev::zarr::Text ids{{all.begin(), all.end()}, {0, 3, 8, 11, 16}};
    const auto seen = seen_faces(scene, ids, {{}, {}, {}});
    CHECK(seen.first_frame == std::vector<std::uint32_t>{1, 1, 2});
    REQUIRE(seen.id.size() == 3);
    CHECK(seen.id[1] == "green");
    CHECK(seen.id[2] == "amber");
  }

  TEST_CASE("rows that are not stored name no face") {
    bev::scene::SceneDataset scene;
    scene.frames.traffic_light_faces_index_interval = {{0, 1}, {1, 2}};
    const std::string_view all = "red";
    const bev::zarr::Text ids{{all.begin(), all.end()}, {0, 0, 3}};
    const auto seen = seen_faces(scene, ids, {{false, false, true}, {}});
    CHECK(seen.first_frame == std::vector<std::uint32_t>{1});
    REQUIRE(seen.id.size() == 1);
    CHECK(seen.id[0] == "red");
  }
}
