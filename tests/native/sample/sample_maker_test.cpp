#include "native/sample/sample_maker.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/base/error.hpp"
#include "native/config/yaml_text.hpp"
#include "native/export/npy.hpp"
#include "tests/support/small_folder.hpp"

namespace sample_maker_test {

using bev::native::SampleMaker;
using bev::native::SampleRequest;
using bev::test::SmallFolder;

namespace {

SampleRequest request_of(const SmallFolder& small, bev::SampleKind kind) {
  SampleRequest request;
  request.dataset = small.dataset();
  request.options.config =
      bev::native::config_as_json(SmallFolder::config_text(), "config");
  request.options.kind = kind;
  request.options.image = bev::ImageForm::none;
  request.minima = {.history = 1, .future = 1};
  return request;
}

void say_nothing(std::uint64_t, std::uint64_t) {}

std::int64_t track_of(std::span<const bev::ResultArray> sample) {
  const auto found = std::find_if(sample.begin(), sample.end(), [](const auto& array) {
    return array.name == "track_id";
  });
  REQUIRE(found != sample.end());
  return static_cast<std::int64_t>(found->bytes[0]) -
         (found->bytes[7] == std::byte{0xff} ? 256 : 0);
}

}  // namespace

TEST_SUITE("native/sample/sample_maker") {
  TEST_CASE("ego: a sample per frame") {
    const SmallFolder small;
    SampleMaker maker(request_of(small, bev::SampleKind::ego), say_nothing);
    CHECK(maker.size() == 10);
    CHECK(track_of(maker.make(0)) == -1);
    CHECK(track_of(maker.make(9)) == -1);
  }

  TEST_CASE("agent: a sample per agent of the mask") {
    const SmallFolder small;
    std::uint64_t told = 0;
    SampleMaker maker(request_of(small, bev::SampleKind::agent),
                      [&](std::uint64_t done, std::uint64_t) { told = done; });
    CHECK(maker.size() == 2 * 3 * 3);  // frames 1 to 3 of each scene
    CHECK(track_of(maker.make(0)) == 1);
    CHECK(track_of(maker.make(17)) == 3);
    CHECK(told > 0);
  }

  TEST_CASE("a given mask replaces the computed one") {
    const SmallFolder small;
    auto request = request_of(small, bev::SampleKind::agent);
    bev::native::RowLayout layout;
    layout.row.kind = bev::zarr::Kind::boolean;
    layout.row.item_size = 1;
    layout.count = 30;
    std::string mask(30, '\0');
    mask[4] = 1;
    request.mask =
        small.folder().write("mask.npy", bev::native::npy_head(layout) + mask);
    SampleMaker maker(request, say_nothing);
    CHECK(maker.size() == 1);
    CHECK(track_of(maker.make(0)) == 2);
  }

  TEST_CASE("config errors are thrown before data is read") {
    const SmallFolder small;
    auto request = request_of(small, bev::SampleKind::ego);
    request.options.config = "{}";
    CHECK_THROWS_AS(SampleMaker(request, say_nothing), bev::Error);
  }
}

}  // namespace sample_maker_test
