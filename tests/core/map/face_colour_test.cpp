#include "core/map/face_colour.hpp"

#include <doctest/doctest.h>

#include <map>

using bev::map::Colour;
using bev::map::face_colour;

TEST_SUITE("map/face_colour") {
  TEST_CASE("plain faces and four kinds of arrows have a colour, nothing else has") {
    const std::map<std::uint32_t, Colour> coloured = {
        {11, Colour::red},    {30, Colour::red},    {32, Colour::red},
        {38, Colour::red},    {41, Colour::red},    {12, Colour::yellow},
        {36, Colour::yellow}, {37, Colour::yellow}, {39, Colour::yellow},
        {42, Colour::yellow}, {13, Colour::green},  {31, Colour::green},
        {33, Colour::green},  {40, Colour::green},  {43, Colour::green}};
    for (std::uint32_t type = 0; type < 80; ++type) {
      CAPTURE(type);
      const auto known = coloured.find(type);
      const auto colour = face_colour(type);
      CHECK(colour.has_value() == (known != coloured.end()));
      if (colour && known != coloured.end()) CHECK(*colour == known->second);
    }
  }
}
