#include <doctest/doctest.h>

#include <bevscope/parquet.hpp>
#include <string>

#include "include/bevscope/error.hpp"
#include "tests/support/error_code.hpp"

namespace parquet_test {

TEST_SUITE("library/parquet") {
  TEST_CASE("Petastorm's pickled schema is read as JSON") {
    const std::string pickled =
        "ccopy_reg\n_reconstructor\n(cpetastorm.unischema\nUnischema\n"
        "c__builtin__\nobject\nNtR(dS'_fields'\n(dS'a'\n"
        "cpetastorm.unischema\nUnischemaField\n(S'a'\ncnumpy\nint8\n(I2\ntNI00\ntRssb.";
    CHECK(
        bev::unischema_fields(pickled) ==
        R"([{"name":"a","dtype":"int8","shape":[2],"codec":"","image":"","nullable":false}])");
    CHECK(bev::test::error_code([&] {
            bev::unischema_fields("cposix\nsystem\n(S'ls'\ntR.");
          }) == bev::Errc::invalid_metadata);
  }
}

}  // namespace parquet_test
