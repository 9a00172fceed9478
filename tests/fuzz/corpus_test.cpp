#include <doctest/doctest.h>

#include <string>

#include "tests/fuzz/targets.hpp"
#include "tests/support/codec_cases.hpp"
#include "tests/support/files.hpp"

using bev::test::corpus_folder;
using bev::test::read_file;

namespace {

constexpr const char* kMetadata[] = {"agents", "consolidated", "every_type", "scalar",
                                     "two_axes"};

}  // namespace

TEST_SUITE("fuzz/corpus") {
  TEST_CASE("the properties hold for every chunk of the corpus") {
    for (const auto& one : bev::test::codec_cases()) {
      CAPTURE(one.name);
      CHECK_NOTHROW(
          bev::test::decode_target(read_file(corpus_folder() + "/decode/" + one.name)));
    }
  }

  TEST_CASE("the properties hold for every metadata of the corpus, whole and cut") {
    for (const char* name : kMetadata) {
      CAPTURE(name);
      const auto file = read_file(corpus_folder() + "/metadata/" + name);
      const std::span<const std::byte> bytes(file);
      for (std::size_t size = 0; size <= bytes.size(); ++size) {
        CHECK_NOTHROW(bev::test::metadata_target(bytes.first(size)));
      }
    }
  }
}
