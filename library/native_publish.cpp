#include <bevscope/publish.hpp>
#include <utility>

#include "native/publish/publish.hpp"

namespace bev {

SiteReport publish(const std::vector<SiteSource>& sources, const std::string& site,
                   const SiteOptions& options) {
  std::vector<native::PublishSource> all;
  all.reserve(sources.size());
  for (const auto& source : sources) {
    all.push_back({source.path, source.name, source.map, source.aerial});
  }
  native::PublishOptions publishing;
  publishing.app = options.app;
  publishing.about = {options.title,  options.description, options.licence,
                      options.author, options.url,         options.citation};
  publishing.zip = options.zip;
  publishing.keep = options.keep;
  publishing.picture = options.picture;
  publishing.predictions = options.predictions;
  publishing.rollouts = options.rollouts;
  publishing.progress = options.progress;
  auto made = native::publish(all, site, publishing);
  SiteReport out;
  for (const auto& data : made.site.data) out.scenes += data.scenes;
  out.objects = made.objects;
  out.bytes = made.bytes;
  out.unchanged = made.kept;
  out.notices = std::move(made.notices);
  return out;
}

}  // namespace bev
