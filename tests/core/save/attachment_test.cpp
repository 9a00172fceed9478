#include "core/save/attachment.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/save_configs.hpp"

using bev::Errc;
using bev::save::Attachment;
using bev::save::attachment_of;
using bev::save::attachments_from;
using bev::save::attachments_json;
using bev::save::check_attachment;
using bev::test::error_code;
using bev::test::small_config;
using bev::test::with;
using bev::zarr::JsonView;
using nlohmann::json;

namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

}  // namespace

TEST_SUITE("save/attachment") {
  TEST_CASE("names are one segment of a key; all others are errors") {
    const auto config = small_config();
    for (const auto* name : {"a", "calibration.json", "a b", "M\xc3\xbcnchen.txt"}) {
      CHECK_NOTHROW(check_attachment(config, name, 0));
    }
    const std::string longest(200, 'n');
    CHECK_NOTHROW(check_attachment(config, longest, Attachment::kMaxBytes));
    for (const auto& name : std::vector<std::string>{
             "", ".", "..", "../a", "zarr.json", "a/b", "/etc/passwd", "a\\b", "C:a",
             ".zgroup", "a.", "a ", "a\nb", std::string("a\0b", 3), "a\xff",
             longest + "n"}) {
      CAPTURE(name);
      CHECK(error_code([&] { check_attachment(config, name, 0); }) ==
            Errc::invalid_argument);
    }
    CHECK(error_code([&] {
            check_attachment(config, "a", Attachment::kMaxBytes + 1);
          }) == Errc::limit_exceeded);
    const auto other = with(
        config,
        {{"attributes", json::array({{{"name", "attachments"}, {"dtype", "<f4"}}})}});
    CHECK(error_code([&] { check_attachment(other, "a", 0); }) ==
          Errc::invalid_argument);
  }

  TEST_CASE("lists are sorted by name; equal names replace or must have equal bytes") {
    std::vector<Attachment> list;
    for (const auto* name : {"b", "c", "a", "b"}) {
      replace_attachment(list, attachment_of(name, bytes_of("old")));
    }
    REQUIRE(list.size() == 3);
    CHECK(list[0].name == "a");
    replace_attachment(list, attachment_of("b", bytes_of("new")));
    CHECK(list[1] == attachment_of("b", bytes_of("new")));
    CHECK(list[1].bytes == 3);
    CHECK(attachment_key(list[1]) == "attachments/b");
    CHECK(attachment_part_key(list[1]) == "attachments/" + list[1].sha256);
    const auto same = list;
    join_attachments(list, same);
    CHECK(list == same);
    const std::vector<Attachment> other = {attachment_of("b", bytes_of("other"))};
    CHECK_THROWS_WITH_AS(join_attachments(list, other),
                         "attachments/b: is attached twice, with different bytes",
                         bev::Error);
    CHECK(find_attachment(list, "b") == list[1]);
    CHECK(error_code([&] { find_attachment(list, "bb"); }) == Errc::not_found);
  }

  TEST_CASE("a list is read as it was written; damaged ones are errors") {
    const auto config = small_config();
    const std::vector<Attachment> list = {attachment_of("a", bytes_of("1")),
                                          attachment_of("b", bytes_of(""))};
    const auto good = attachments_json(list);
    CHECK(attachments_from(config, JsonView(good), "m") == list);
    const json none;
    CHECK(attachments_from(config, JsonView(none)["x"], "m").empty());
    const auto code_of = [&](const char* pointer, const json& value) {
      auto changed = good;
      changed[json::json_pointer(pointer)] = value;
      return error_code([&] { attachments_from(config, JsonView(changed), "m"); });
    };
    CHECK(code_of("/0/name", "../a") == Errc::invalid_metadata);
    CHECK(code_of("/0/name", "b") == Errc::invalid_metadata);
    CHECK(code_of("/0/name", 7) == Errc::invalid_metadata);
    CHECK(code_of("/0/bytes", -1) == Errc::invalid_metadata);
    CHECK(code_of("/0/bytes", std::uint64_t{1} << 40) == Errc::invalid_metadata);
    CHECK(code_of("/1/sha256", "../../etc/passwd") == Errc::invalid_metadata);
    CHECK(error_code([&] { attachments_from(config, JsonView(json(7)), "m"); }) ==
          Errc::invalid_metadata);
  }

  TEST_CASE("bytes that differ from the entry are damaged") {
    const auto entry = attachment_of("a", bytes_of("abc"));
    CHECK_NOTHROW(check_attachment_bytes(entry, bytes_of("abc"), "k"));
    for (const auto* text : {"abd", "ab", ""}) {
      CHECK_THROWS_WITH_AS(check_attachment_bytes(entry, bytes_of(text), "k"),
                           "k: differs from its entry in the metadata", bev::Error);
    }
  }
}
