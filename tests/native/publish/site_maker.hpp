#pragma once

#include <map>
#include <string>
#include <vector>

#include "native/publish/publish.hpp"
#include "native/publish/site_folder.hpp"
#include "tests/support/small_folder.hpp"

namespace bev::test {

/// A template with all marks, and a script.
inline constexpr const char* kSiteTemplate =
    "<html><head><!--site:head--><script src=\"./assets/site.js\"></script></head>"
    "<body><!--site:title--><p><!--site:description--></p>"
    "<ul><!--site:counts--></ul><dl><!--site:about--></dl>"
    "<!--site:picture--></body></html>";

/// A small data set, and a viewer of a few bytes.
class SiteMaker {
 public:
  explicit SiteMaker(const SmallScenes& small = {}) : data_(small) {
    app_.write("site.html", kSiteTemplate);
    app_.write("assets/site.js", "start();");
    app_.write("index.html", "the viewer alone");
    app_.write("example/meta.json", "{}");
  }

  std::string at(std::string_view name) const { return data_.at(name); }
  std::string site() const { return data_.at("site"); }
  std::string dataset() const { return data_.dataset(); }
  const TempFolder& app() const { return app_; }
  const SmallFolder& data() const { return data_; }

  native::PublishOptions options() const {
    native::PublishOptions out;
    out.app = app_.path().string();
    return out;
  }

  native::Published publish(const native::PublishOptions& options) const {
    return native::publish({{dataset()}}, site(), options);
  }
  native::Published publish() const { return publish(options()); }

  /// Returns the contents of the site's files, by path.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> out;
    for (const auto& file : native::files_below(site())) {
      out[file.key] = file_text(site() + "/" + file.key);
    }
    return out;
  }

 private:
  SmallFolder data_;
  TempFolder app_;
};

}  // namespace bev::test
