#include "core/convert/xml_reader.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"

namespace xml_reader_test {

using namespace bev;
using convert::XmlReader;

namespace {

/// Returns the elements as "a(b c(d))".
std::string outline(XmlReader& xml) {
  std::string out;
  xml.each([&](std::string_view name) {
    out += out.empty() ? "" : " ";
    out += name;
    const auto inner = outline(xml);
    if (!inner.empty()) out += "(" + inner + ")";
  });
  return out;
}

std::string outline_of(std::string_view text) {
  XmlReader xml(text);
  if (!xml.open()) return "";
  std::string out(xml.name());
  out += "(" + outline(xml) + ")";
  const bool has_more = xml.open();
  CHECK(!has_more);
  return out;
}

std::optional<Errc> refusal(std::string_view text) {
  return test::error_code([&] { outline_of(text); });
}

}  // namespace

TEST_SUITE("convert/xml_reader") {
  TEST_CASE("elements are read in order, text and comments are skipped") {
    CHECK(outline_of("<a/>") == "a()");
    CHECK(
        outline_of("<!-- <x> --><?xml version='1.0'?><a>t<b/>u<c><d></d></c ></a>\n") ==
        "a(b c(d))");
    CHECK(outline_of("<a><![CDATA[<x>]]><b/></a>") == "a(b)");
  }

  TEST_CASE("what is left open is closed") {
    XmlReader xml("<a><b><c><d/></c><e/></b><f/></a>");
    REQUIRE(xml.open());
    std::string names;
    xml.each([&](std::string_view name) {
      names += name;
      if (name == "b") xml.open();  // c, of which the rest is skipped
    });
    CHECK(names == "bf");
    CHECK(!xml.open());
  }

  TEST_CASE("attributes are decoded, and numbers are checked") {
    XmlReader xml("<a t='1 &lt; &#50;&#x20ac;&quot;' n = \"-2.5e1\" i='+3' x='1x'/>");
    REQUIRE(xml.open());
    CHECK(xml.text("t") == "1 < 2\xe2\x82\xac\"");
    CHECK(xml.number("n") == -25);
    CHECK(xml.number("absent", 7) == 7);
    CHECK(xml.integer("i") == 3);
    CHECK(!xml.find("absent"));
    for (const auto& read : {+[](XmlReader& one) { one.number("x"); },
                             +[](XmlReader& one) { one.integer("x"); },
                             +[](XmlReader& one) { one.number("x", 1); },
                             +[](XmlReader& one) { one.text("absent"); }}) {
      CHECK(test::error_code([&] { read(xml); }) == Errc::invalid_metadata);
    }
  }

  TEST_CASE("text is read without its children and the space around it") {
    XmlReader xml(
        "<a><b> 1 &lt; <!-- x -->2<c>no</c><![CDATA[ <&> ]]>3\n</b><d/><e>-2.5</e>"
        "<f>x</f><g>4</g></a>");
    REQUIRE(xml.open());
    std::string all;
    xml.each([&](std::string_view name) {
      if (name == "b" || name == "d") all += "[" + xml.content() + "]";
      if (name == "e") CHECK(xml.content_number() == -2.5);
      if (name != "f") return;
      CHECK(test::error_code([&] { xml.content_number(); }) == Errc::invalid_metadata);
    });
    CHECK(all == "[1 < 2 <&> 3][]");
    CHECK(!xml.open());
    for (const char* text : {"<a>1", "<a>&x;</a>", "<a><![CDATA[b</a>", "<a>1</b>"}) {
      CAPTURE(text);
      XmlReader one(text);
      REQUIRE(one.open());
      CHECK(test::error_code([&] { one.content(); }) == Errc::corrupt_chunk);
    }
  }

  TEST_CASE("what is not well-formed is refused") {
    for (const char* text :
         {"", "text", "<a>", "<a><b></a>", "<a></b>", "<a/><b/>", "<a b></a>",
          "<a b=1/>", "<a b='1' b='2'/>", "<a b='&x;'/>", "<a b='&#0;'/>",
          "<a b='&#xd800;'/>", "<a b='&amp'/>", "<a b='<'/>", "<a", "<a b='", "<!-- ",
          "<>", "< a/>"}) {
      CAPTURE(text);
      CHECK(refusal(text) == Errc::corrupt_chunk);
    }
    CHECK(refusal("<!DOCTYPE a [<!ENTITY b 'c'>]><a/>") == Errc::unsupported);
    std::string deep;
    for (int i = 0; i < 100; ++i) deep += "<a>";
    CHECK(refusal(deep) == Errc::limit_exceeded);
    std::string wide = "<a";
    for (int i = 0; i < 300; ++i) wide += " a" + std::to_string(i) + "=''";
    CHECK(refusal(wide + "/>") == Errc::limit_exceeded);
  }

  TEST_CASE("every cut of a document, and damaged ones, are read or refused") {
    const std::string whole =
        "<?xml version='1.0'?><a b='1&amp;2'><c d=\"e\"/><!-- f --><g>h</g></a>";
    for (std::size_t cut = 0; cut < whole.size(); ++cut) {
      CHECK(refusal(whole.substr(0, cut)) == Errc::corrupt_chunk);
    }
    std::mt19937 random(3);
    constexpr std::string_view kLikely = "<>/='\"&;!-?[]ab ";
    for (int round = 0; round < 3000; ++round) {
      auto text = whole;
      for (int i = 0; i < 3; ++i) {
        text[random() % text.size()] = kLikely[random() % kLikely.size()];
      }
      const auto code = refusal(text);
      const bool is_expected =
          !code || code == Errc::corrupt_chunk || code == Errc::unsupported;
      REQUIRE(is_expected);
    }
  }
}

}  // namespace xml_reader_test
