#include "native/source/at_dataset.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "native/cli/commands.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/temp_folder.hpp"

namespace at_dataset_test {

using namespace bev;
using namespace bev::native;
using Words = std::vector<std::string>;

TEST_SUITE("native/source/at_dataset") {
  TEST_CASE("commands name the data set that is not there") {
    const test::TempFolder folder;
    folder.write("empty/note.txt", "");
    const auto dataset = folder.at("empty");
    const std::vector<std::function<int()>> commands = {
        [&] { return info_main(Words{dataset}); },
        [&] {
          return facts_main(Words{dataset, "-o", folder.at("f")});
        },
        [&] {
          return scan_main(Words{dataset, "-o", folder.at("s")});
        },
        [&] { return count_main(Words{dataset}); },
        [&] {
          return describe_main(Words{dataset, "-o", folder.at("d")});
        },
        [&] {
          return mask_main(
              Words{dataset, "--threshold", "0.5", "-o", folder.at("m.npy")});
        },
        [&] {
          return copy_main(Words{dataset, folder.at("copy.zarr")});
        }};
    for (std::size_t i = 0; i < commands.size(); ++i) {
      CAPTURE(i);
      try {
        commands[i]();
        FAIL("no error");
      } catch (const Error& error) {
        const std::string message = error.what();
        CAPTURE(message);
        CHECK(error.code() == Errc::missing_key);
        CHECK(message.starts_with(dataset + ": "));
        CHECK(message.find(dataset, 1) == std::string::npos);  // once
      }
    }
  }

  TEST_CASE("other errors stay as they are, and secrets are left out") {
    CHECK_THROWS_WITH_AS(
        at_dataset("a.zarr", [] { fail(Errc::corrupt_chunk, {"agents/1: damaged"}); }),
        "agents/1: damaged", Error);
    CHECK(at_dataset("a.zarr", [] { return 7; }) == 7);
    try {
      at_dataset("https://host/a.zarr?X-Amz-Signature=abc",
                 [] { fail(Errc::missing_key, {"agents/1: not found"}); });
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(std::string(error.what()).find("abc") == std::string::npos);
    }
  }
}

}  // namespace at_dataset_test
