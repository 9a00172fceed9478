#include "core/convert/waymo_message.hpp"

#include <doctest/doctest.h>

#include "tests/support/error_code.hpp"
#include "tests/support/waymo.hpp"

namespace waymo_message_test {

using namespace bev;
using namespace bev::convert;

namespace {

std::string problem(const std::string& bytes) {
  try {
    waymo::parse_message(bytes);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_SUITE("convert/waymo_message") {
  TEST_CASE("a scenario is equal after encoding and parsing it") {
    auto source = test::small_waymo();
    source.lidar_frames = 2;
    source.camera_frames = 3;
    source.features[0].left_neighbours = {{2, 1, 5, {1, 2}}};
    const auto bytes = test::encoded(source);
    const auto found = waymo::parse_message(bytes);
    CHECK(test::encoded(found) == bytes);
    CHECK(found.id == "made-up");
    CHECK(found.times_s == source.times_s);
    CHECK(found.ego_index == 2);
    CHECK(found.current_time_index == 1);
    CHECK(found.lidar_frames == 2);
    CHECK(found.camera_frames == 3);
    REQUIRE(found.tracks.size() == 4);
    CHECK(found.tracks[1].type == 2);
    CHECK(!found.tracks[1].states[0].is_valid);
    CHECK(found.tracks[1].states[1].centre == geom::Vec3{121, -5, 1});
    CHECK(found.tracks[1].states[1].width == 2.25F);
    CHECK(found.tracks[1].states[1].velocity_y == 0.5F);
    CHECK(found.lane_states[1][0].state == 5);
    CHECK(found.lane_states[1][0].stop_point == geom::Vec3{90, 0, 0.5});
    CHECK(found.features[0].exits == std::vector<std::int64_t>{2});
    CHECK(found.features[0].left_boundaries[0].end == 10);
    CHECK(found.features[0].left_neighbours[0].boundary_types ==
          std::vector<std::uint64_t>{1, 2});
    CHECK(found.features[3].kind == waymo::FeatureKind::road_edge);
    CHECK(found.predictions[1].difficulty == 2);
  }

  TEST_CASE("times and ids are read packed and one by one") {
    std::string bytes;
    protozero::pbf_writer out(bytes);
    const double times[] = {0, 0.5};
    out.add_packed_double(1, std::begin(times), std::end(times));
    out.add_double(1, 1.5);
    const std::int32_t ids[] = {3, 4};
    out.add_packed_int32(4, std::begin(ids), std::end(ids));
    out.add_int32(4, 5);
    const auto found = waymo::parse_message(bytes);
    CHECK(found.times_s == std::vector<double>{0, 0.5, 1.5});
    CHECK(found.objects_of_interest == std::vector<std::int64_t>{3, 4, 5});
  }

  TEST_CASE("unknown fields are skipped, and the last member of a oneof wins") {
    std::string bytes;
    protozero::pbf_writer out(bytes);
    out.add_fixed64(99, 1);
    {
      protozero::pbf_writer feature(out, 8);
      feature.add_int64(1, 7);
      feature.add_bytes(6, "ab");
      protozero::pbf_writer(feature, 3).add_enum(2, 2);
      protozero::pbf_writer(feature, 4).add_enum(1, 5);
    }
    const auto found = waymo::parse_message(bytes);
    REQUIRE(found.features.size() == 1);
    CHECK(found.features[0].id == 7);
    CHECK(found.features[0].kind == waymo::FeatureKind::road_line);
    CHECK(found.features[0].type == 5);
  }

  TEST_CASE("a damaged message is named") {
    std::string track, bytes;
    protozero::pbf_writer(track).add_bytes(3, "\x11\x01");
    protozero::pbf_writer out(bytes);
    out.add_bytes(2, "");
    out.add_message(2, track);
    CHECK(problem(bytes).starts_with("track 1: "));
    std::string feature;
    protozero::pbf_writer(feature).add_bytes(3, "\xff");
    std::string other;
    protozero::pbf_writer(other).add_message(8, feature);
    CHECK(problem(other).starts_with("map feature 0: "));
    std::string id;
    protozero::pbf_writer(id).add_string(5, "\xff");
    CHECK(problem(id).find("not UTF-8") != std::string::npos);
    std::string times;
    protozero::pbf_writer(times).add_bytes(1, "1234567");
    CHECK(problem(times) == "times: not whole numbers");
  }

  TEST_CASE("contents are limited") {
    const auto bytes = test::encoded(test::small_waymo());
    const auto parsed = [&](const waymo::Limits& limits) {
      return test::error_code([&] { waymo::parse_message(bytes, limits); });
    };
    waymo::Limits limits;
    CHECK(parsed(limits) == std::nullopt);
    for (auto* limit : {&limits.times, &limits.states, &limits.points, &limits.items}) {
      const auto usual = *limit;
      *limit = 3;
      CHECK(parsed(limits) == Errc::limit_exceeded);
      *limit = usual;
    }
  }
}

}  // namespace waymo_message_test
