#include "native/s3/s3_xml.hpp"

#include <doctest/doctest.h>

#include <string>

#include "core/base/error.hpp"

namespace s3_xml_test {

using bev::Errc;
using bev::Error;
using bev::native::for_each_xml_text;
using bev::native::HttpAnswer;
using bev::native::s3_code;
using bev::native::s3_reason;

namespace {

/// Returns "path=text;" of each element, or the error's message.
std::string read(const std::string& xml) {
  std::string out;
  try {
    for_each_xml_text(xml, "x", [&](std::string_view path, const std::string& text) {
      out += std::string(path) + "=" + text + ";";
    });
  } catch (const Error& error) {
    CHECK(error.code() == Errc::invalid_metadata);
    return error.what();
  }
  return out;
}

HttpAnswer answer(long status, const std::string& body) {
  HttpAnswer out;
  out.status = status;
  for (const char c : body) out.body.push_back(static_cast<std::byte>(c));
  return out;
}

}  // namespace

TEST_SUITE("native/s3/s3_xml") {
  TEST_CASE("elements are read with their path and text") {
    CHECK(read("<?xml version=\"1.0\"?>\n<R xmlns=\"u\"><A>1</A><B ><C>x &amp; y</C>"
               "<D/></B ><!-- < --></R>\n") == "A=1;B/C=x & y;B/D=;B=;");
    CHECK(read("<R><K>&lt;&gt;&quot;&apos;&#65;&#xe9;&#x1F600;</K></R>") ==
          "K=<>\"'A\xc3\xa9\xf0\x9f\x98\x80;");
  }

  TEST_CASE("anything else is an error") {
    for (const auto* xml :
         {"", "text", "<R>", "<R></S>", "</R>", "<R/><R/>", "<R/>text",
          "<R><A></R></A>", "<!DOCTYPE R><R/>", "<R>&unknown;</R>", "<R>&amp</R>",
          "<R>&#0;</R>", "<R>&#xd800;</R>", "<R>&#99999999999;</R>", "<R", "<>",
          "<R><!-- </R>", "<R>&#x;</R>"}) {
      CAPTURE(xml);
      CHECK(read(xml).starts_with("x: invalid XML at byte "));
    }
    std::string deep;
    for (int i = 0; i < 17; ++i) deep += "<a>";
    CHECK(read(deep) == "x: invalid XML at byte 51");
  }

  TEST_CASE("an error's code is its reason") {
    const auto denied = answer(403, "<Error><Code>AccessDenied</Code></Error>");
    CHECK(s3_code(denied) == "AccessDenied");
    CHECK(s3_reason(denied) == " (AccessDenied)");
    CHECK(s3_reason(answer(301, "")) == " (check AWS_REGION)");
    CHECK(s3_reason(answer(
              400, "<Error><Code>AuthorizationHeaderMalformed</Code></Error>")) ==
          " (AuthorizationHeaderMalformed; check AWS_REGION)");
    for (const auto* body :
         {"", "<html>", "<Error><Code>a b</Code></Error>", "<Error>"}) {
      CHECK(s3_reason(answer(403, body)).empty());
    }
  }
}

}  // namespace s3_xml_test
