#include <bevscope/publish.hpp>
#include <utility>

#include "native/publish/publish.hpp"

namespace bev {
namespace {

std::vector<native::PublishSource> publish_sources(
    const std::vector<SiteSource>& sources) {
  std::vector<native::PublishSource> out;
  out.reserve(sources.size());
  for (const auto& source : sources) {
    out.push_back({source.path, source.name, source.map, source.aerial});
  }
  return out;
}

native::PublishOptions publish_options(const SiteOptions& options) {
  native::PublishOptions out;
  out.app = options.app;
  out.about = {options.title,  options.description, options.licence,
               options.author, options.url,         options.citation};
  out.zip = options.zip;
  out.keep = options.keep;
  out.with_maps = options.with_maps;
  out.convert_argoverse2 = options.convert_argoverse2;
  out.picture = options.picture;
  out.predictions = options.predictions;
  out.rollouts = options.rollouts;
  out.progress = options.progress;
  return out;
}

}  // namespace

SiteReport publish(const std::vector<SiteSource>& sources, const std::string& site,
                   const SiteOptions& options) {
  auto made = native::publish(publish_sources(sources), site, publish_options(options));
  SiteReport out;
  for (const auto& data : made.site.data) out.scenes += data.scenes;
  out.objects = made.objects;
  out.bytes = made.bytes;
  out.unchanged = made.kept;
  out.notices = std::move(made.notices);
  return out;
}

SiteEstimate estimate_site(const std::vector<SiteSource>& sources,
                           const SiteOptions& options) {
  const auto made =
      native::estimate_site(publish_sources(sources), publish_options(options));
  return {made.scenes,  made.objects,    made.bytes,
          made.largest, made.page_bytes, made.frame_bytes};
}

}  // namespace bev
