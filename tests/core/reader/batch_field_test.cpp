#include "core/reader/batch_field.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/base/error.hpp"

using bev::reader::BatchField;
using bev::reader::check_same_fields;
using bev::reader::to_text;

TEST_SUITE("reader/batch_field") {
  TEST_CASE("fields are equal in any order") {
    const std::vector<BatchField> a{{"yaw", "<f4", {}}, {"centroid", "<f8", {3, 2}}};
    const std::vector<BatchField> b{a[1], a[0]};
    CHECK_NOTHROW(check_same_fields(a, b, "mix", 1));
    CHECK_NOTHROW(check_same_fields({}, {}, "mix", 1));
  }

  TEST_CASE("a name, type, shape or number that differs is refused with both lists") {
    const std::vector<BatchField> a{{"yaw", "<f4", {}}};
    const std::vector<std::vector<BatchField>> others{
        {{"yow", "<f4", {}}},
        {{"yaw", "<f8", {}}},
        {{"yaw", "<f4", {2}}},
        {{"yaw", "<f4", {}}, {"host", "<U16", {}}},
        {}};
    for (const auto& other : others) {
      CAPTURE(to_text(other));
      CHECK_THROWS_AS(check_same_fields(a, other, "mix", 1), bev::Error);
      CHECK_THROWS_AS(check_same_fields(other, a, "mix", 1), bev::Error);
    }
    const std::vector<BatchField> windows{{"centroid", "<f8", {3, 2}}, a[0]};
    CHECK_THROWS_WITH_AS(check_same_fields(a, windows, "concat", 2),
                         "concat: fields of reader 2 differ from those of reader 0 "
                         "(found centroid <f8 (3, 2), yaw <f4; expected yaw <f4)",
                         bev::Error);
  }
}
