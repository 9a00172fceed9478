#include "core/engine/agent_frame.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "core/geom/angle.hpp"
#include "core/geom/trig.hpp"
#include "core/scan/reader_query.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/random_scenes.hpp"

using bev::AgentFrame;
using bev::Engine;
using bev::Errc;
using bev::FrameChange;
using namespace bev::test;
using nlohmann::json;

namespace {

bev::zarr::DType real(std::size_t size) {
  bev::zarr::DType out;
  out.kind = bev::zarr::Kind::real;
  out.item_size = size;
  return out;
}

template <class T>
std::vector<T> converted(FrameChange change, const AgentFrame& frame,
                         std::vector<T> values) {
  bev::to_agent_frame(frame, change, real(sizeof(T)),
                      std::as_writable_bytes(std::span(values)));
  return values;
}

/// Values of an epoch, one list per array.
struct Values {
  std::vector<double> centroid;
  std::vector<float> yaw, velocity;
  std::vector<std::uint8_t> mask;
};

Values read(const MemoryStore& store, const json& plan) {
  Engine engine;
  const auto query = engine.reader(plan.dump());
  Values out;
  const auto append = [](auto& to, const auto& more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  while (true) {
    query->advance();
    const auto batch = run(engine, *query, store);
    if (query->at_end()) return out;
    append(out.centroid, batch.template values<double>("centroid"));
    append(out.yaw, batch.template values<float>("yaw"));
    append(out.velocity, batch.template values<float>("velocity"));
    if (plan.contains("window") && plan["window"].contains("edges")) {
      append(out.mask, batch.template values<std::uint8_t>("window.mask"));
    }
  }
}

/// Converts the world's values of windows as the transform does.
Values expected(Values world, std::size_t length, std::size_t past) {
  for (std::size_t item = 0; item < world.yaw.size() / length; ++item) {
    const auto anchor = item * length + past;
    const double x0 = world.centroid[2 * anchor], y0 = world.centroid[2 * anchor + 1];
    const double heading = world.yaw[anchor];
    const double sin = bev::geom::sin(heading), cos = bev::geom::cos(heading);
    for (std::size_t row = item * length; row < (item + 1) * length; ++row) {
      if (!world.mask.empty() && world.mask[row] == 0 && world.centroid[2 * row] == 0) {
        continue;
      }
      auto* centroid = &world.centroid[2 * row];
      const double x = centroid[0] - x0, y = centroid[1] - y0;
      centroid[0] = cos * x + sin * y;
      centroid[1] = cos * y - sin * x;
      auto* velocity = &world.velocity[2 * row];
      const double vx = static_cast<double>(velocity[0]);
      const double vy = static_cast<double>(velocity[1]);
      velocity[0] = static_cast<float>(cos * vx + sin * vy);
      velocity[1] = static_cast<float>(cos * vy - sin * vx);
      world.yaw[row] = static_cast<float>(
          bev::geom::angular_distance(static_cast<double>(world.yaw[row]), heading));
    }
  }
  return world;
}

}  // namespace

TEST_SUITE("engine/agent_frame") {
  TEST_CASE("a point ahead of an agent is on +x, one to its left on +y") {
    constexpr double kPi = std::numbers::pi;
    const AgentFrame frame{10, 20, kPi / 2};
    const auto points =
        converted<double>(FrameChange::position, frame, {10, 23, 7, 20, 10, 20});
    CHECK(std::fabs(points[0] - 3) < 1e-12);
    CHECK(std::fabs(points[1]) < 1e-12);
    CHECK(std::fabs(points[2]) < 1e-12);
    CHECK(std::fabs(points[3] - 3) < 1e-12);
    CHECK(points[4] == 0);
    CHECK(points[5] == 0);
    const auto speeds = converted<float>(FrameChange::direction, frame, {0, 5});
    CHECK(speeds[0] == 5);
    CHECK(std::fabs(speeds[1]) < 1e-6F);
    const auto angles = converted<double>(FrameChange::angle, {0, 0, 3}, {-3, 3, 0});
    CHECK(angles[0] == bev::geom::angular_distance(-3, 3));
    CHECK(angles[1] == 0);
    CHECK(angles[2] == -3);
  }

  TEST_CASE("readers convert items, windows and offsets in every order") {
    const auto data = random_scenes(3, 9, 20);
    const json fields{"centroid", "yaw", "velocity"};
    for (const auto* mode : {"none", "blocks", "full"}) {
      for (const auto* edges : {"", "drop", "clamp", "pad"}) {
        CAPTURE(mode);
        CAPTURE(edges);
        json plan{
            {"fields", fields}, {"order", {{"mode", mode}}}, {"batch", {{"size", 7}}}};
        std::size_t length = 1, past = 0;
        if (*edges != '\0') {
          plan["window"] = {{"past", 2}, {"future", 1}, {"edges", edges}};
          length = 4;
          past = 2;
        }
        const bool masked =
            std::string(edges) == "pad" || std::string(edges) == "clamp";
        if (!masked && length > 1) plan["window"].erase("edges");
        const auto world = read(data.store, plan);
        REQUIRE(world.yaw.size() > 20);
        plan["transform"] = "agent_frame";
        const auto found = read(data.store, plan);
        const auto wanted = expected(world, length, past);
        CHECK(found.centroid == wanted.centroid);
        CHECK(found.yaw == wanted.yaw);
        CHECK(found.velocity == wanted.velocity);
        CHECK(found.centroid != world.centroid);
      }
    }
  }

  TEST_CASE("the plan names the transform; other tables and names are refused") {
    const auto data = random_scenes(3, 3, 20);
    const json plan{{"transform", "agent_frame"}, {"fields", {"row"}}};
    const auto text = bev::reader::to_json(bev::reader::plan_from_json(plan.dump()));
    CHECK(json::parse(text)["transform"] == "agent_frame");
    const auto code = [&](const json& other) {
      return error_code([&] { read(data.store, other); });
    };
    CHECK(code({{"transform", "agent_frame"}, {"from", "frames"}}) ==
          Errc::invalid_argument);
    CHECK(code({{"transform", "ego_frame"}}) == Errc::invalid_argument);
  }

  TEST_CASE("the centroid and yaw need not be read otherwise") {
    const auto data = random_scenes(3, 9, 20);
    Engine engine;
    const auto query =
        engine.reader(R"({"transform": "agent_frame", "fields": ["velocity"]})");
    query->advance();
    const auto batch = run(engine, *query, data.store);
    REQUIRE(batch.arrays.size() == 1);
    const auto all = read(data.store, {{"transform", "agent_frame"},
                                       {"fields", {"velocity", "yaw", "centroid"}}});
    const auto some = batch.values<float>("velocity");
    CHECK(std::vector<float>(some.begin(), some.end()) ==
          std::vector<float>(
              all.velocity.begin(),
              all.velocity.begin() + static_cast<std::ptrdiff_t>(some.size())));
  }
}
