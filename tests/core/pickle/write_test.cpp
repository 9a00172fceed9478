#include "core/pickle/write.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "core/pickle/numpy.hpp"
#include "core/pickle/read.hpp"

namespace write_test {

using namespace bev;

pickle::Pickle read(const std::string& bytes) {
  return pickle::read(std::as_bytes(std::span(bytes)), "made",
                      {.globals = pickle::numpy_globals()});
}

TEST_SUITE("pickle/write") {
  TEST_CASE("values are read back") {
    pickle::Writer out;
    out.begin_list();
    out.none();
    out.boolean(true);
    out.boolean(false);
    const std::vector<std::int64_t> integers = {
        0,           -1,         2147483647,
        -2147483648, 2147483648, std::numeric_limits<std::int64_t>::min()};
    for (const auto one : integers) out.integer(one);
    out.real(-0.1);
    out.text(std::string(300, 'x') + "\xc3\xa9");
    out.end_list();
    const auto bytes = out.finish();
    const auto found = read(bytes);
    std::vector<pickle::Value> values;
    for (const auto value : found.root().items()) values.push_back(value);
    REQUIRE(values.size() == 11);
    CHECK(values[0].is_none());
    CHECK(values[1].boolean() == true);
    CHECK(values[2].boolean() == false);
    for (std::size_t i = 0; i < integers.size(); ++i) {
      CHECK(values[3 + i].integer() == integers[i]);
    }
    CHECK(values[9].number() == -0.1);
    CHECK(values[10].text() == std::string(300, 'x') + "\xc3\xa9");
  }

  TEST_CASE("arrays are read back, and their dtype is written once") {
    pickle::Writer out;
    const std::vector<double> values = {1, 2, 3, 4, 5, 6};
    const std::size_t shape[] = {2, 3};
    out.begin_dict();
    for (const char* key : {"a", "b"}) {
      out.text(key);
      out.array("f8", shape, std::as_bytes(std::span(values)));
    }
    out.end_dict();
    const auto bytes = out.finish();
    const auto found = read(bytes);
    for (const char* key : {"a", "b"}) {
      const auto array = pickle::array_of(found.root().find(key), "made");
      REQUIRE(array);
      CHECK(zarr::to_string(array->dtype) == "<f8");
      CHECK(array->shape == std::vector<std::size_t>{2, 3});
      CHECK(array->strides == std::vector<std::size_t>{24, 8});
      CHECK(std::memcmp(array->data.data(), values.data(), 48) == 0);
    }
    CHECK(bytes.find("dtype") == bytes.rfind("dtype"));
  }

  TEST_CASE("empty containers are read back") {
    pickle::Writer out;
    out.begin_dict();
    out.text("a");
    out.begin_list();
    out.end_list();
    out.end_dict();
    const auto bytes = out.finish();
    const auto found = read(bytes);
    CHECK(found.root().size() == 1);
    CHECK(found.root().find("a").is(pickle::Kind::list));
  }
}

}  // namespace write_test
