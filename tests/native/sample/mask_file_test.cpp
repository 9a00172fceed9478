#include "native/sample/mask_file.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "native/cli/commands.hpp"
#include "native/export/npy.hpp"
#include "native/files/sinks.hpp"
#include "tests/support/small_scenes.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/zip_writer.hpp"

namespace mask_file_test {

using bev::Errc;
using bev::Error;
using bev::native::npy_head;
using bev::native::read_mask;
using bev::native::RowLayout;
using bev::scene::MaskMinima;
using bev::test::TempFolder;
using bev::zarr::Kind;

namespace {

using Rows = std::vector<std::int64_t>;

/// Returns the bytes of an .npy; `columns` 0 means one axis.
template <class T>
std::string npy(Kind kind, const std::vector<T>& values, std::size_t columns) {
  RowLayout layout;
  layout.row.kind = kind;
  layout.row.order =
      sizeof(T) == 1 ? bev::zarr::ByteOrder::none : bev::zarr::ByteOrder::little;
  layout.row.item_size = sizeof(T);
  if (columns > 0) layout.row.shape = {columns};
  layout.count = values.size() / std::max<std::size_t>(columns, 1);
  return npy_head(layout) + std::string(reinterpret_cast<const char*>(values.data()),
                                        values.size() * sizeof(T));
}

std::string counts() {
  return npy<std::uint32_t>(Kind::unsigned_int, {0, 9, 10, 1, 12, 0, 30, 7}, 2);
}

Rows rows_of(const std::string& path, MaskMinima minima = {}) {
  const auto index = read_mask(path, minima, 4);
  const auto rows = index->rows();
  return {rows.begin(), rows.end()};
}

Errc code_of(const std::string& path) {
  try {
    read_mask(path, {}, 4);
  } catch (const Error& error) {
    return error.code();
  }
  return Errc::internal;
}

}  // namespace

TEST_SUITE("native/sample/mask_file") {
  TEST_CASE("counts are compared with the minima") {
    const TempFolder folder;
    const auto path = folder.write("m.npy", counts());
    CHECK(rows_of(path) == Rows{1, 3});
    CHECK(rows_of(path, {.history = 0, .future = 9}) == Rows{0});
    CHECK(rows_of(path, {.history = 0, .future = 0}) == Rows{0, 1, 2, 3});
    const auto wide = npy<std::int64_t>(Kind::signed_int,
                                        {0, 9, 10, 1, 12, 0, INT64_C(1) << 40, 7}, 2);
    CHECK(rows_of(folder.write("wide.npy", wide)) == Rows{1, 3});
  }

  TEST_CASE("a list selects non-zero items, whatever the minima") {
    const TempFolder folder;
    const auto flags = npy<std::uint8_t>(Kind::boolean, {1, 0, 0, 1}, 0);
    CHECK(rows_of(folder.write("b.npy", flags)) == Rows{0, 3});
    const auto numbers = npy<std::int32_t>(Kind::signed_int, {0, -1, 256, 0}, 0);
    CHECK(rows_of(folder.write("i.npy", numbers)) == Rows{1, 2});
  }

  TEST_CASE("reads arr_0 of a .npz") {
    const TempFolder folder;
    for (const bool deflate : {false, true}) {
      bev::test::ZipWriter zip;
      zip.add("arr_0.npy", counts(), deflate);
      CHECK(rows_of(folder.write("m.npz", zip.finish())) == Rows{1, 3});
    }
    bev::test::ZipWriter other;
    other.add("mask.npy", counts(), false);
    CHECK(code_of(folder.write("o.npz", other.finish())) == Errc::not_found);
  }

  TEST_CASE("accepts the zarr mask of bevscope mask") {
    const TempFolder folder;
    bev::native::DirectorySink sink(folder.path() / "small.zarr");
    for (const auto& [key, bytes] : bev::test::small_store().objects) {
      sink.put(key, bytes);
    }
    const auto zarr = folder.at("small.zarr");
    const std::vector<std::string> words{zarr, "--threshold=0.5", "--quiet", "-o",
                                         zarr};
    REQUIRE(bev::native::mask_main(words) == 0);
    const auto index =
        read_mask(zarr + "/agents_mask/0.5", {.history = 3, .future = 1}, 30);
    const auto rows = index->rows();
    // Three agents in each of five frames in two scenes: those of every fourth frame.
    CHECK(Rows(rows.begin(), rows.end()) == Rows{9, 10, 11, 24, 25, 26});
  }

  TEST_CASE("other arrays are rejected") {
    const TempFolder folder;
    CHECK(code_of(folder.at("nothing.npy")) == Errc::not_found);
    CHECK(code_of(folder.write("t.npy", "text")) == Errc::invalid_argument);
    const auto reals = npy<float>(Kind::real, {1, 2, 3, 4}, 0);
    CHECK(code_of(folder.write("f.npy", reals)) == Errc::invalid_argument);
    const auto long_list = npy<std::uint8_t>(Kind::boolean, {1, 0, 0, 1, 1}, 0);
    CHECK(code_of(folder.write("l.npy", long_list)) == Errc::invalid_argument);
    const auto three =
        npy<std::uint8_t>(Kind::unsigned_int, std::vector<std::uint8_t>(12), 3);
    CHECK(code_of(folder.write("3.npy", three)) == Errc::invalid_argument);
    const auto negative =
        npy<std::int32_t>(Kind::signed_int, {0, 9, 10, -1, 12, 0, 30, 7}, 2);
    CHECK(code_of(folder.write("n.npy", negative)) == Errc::invalid_argument);
    const auto whole = counts();
    const auto cut = folder.write("c.npy", whole.substr(0, whole.size() - 1));
    CHECK(code_of(cut) == Errc::invalid_argument);
  }
}

}  // namespace mask_file_test
