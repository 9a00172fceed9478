#include <doctest/doctest.h>

#include <string>

#include "core/base/error.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/info/info.hpp"
#include "native/serve/server.hpp"
#include "native/source/source.hpp"
#include "tests/support/files.hpp"
#include "tests/support/scripted_server.hpp"
#include "tests/support/temp_folder.hpp"

using bev::Errc;
using bev::native::info_main;
using bev::test::ScriptedServer;
using bev::test::TempFolder;

namespace {

/// A served folder, an archive and a version 3 store.
struct Served {
  TempFolder folder;
  bev::serve::Site site;
  bev::serve::Server server;

  Served() : site((fill(folder), folder.path().string()), ""), server(site) {}

  static void fill(const TempFolder& folder) {
    folder.write("a.zarr/.zgroup", R"({"zarr_format": 2})");
    const std::string x =
        R"({"zarr_format": 2, "shape": [6], "chunks": [2], "dtype": "|u1",
            "order": "C", "compressor": null, "fill_value": 9, "filters": null})";
    folder.write("a.zarr/.zmetadata",
                 R"({"zarr_consolidated_format": 1, "metadata":
                     {".zgroup": {"zarr_format": 2}, "x/.zarray": )" +
                     x + "}}");
    const auto zip =
        bev::test::read_file(bev::test::test_path("fixtures/version3.zip"));
    folder.write("v3.zip", {reinterpret_cast<const char*>(zip.data()), zip.size()});
  }

  std::string at(const std::string& name) const {
    return "http://127.0.0.1:" + std::to_string(server.port()) + "/data/" + name;
  }
};

/// Returns the error of `bevscope info` for a URL, before anything is printed.
std::string info_refusal(const std::string& address, Errc code) {
  try {
    info_main(std::vector<std::string>{address});
    return "";
  } catch (const bev::Error& error) {
    CHECK(error.code() == code);
    return error.what();
  }
}

}  // namespace

TEST_SUITE("native/info/info_command") {
  TEST_CASE("stores are described from their addresses, in folders and archives") {
    const Served served;
    const auto of = [&](const std::string& name) {
      return bev::native::info(*bev::native::open_source(served.at(name)));
    };
    const auto folder = of("a.zarr");
    CHECK(folder.at("format") == "zarr-v2");
    CHECK(folder.at("arrays").at("x").at("shape") == nlohmann::json{6});
    const auto archive = of("v3.zip");
    CHECK(archive.at("format") == "zarr-v3");
    CHECK(archive.at("arrays").size() == 18);
  }

  TEST_CASE("a place without a store is named, but not what may be a secret") {
    const Served served;
    const auto nothing = served.at("nothing.zarr");
    const auto said = info_refusal(nothing + "?token=abc", Errc::missing_key);
    CHECK(said.starts_with(nothing + ": no zarr store"));
    CHECK(said.find("abc") == std::string::npos);
    const TempFolder empty;
    const auto path = empty.path().string();
    CHECK(info_refusal(path, Errc::missing_key).starts_with(path + ": no zarr store"));
    CHECK(info_refusal(served.at("nothing.zip"), Errc::not_found) ==
          "nothing.zip: not found (expected a .zip)");
  }

  TEST_CASE("a server that refuses, or sends a page, is a network error") {
    std::string reply = ScriptedServer::answer("403 Forbidden", "");
    const ScriptedServer server([&](const std::string&) { return reply; });
    for (const char* name : {"/a.zarr", "/a.zip"}) {
      CAPTURE(name);
      const auto said = info_refusal(server.origin() + name, Errc::network);
      CHECK(said.find(": HTTP 403; if the server") != std::string::npos);
    }
    reply = ScriptedServer::answer("200 OK", "<html></html>",
                                   "Content-Type: text/html\r\n");
    CHECK(info_refusal(server.origin() + "/a.zarr", Errc::network)
              .find("a web page, expected data") != std::string::npos);
  }

  TEST_CASE("an invalid address is an error; two are a usage error") {
    CHECK(info_refusal("http://", Errc::invalid_argument) ==
          "http://: not an http(s) address");
    const std::vector<std::string> two{"a", "b"};
    CHECK_THROWS_AS(info_main(two), bev::cli::UsageError);
  }
}
