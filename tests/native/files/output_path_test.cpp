#include "native/files/output_path.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"

using bev::native::refuse_url;

TEST_SUITE("native/files/output_path") {
  TEST_CASE("URLs are no outputs, and errors do not quote their secrets") {
    for (const auto* path : {"", "a.zarr", "/data/a:b//c.zarr", "user@host:a.zarr"}) {
      CHECK_NOTHROW(refuse_url(path));
    }
    CHECK_THROWS_WITH_AS(refuse_url("https://me:pass@host/a.zarr?sig=1"),
                         "https://host/a.zarr: a URL cannot be written to (expected a "
                         "path)",
                         bev::Error);
  }
}
