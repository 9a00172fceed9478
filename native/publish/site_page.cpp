#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"
#include "native/publish/site_description.hpp"

namespace bev::native {
namespace {

constexpr std::string_view kHead = "<!--site:head-->";
constexpr std::string_view kTitle = "<!--site:title-->";
constexpr std::string_view kDescription = "<!--site:description-->";
constexpr std::string_view kCounts = "<!--site:counts-->";
constexpr std::string_view kFacts = "<!--site:about-->";
constexpr std::string_view kPicture = "<!--site:picture-->";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    switch (letter) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += letter;
    }
  }
  return out;
}

/// Returns JSON for a script element: it has no "<".
std::string in_script(std::string text) {
  for (auto at = text.find('<'); at != text.npos; at = text.find('<', at)) {
    text.replace(at, 1, "\\u003c");
  }
  return text;
}

void replace_mark(std::string& page, std::string_view mark, const std::string& text) {
  const auto at = page.find(mark);
  if (at == page.npos) {
    fail(Errc::unsupported,
         {"site.html: not a template of this version (expected ", mark, ")"});
  }
  page.replace(at, mark.size(), text);
}

std::string meta(const char* kind, const char* name, const std::string& content) {
  return std::string("<meta ") + kind + "=\"" + name + "\" content=\"" +
         escaped(content) + "\">\n";
}

std::string head_of(const SiteDescription& site) {
  const auto& about = site.about;
  const auto title = site.title();
  std::string out = "<title>" + escaped(title) + "</title>\n";
  out += meta("property", "og:type", "website") + meta("property", "og:title", title);
  if (about.description) {
    out += meta("name", "description", *about.description) +
           meta("property", "og:description", *about.description);
  }
  if (about.author) out += meta("name", "author", *about.author);
  if (about.url) {
    const auto base = *about.url + (about.url->ends_with('/') ? "" : "/");
    out += meta("property", "og:url", base);
    out += "<link rel=\"canonical\" href=\"" + escaped(base) + "\">\n";
    if (site.picture) {
      out += meta("property", "og:image", base + *site.picture) +
             meta("property", "og:image:alt", "A scene of " + title + " from above") +
             meta("name", "twitter:card", "summary_large_image");
    }
  }
  out += "<script type=\"application/ld+json\">" + in_script(site_croissant(site)) +
         "</script>\n";
  out += "<script type=\"application/json\" id=\"site\">" + in_script(site_json(site)) +
         "</script>\n";
  return out;
}

std::string count(std::uint64_t number, const char* one, const char* several) {
  return "<li><b>" + with_groups(number) + "</b> " + (number == 1 ? one : several) +
         "</li>";
}

std::string counts_of(const SiteDescription& site) {
  std::uint64_t scenes = 0, frames = 0, tracks = 0;
  bool has_tracks = true;
  for (const auto& data : site.data) {
    scenes += data.scenes;
    frames += data.frames;
    tracks += data.tracks.value_or(0);
    has_tracks = has_tracks && data.tracks.has_value();
  }
  auto out = count(scenes, "scene", "scenes") + count(frames, "frame", "frames");
  if (has_tracks) out += count(tracks, "track", "tracks");
  return out;
}

std::string link_or_text(const std::string& text) {
  if (!text.starts_with("https://") && !text.starts_with("http://"))
    return escaped(text);
  return "<a href=\"" + escaped(text) + "\">" + escaped(text) + "</a>";
}

std::string about_of(const SiteAbout& about) {
  std::string out;
  const auto add = [&](const char* name, const std::string& html) {
    out += std::string("<dt>") + name + "</dt><dd>" + html + "</dd>\n";
  };
  if (about.author) add("Author", escaped(*about.author));
  if (about.licence) add("Licence", link_or_text(*about.licence));
  if (about.citation) add("Citation", "<pre>" + escaped(*about.citation) + "</pre>");
  return out;
}

}  // namespace

std::string site_page(const SiteDescription& site, std::string_view page) {
  std::string out(page);
  // Before texts of the publisher are inserted
  const std::string own = "=\"" + site.viewer + "/";
  constexpr std::string_view kBase = "=\"./";
  for (auto at = out.find(kBase); at != out.npos; at = out.find(kBase, at)) {
    out.replace(at, kBase.size(), own);
  }
  replace_mark(out, kFacts, about_of(site.about));
  replace_mark(
      out, kPicture,
      site.picture ? "<img src=\"" + escaped(*site.picture) + "\" alt=\"\">" : "");
  replace_mark(out, kCounts, counts_of(site));
  replace_mark(out, kDescription,
               site.about.description ? escaped(*site.about.description) : "");
  replace_mark(out, kTitle, "<h1>" + escaped(site.title()) + "</h1>");
  replace_mark(out, kHead, head_of(site));
  return out;
}

}  // namespace bev::native
