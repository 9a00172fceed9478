#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "native/publish/site_description.hpp"
#include "tests/native/publish/site_maker.hpp"
#include "tests/support/error_code.hpp"

namespace site_page_test {

using bev::Errc;
using bev::native::site_card;
using bev::native::site_croissant;
using bev::native::site_json;
using bev::native::site_page;
using bev::native::SiteDescription;
using bev::test::error_code;
using bev::test::kSiteTemplate;
using nlohmann::json;

namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

SiteDescription described() {
  SiteDescription out;
  out.viewer = "viewer-0123456789abcdef";
  out.data.push_back({.name = "town",
                      .folder = "data-0123456789abcdef",
                      .store = "scenes/town.zarr",
                      .scenes = 1234,
                      .frames = 1,
                      .tracks = 7,
                      .documents = {{"meta.json", 3, std::string(64, 'a')}}});
  return out;
}

}  // namespace

TEST_SUITE("native/publish/site_page") {
  TEST_CASE("texts of the publisher are texts in the page") {
    auto site = described();
    site.about.title = "</title><script>alert(1)</script>";
    site.about.description = "<!--site:head--> \"&";
    site.about.licence = "javascript:alert(1)";
    site.about.citation = "<img src=x>";
    const auto page = site_page(site, kSiteTemplate);
    CHECK(!has(page, "<script>alert"));
    CHECK(!has(page, "</title><script>"));
    CHECK(!has(page, "<!--site:"));
    CHECK(!has(page, "<img"));
    CHECK(!has(page, "href=\"javascript:"));
    CHECK(has(page, "content=\"&lt;!--site:head--&gt; &quot;&amp;\""));
  }

  TEST_CASE("counts have plurals and groups") {
    const auto page = site_page(described(), kSiteTemplate);
    CHECK(has(page, "<li><b>1,234</b> scenes</li><li><b>1</b> frame</li>"));
    CHECK(has(page, "<title>town</title>"));
  }

  TEST_CASE("what is not given is left out") {
    const auto site = described();
    const auto page = site_page(site, kSiteTemplate);
    const auto card = site_card(site);
    const auto croissant = json::parse(site_croissant(site));
    for (const std::string word : {"og:image", "og:url", "description", "Licence"}) {
      CHECK_MESSAGE(!has(page, word), word);
    }
    for (const std::string word : {"license", "Citation", "Author"}) {
      CHECK_MESSAGE(!has(card, word), word);
    }
    for (const auto* key : {"description", "license", "url", "creator", "citeAs"}) {
      CHECK_MESSAGE(!croissant.contains(key), key);
    }
    CHECK(!json::parse(site_json(site)).contains("licence"));
  }

  TEST_CASE("previews of links have absolute addresses") {
    auto site = described();
    site.about.url = "https://host/town";
    site.picture = "preview.png";
    const auto page = site_page(site, kSiteTemplate);
    CHECK(has(page, "property=\"og:url\" content=\"https://host/town/\""));
    CHECK(has(page, "property=\"og:image\" content=\"https://host/town/preview.png\""));
    const auto croissant = json::parse(site_croissant(site));
    CHECK(croissant["distribution"][0]["contentUrl"] ==
          "https://host/town/data-0123456789abcdef/meta.json");
  }

  TEST_CASE("a card has a licence that hubs know, or its name") {
    auto site = described();
    site.about.licence = "cc-by-4.0";
    CHECK(has(site_card(site), "\nlicense: cc-by-4.0\n"));
    site.about.licence = "Our \"own\"";
    CHECK(has(site_card(site), "license: other\nlicense_name: \"Our \\\"own\\\"\"\n"));
  }

  TEST_CASE("a template of another version is refused") {
    CHECK(error_code([] { site_page(described(), "<html></html>"); }) ==
          Errc::unsupported);
  }

  TEST_CASE("the description of a data set is read again") {
    const auto site = described();
    const auto& data = site.data[0];
    const auto read = bev::native::dataset_of(json_of(data), "dataset.json");
    CHECK(json_of(read) == json_of(data));
    CHECK(error_code([] { bev::native::dataset_of(json::array(), "x"); }) ==
          Errc::invalid_metadata);
  }
}

}  // namespace site_page_test
