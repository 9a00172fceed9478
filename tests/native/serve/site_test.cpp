#include "native/serve/site.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "tests/support/temp_folder.hpp"

using bev::serve::content_type;
using bev::serve::find_app_folder;
using bev::serve::Site;
using bev::test::TempFolder;

TEST_SUITE("native/serve/site") {
  TEST_CASE("serves the app at / and data below /data/") {
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

  TEST_CASE("dots and links do not lead out of the folders") {
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

  TEST_CASE("hidden files are absent, except zarr documents, statistics and facts") {
    const TempFolder data;
    const TempFolder app;
    const auto served = [](const std::string& name) {
      return name == ".zgroup" || name == "a.zarr/.zarray" ||
             name == "a.zarr/.zattrs" || name == "a.zarr/.zmetadata" ||
             name == "a.zarr/0.0" || name == "f.env" ||
             name == "a.zarr/.bevscope/statistics.json" ||
             name == "a.zarr/.bevscope/facts.zip" ||
             name == "a.zarr/.bevscope/thumbnails-0.zip";
    };
    const Site site(data.path().string(), app.path().string());
    for (const std::string name :
         {".env", ".git/config", "a/.git/HEAD", ".zgroup", "a.zarr/.zarray",
          "a.zarr/.zattrs", "a.zarr/.zmetadata", "a.zarr/.zarray.bak", ".zarray/x",
          ".ssh/.zgroup", "a.zarr/0.0", "f.env", "..hidden",
          "a.zarr/.bevscope/statistics.json", "a.zarr/.bevscope/facts.zip",
          "a.zarr/.bevscope/thumbnails-0.zip", "a.zarr/.bevscope/thumbnails-x.zip",
          "a.zarr/.bevscope/other.json", ".hidden/.bevscope/statistics.json"}) {
      CAPTURE(name);
      data.write(name == ".zarray/x" ? "b/.zarray/x" : name, "x");
      app.write(name == ".zarray/x" ? "b/.zarray/x" : name, "x");
      const auto path = name == ".zarray/x" ? "b/.zarray/x" : name;
      CHECK(site.find("/data/" + path).has_value() == served(name));
      CHECK(site.find("/" + path).has_value() == served(name));
    }
  }

  TEST_CASE("loops of links and names too long are absent") {
    const TempFolder data;
    std::filesystem::create_symlink("b", data.path() / "a");
    std::filesystem::create_symlink("a", data.path() / "b");
    const Site site(data.path().string(), "");
    CHECK_FALSE(site.find("/data/a").has_value());
    CHECK_FALSE(site.find("/data/a/x").has_value());
    CHECK_FALSE(site.find("/data/" + std::string(300, 'x')).has_value());
    CHECK_FALSE(site.find("/data/" + std::string(5000, 'x')).has_value());
  }

  TEST_CASE(
      "the app's text is compressible, its hashed files immutable; data neither") {
    const TempFolder data;
    const TempFolder app;
    struct Case {
      std::string name;
      bool is_text;
      bool immutable;
    };
    const Case cases[] = {
        {"index.html", true, false},
        {"assets/index-Bq3_x-9Z.js", true, true},
        {"assets/bev_core-DxY01234.wasm", true, true},
        {"assets/index-DxY01234.css", true, true},
        {"assets/photo-DxY01234.png", false, true},
        {"assets/index.js", true, false},
        {"assets/index-short.js", true, false},
        {"assets/index-Bq3.x-9Z.js", true, false},
        {"other/index-DxY01234.js", true, false},
        {"meta.json", false, false},
    };
    const Site site(data.path().string(), app.path().string());
    for (const auto& known : cases) {
      const auto& name = known.name;
      CAPTURE(name);
      app.write(name, "x");
      data.write(name, "x");
      CHECK(site.find("/" + name)->is_text == known.is_text);
      CHECK(site.find("/" + name)->immutable == known.immutable);
      CHECK_FALSE(site.find("/data/" + name)->is_text);
      CHECK_FALSE(site.find("/data/" + name)->immutable);
    }
  }

  TEST_CASE("the policies forbid foreign code in the app, and all code in data") {
    const TempFolder data;
    const TempFolder app;
    data.write("evil.html", "x");
    app.write("index.html", "x");
    const Site site(data.path().string(), app.path().string());
    CHECK(site.find("/")->policy ==
          "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
          "worker-src 'self'; img-src 'self' blob: data:; connect-src *; "
          "frame-ancestors 'self'");
    CHECK(site.find("/data/evil.html")->policy == "default-src 'none'; sandbox");
  }

  TEST_CASE("reports a missing folder") {
    CHECK_THROWS_WITH_AS(Site("/no/such", ""), "/no/such: folder not found",
                         bev::Error);
  }

  TEST_CASE("types that browsers require") {
    CHECK(content_type("core.wasm") == "application/wasm");
    CHECK(content_type("assets/worker.js") == "text/javascript; charset=utf-8");
    CHECK(content_type("bev_core.mjs") == "text/javascript; charset=utf-8");
    CHECK(content_type("index.html") == "text/html; charset=utf-8");
    CHECK(content_type("style.css") == "text/css; charset=utf-8");
  }

  TEST_CASE("a store's metadata is JSON, its chunks are bytes") {
    CHECK(content_type("agents/.zarray") == "application/json");
    CHECK(content_type(".zmetadata") == "application/json");
    CHECK(content_type("agents/12") == "application/octet-stream");
    CHECK(content_type("t/0.0.1") == "application/octet-stream");
    CHECK(content_type("") == "application/octet-stream");
  }

  TEST_CASE("a link opens the viewer, escaped for a URL fragment") {
    const TempFolder data;
    const TempFolder app;
    app.write("index.html", "x");
    const Site site(data.path().string(), app.path().string());
    CHECK(site.link("") == "/#src=/data/");
    CHECK(site.link("scenes/town.zarr") == "/#src=/data/scenes/town.zarr");
    CHECK(site.link("a b&c%.zarr") == "/#src=/data/a%20b%26c%25.zarr");
    CHECK(site.link("\xc3\xa9") == "/#src=/data/%C3%A9");
  }

  TEST_CASE("without a page that shows a viewer, a link is the data set's address") {
    const TempFolder data;
    const TempFolder no_page;
    CHECK(Site(data.path().string(), "").link("a b.zarr") == "/data/a%20b.zarr");
    CHECK(Site(data.path().string(), no_page.path().string()).link("a.zarr") ==
          "/data/a.zarr");
  }

  TEST_CASE("contains the paths of its folders, existing or not, by any name") {
    const TempFolder folder;
    folder.write("data/f", "x");
    folder.write("app/index.html", "x");
    folder.write("data-2/f", "x");
    std::filesystem::create_directory_symlink(folder.at("data"), folder.at("link"));
    const Site site(folder.at("link"), folder.at("app"));
    for (const auto* path : {"data", "data/f", "data/none/log", "link/log",
                             "data-2/../data/log", "app/log"}) {
      CAPTURE(path);
      CHECK(site.contains(folder.at(path)));
    }
    for (const auto* path : {"log", "data-2/log", "data/../log", "dat"}) {
      CAPTURE(path);
      CHECK_FALSE(site.contains(folder.at(path)));
    }
    CHECK_FALSE(Site(folder.at("data"), "").contains(folder.at("app/log")));
  }

  TEST_CASE("a site has a problem while a folder is missing or is a file") {
    const TempFolder folder;
    folder.write("data/f", "x");
    folder.write("app/index.html", "x");
    const Site site(folder.at("data"), folder.at("app"));
    CHECK_FALSE(site.problem());
    std::filesystem::remove_all(folder.at("app"));
    CHECK(site.problem() == "the viewer's folder cannot be read");
    CHECK_FALSE(Site(folder.at("data"), "").problem());
    std::filesystem::remove_all(folder.at("data"));
    CHECK(site.problem() == "the folder of data cannot be read");
    folder.write("data", "a file");
    CHECK(site.problem() == "the folder of data cannot be read");
  }

  TEST_CASE("finds the viewer of an installed and of a built program") {
    const TempFolder folder;
    CHECK_FALSE(find_app_folder(folder.at("build/release/bevscope")).has_value());
    folder.write("build/app/index.html", "x");
    CHECK(find_app_folder(folder.at("build/release/bevscope")) ==
          folder.at("build/app"));
    folder.write("usr/share/bevscope/app/index.html", "x");
    CHECK(find_app_folder(folder.at("usr/bin/bevscope")) ==
          folder.at("usr/share/bevscope/app"));
  }
}
