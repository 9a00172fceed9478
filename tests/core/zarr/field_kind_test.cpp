#include "core/zarr/field_kind.hpp"

#include <doctest/doctest.h>

#include <string>

using bev::zarr::field_kind;
using bev::zarr::FieldKind;
using bev::zarr::is_content_type;

TEST_SUITE("zarr/field_kind") {
  TEST_CASE("kinds have names") {
    for (const auto kind : {FieldKind::array, FieldKind::bytes, FieldKind::text,
                            FieldKind::image, FieldKind::npy}) {
      CHECK(field_kind(bev::zarr::name_of(kind)) == kind);
    }
    CHECK(bev::zarr::name_of(FieldKind::fixed).empty());
    CHECK_FALSE(field_kind(""));
    CHECK_FALSE(field_kind("video"));
  }

  TEST_CASE("content types have a type and a subtype") {
    CHECK(is_content_type("image/jpeg"));
    CHECK(is_content_type("application/vnd.example+json"));
    for (const auto* text :
         {"", "image", "/jpeg", "image/", "Image/JPEG", "a/b;c", "<a/b>"}) {
      CHECK_FALSE(is_content_type(text));
    }
    CHECK_FALSE(is_content_type("a/" + std::string(200, 'b')));
  }
}
