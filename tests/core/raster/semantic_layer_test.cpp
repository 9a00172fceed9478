#include "core/raster/semantic_layer.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>

#include "core/base/error.hpp"
#include "tests/support/small_map.hpp"
#include "tests/support/small_render_input.hpp"
#include "tests/support/split_map.hpp"

namespace semantic_layer_test {

using bev::Errc;
using bev::Error;
using bev::map::SemanticMap;
using bev::raster::SemanticLayer;
using namespace bev::test;
using Colour = std::array<int, 3>;

namespace {

constexpr std::uint32_t kWidth = 40, kHeight = 30;
constexpr Colour kRoad = {17, 17, 31}, kPaper = {255, 255, 255};

/// A lane north of the origin, one beside it with lights, and a crosswalk.
std::shared_ptr<const SemanticMap> small_map() {
  const auto lights = Message().id(8, "R").id(8, "G").id(8, "Y").id(8, "U").id(8, "X");
  const std::vector<Message> elements = {
      lane("plain", 0), lane("lit", 5, lights), control("R", 11),  control("G", 13),
      control("Y", 12), control("U", 34),       crosswalk("C", -8)};
  return std::make_shared<const SemanticMap>(
      SemanticMap::parse(fragment(elements).span(), equator_meta()));
}

struct Picture {
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(3 * kWidth * kHeight);

  bev::raster::RgbPlanes planes() {
    const std::size_t size = kWidth * kHeight;
    return {bytes.data(), bytes.data() + size, bytes.data() + 2 * size};
  }
  /// Returns the pixel at a distance in metres from the middle.
  Colour at(double x, double y) {
    const auto column = static_cast<std::size_t>(20 + 2 * x);
    const auto row = static_cast<std::size_t>(15 + 2 * y);
    const std::size_t i = row * kWidth + column;
    return {planes()[0][i], planes()[1][i], planes()[2][i]};
  }
};

/// Draws the layer as seen from (0, 5), along +x.
Picture drawn(SemanticLayer& layer, const SmallFaces& faces,
              bev::geom::Vec2 from = {0, 5}) {
  bev::sample::HistoryFrame frame;
  frame.faces = faces.rows();
  const std::array history = {frame};
  Picture out;
  layer.draw(small_render_input(history, from), out.planes());
  return out;
}

Picture drawn(const SmallFaces& faces) {
  SemanticLayer layer(small_map(), small_frame());
  return drawn(layer, faces);
}

std::string refusal(const SmallFaces& faces, Errc expected) {
  try {
    drawn(faces);
  } catch (const Error& error) {
    CHECK(error.code() == expected);
    return error.what();
  }
  return "no error";
}

/// Whether a colour is clearly more red, green or blue than the other two channels.
bool is_green(const Colour& c) {
  return c[1] > c[0] + 60 && c[1] > c[2] + 60;
}
bool is_red(const Colour& c) {
  return c[0] > c[1] + 60 && c[0] > c[2] + 60;
}
bool is_yellow(const Colour& c) {
  return c[0] > c[2] + 60 && c[1] > c[2] + 60;
}

}  // namespace

TEST_SUITE("raster/semantic_layer") {
  TEST_CASE("roads are dark on white paper, with light boundaries") {
    Picture out = drawn(SmallFaces({}));
    CHECK(out.at(0, 0) == kRoad);
    CHECK(out.at(5, 2) == kRoad);
    CHECK(out.at(-9, 6) == kPaper);
    CHECK(is_yellow(out.at(-2, 0)));
    CHECK(is_yellow(out.at(7, 0)));
  }

  TEST_CASE("crosswalks are outlines") {
    Picture out = drawn(SmallFaces({}));
    CHECK(is_red(out.at(-5, -3)));  // its vertical side
    CHECK(out.at(-6, -4)[0] == 255);
    CHECK(out.at(-5.5, -4.5)[2] > 90);
  }

  TEST_CASE("boundaries have the colour of the face that is lit, red before the rest") {
    const auto right_side = [](const std::vector<std::string_view>& lit) {
      return drawn(SmallFaces(lit)).at(7, 0);
    };
    CHECK(is_green(right_side({"G"})));
    CHECK(is_red(right_side({"R"})));
    CHECK(is_red(right_side({"G", "R", "Y"})));
    CHECK(right_side({"Y"})[2] < 60);
    CHECK(right_side({"G", "Y"}) == right_side({"Y"}));
    CHECK(right_side({"unknown elsewhere"}) == right_side({}));
    CHECK(is_yellow(drawn(SmallFaces({"R"})).at(-2, 0)));  // the other lane
  }

  TEST_CASE("faces that are not lit are as if they were not there") {
    CHECK(drawn(SmallFaces({"R", "U", "X"}, false)).bytes ==
          drawn(SmallFaces({})).bytes);
  }

  TEST_CASE(
      "a lit face without colour is refused where its lane is seen, as in L5Kit") {
    CHECK(refusal(SmallFaces({"U"}), Errc::invalid_argument) ==
          "semantic map: lane \"lit\": active face \"U\" has no colour");
    CHECK(refusal(SmallFaces({"X"}), Errc::not_found) ==
          "semantic map: lane \"lit\": active face \"X\" is not in the map");
    SemanticLayer layer(small_map(), small_frame());
    Picture far = drawn(layer, SmallFaces({"U"}), {500, 5});
    CHECK(far.at(0, 0) == kPaper);
  }

  TEST_CASE("a layer that is used again draws as a new one") {
    SemanticLayer layer(small_map(), small_frame());
    drawn(layer, SmallFaces({"R"}));
    drawn(layer, SmallFaces({"G"}), {3, 3});
    CHECK(drawn(layer, SmallFaces({"G"})).bytes == drawn(SmallFaces({"G"})).bytes);
  }

  TEST_CASE("of a map in parts, the one around the raster is drawn as the whole is") {
    const auto lights = Message().id(8, "R");
    const std::vector<Message> near = {lane("a", 0, lights), crosswalk("c", -8),
                                       control("R", 11)};
    const std::vector<Message> far = {lane("b", 200), lane("d", 206),
                                      crosswalk("e", 198)};
    const auto map_of = [](std::vector<Message> elements, const auto& more) {
      elements.insert(elements.end(), more.begin(), more.end());
      return std::make_shared<const SemanticMap>(
          SemanticMap::parse(fragment(elements).span(), equator_meta()));
    };
    const std::vector<Message> none;
    SemanticLayer whole(map_of(near, far), small_frame());
    SemanticLayer parts(split_map({{{-100, -100, 100, 100}, map_of(near, none)},
                                   {{100, -100, 300, 100}, map_of(far, none)}}),
                        small_frame());
    for (const double x : {0.0, 200.0, 500.0, 200.0, 0.0}) {
      CAPTURE(x);
      const bev::geom::Vec2 from = {x, 5};
      const auto expected = drawn(whole, SmallFaces({"R"}), from);
      CHECK(drawn(parts, SmallFaces({"R"}), from).bytes == expected.bytes);
    }
  }
}

}  // namespace semantic_layer_test
