#include "native/convert/conversion_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "native/files/new_folder.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/temp_folder.hpp"

namespace conversion_folder_test {

using namespace bev;
using namespace bev::native;
using nlohmann::json;

namespace {

namespace fs = std::filesystem;

const json kIdentity = {{"settings", {{"map", true}}}, {"sources", {"a"}}};

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

std::optional<Errc> opened(const std::string& path, const json& identity = kIdentity) {
  return test::error_code([&] { ConversionFolder(path, identity); });
}

}  // namespace

TEST_SUITE("convert/conversion_folder") {
  TEST_CASE("a folder appears with its objects alone when it is committed") {
    const test::TempFolder root;
    const auto path = root.at("deep/out");
    ConversionFolder folder(path + "/", kIdentity);
    folder.put("a/0", bytes_of("one"));
    folder.append("a/0", bytes_of("two"));
    folder.save(1, "state");
    folder.save_report(2, "{}");
    CHECK(!fs::exists(path));
    folder.commit();
    CHECK(fs::file_size(path + "/a/0") == 6);
    CHECK(std::distance(fs::directory_iterator(path), {}) == 1);
    CHECK(std::distance(fs::directory_iterator(root.at("deep")), {}) == 1);
    CHECK(opened(path) == Errc::invalid_argument);
  }

  TEST_CASE("a conversion that ended continues at its last checkpoint") {
    const test::TempFolder root;
    const auto path = root.at("out");
    {
      ConversionFolder folder(path, kIdentity);
      CHECK(folder.done() == 0);
      folder.put("a/0", bytes_of("one"));
      folder.save(200, "first");
      folder.save(400, "second");
      folder.put("a/1", bytes_of("later"));
    }
    {
      const ConversionFolder again(path, kIdentity);
      CHECK(again.done() == 400);
      CHECK(again.state() == "second");
      CHECK(again.report().empty());
      CHECK(fs::exists(path + ".partial/a/1"));
    }
    ConversionFolder(path, kIdentity).save_report(500, R"({"scenes": 500})");
    const ConversionFolder last(path, kIdentity);
    CHECK(last.done() == 500);
    CHECK(json::parse(last.report())["scenes"] == 500);
  }

  TEST_CASE("without a checkpoint the folder is emptied") {
    const test::TempFolder root;
    const auto path = root.at("out");
    root.write("out.partial/stray/0", "left by something else");
    const ConversionFolder folder(path, kIdentity);
    CHECK(fs::is_empty(path + ".partial"));
  }

  TEST_CASE("another conversion's folder, and damaged checkpoints are errors") {
    const test::TempFolder root;
    const auto path = root.at("out");
    ConversionFolder(path, kIdentity).save(1, "state");
    auto other = kIdentity;
    other["settings"]["map"] = false;
    CHECK(opened(path, other) == Errc::invalid_argument);
    CHECK(opened(path) == std::nullopt);
    for (const auto* damaged :
         {"", "{", "[1]", R"({"done": -1})", R"({"done": "1"})"}) {
      CAPTURE(damaged);
      root.write("out.partial/.progress.json", damaged);
      CHECK(opened(path) == Errc::corrupt_chunk);
    }
    root.write("out.partial/.progress.json", R"({"done": 1})");
    CHECK(opened(path) == Errc::invalid_argument);
    auto saved = kIdentity;
    saved["done"] = 2;
    root.write("out.partial/.progress.json", saved.dump());
    CHECK(opened(path) == Errc::not_found);
  }

  TEST_CASE("two writers at once are refused, of any kind") {
    const test::TempFolder root;
    const auto path = root.at("out");
    {
      ConversionFolder folder(path, kIdentity);
      folder.save(1, "state");
      CHECK(opened(path) == Errc::invalid_argument);
      CHECK(test::error_code([&] { NewFolder other(path); }) == Errc::invalid_argument);
      CHECK(fs::exists(path + ".partial/.progress.json"));
    }
    const NewFolder other(root.at("other"));
    CHECK(opened(root.at("other")) == Errc::invalid_argument);
  }
}

}  // namespace conversion_folder_test
