#include "native/serve/site.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "tests/support/temp_folder.hpp"

using bev::serve::Site;
using bev::test::TempFolder;

TEST_SUITE("native/serve/site") {
  TEST_CASE("the app is at the top, data below /data/") {
    const TempFolder data;
    const TempFolder app;
    data.write("town.zarr/agents/0", "chunk");
    app.write("index.html", "<p>app");
    app.write("docs/index.html", "<p>docs!");
    const Site site(data.path().string(), app.path().string());

    CHECK(site.find("/data/town.zarr/agents/0")->file.size() == 5);
    CHECK(site.find("/")->file.size() == 6);
    CHECK(site.find("/index.html")->type == "text/html; charset=utf-8");
    CHECK(site.find("/docs/")->file.size() == 8);
    CHECK_FALSE(site.find("/docs").has_value());
    CHECK_FALSE(site.find("/town.zarr/agents/0").has_value());
    CHECK_FALSE(site.find("/data/index.html").has_value());
  }

  TEST_CASE("a folder of data is absent, with and without a slash") {
    const TempFolder data;
    data.write("town.zarr/index.html", "x");
    const Site site(data.path().string(), "");
    for (const auto* path :
         {"/data/town.zarr", "/data/town.zarr/", "/data/", "/data", "/"}) {
      CAPTURE(path);
      CHECK_FALSE(site.find(path).has_value());
    }
  }

  TEST_CASE("nothing outside is found, by dots or by links") {
    const TempFolder outside;
    const TempFolder data;
    outside.write("secret", "x");
    data.write("f", "x");
    std::filesystem::create_symlink(outside.path(), data.path() / "link");
    const Site site(data.path().string(), "");
    const auto up = "/data/../" + outside.path().filename().string() + "/secret";
    for (const auto& path :
         {up, std::string("/data/link/secret"), std::string("/data//f"),
          "/data/" + outside.path().string() + "/secret"}) {
      CAPTURE(path);
      CHECK_FALSE(site.find(path).has_value());
    }
  }

  TEST_CASE("pages of the app run no foreign code, pages among the data none at all") {
    const TempFolder data;
    const TempFolder app;
    data.write("evil.html", "x");
    app.write("index.html", "x");
    const Site site(data.path().string(), app.path().string());
    CHECK(site.find("/")->policy ==
          "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
          "worker-src 'self'; img-src 'self' blob: data:; connect-src *");
    CHECK(site.find("/data/evil.html")->policy == "default-src 'none'; sandbox");
  }

  TEST_CASE("a folder that is not there is said") {
    CHECK_THROWS_WITH_AS(Site("/no/such", ""), "/no/such: no such folder", bev::Error);
  }
}
