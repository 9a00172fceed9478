#include "native/publish/site_description.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.hpp"

namespace bev::native {
namespace {

using nlohmann::json;

std::string text_of_json(const json& value, int indent) {
  return value.dump(indent, ' ', false, json::error_handler_t::replace) + "\n";
}

void set(json& out, const char* name, const std::optional<std::string>& value) {
  if (value) out[name] = *value;
}

json json_of_files(const std::vector<SiteFile>& files) {
  auto out = json::array();
  for (const auto& file : files) {
    out.push_back(
        {{"path", file.path}, {"bytes", file.bytes}, {"sha256", file.sha256}});
  }
  return out;
}

std::vector<SiteFile> files_of_json(const json& files) {
  std::vector<SiteFile> out;
  for (const auto& file : files) {
    out.push_back({file.at("path").get<std::string>(),
                   file.at("bytes").get<std::uint64_t>(),
                   file.at("sha256").get<std::string>()});
  }
  return out;
}

json json_of_arrays(const std::vector<SiteArray>& arrays) {
  auto out = json::array();
  for (const auto& array : arrays) {
    auto fields = json::array();
    for (const auto& field : array.fields) {
      fields.push_back({{"name", field.name},
                        {"type", field.type},
                        {"repeated", field.is_repeated}});
    }
    out.push_back({{"name", array.name}, {"fields", fields}});
  }
  return out;
}

std::vector<SiteArray> arrays_of_json(const json& arrays) {
  std::vector<SiteArray> out;
  for (const auto& array : arrays) {
    out.push_back({array.at("name").get<std::string>(), {}});
    for (const auto& field : array.at("fields")) {
      out.back().fields.push_back({field.at("name").get<std::string>(),
                                   field.at("type").get<std::string>(),
                                   field.at("repeated").get<bool>()});
    }
  }
  return out;
}

/// Returns a YAML string in double quotes, which JSON's are.
std::string yaml_text(const std::string& text) {
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

/// Whether a licence is an identifier, as hubs of data sets expect: "cc-by-4.0".
bool is_identifier(const std::string& text) {
  return !text.empty() &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-") == text.npos;
}

/// Returns a line of Markdown as it is meant, without markup of its own.
std::string plain(const std::string& text) {
  std::string out;
  for (const char letter : text) {
    if (std::string_view("\\`*_{}[]<>#|").find(letter) != std::string_view::npos) {
      out += '\\';
    }
    out += letter;
  }
  return out;
}

void add_counts(std::string& out, const SiteDescription& site) {
  out += "| data set | scenes | frames | agents in frames | tracks | size |\n";
  out += "| --- | ---: | ---: | ---: | ---: | ---: |\n";
  for (const auto& data : site.data) {
    out += "| " + plain(data.name) + " | " + with_groups(data.scenes) + " | " +
           with_groups(data.frames) + " | " + with_groups(data.agents) + " | " +
           (data.tracks ? with_groups(*data.tracks) : "unknown") + " | " +
           with_groups((data.bytes + 500'000) / 1'000'000) + " MB |\n";
  }
}

}  // namespace

std::string with_groups(std::uint64_t number) {
  auto out = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(out.size()) - 3; at > 0; at -= 3) {
    out.insert(static_cast<std::size_t>(at), ",");
  }
  return out;
}

std::string with_slash(std::string url) {
  if (!url.ends_with('/')) url += '/';
  return url;
}

std::string SiteDescription::title() const {
  if (about.title) return *about.title;
  std::string out;
  for (const auto& one : data) out += (out.empty() ? "" : ", ") + one.name;
  return out;
}

json json_of(const SiteDataset& dataset) {
  json out = {{"name", dataset.name},
              {"store", dataset.store},
              {"scenes", dataset.scenes},
              {"frames", dataset.frames},
              {"agents", dataset.agents},
              {"objects", dataset.objects},
              {"bytes", dataset.bytes},
              {"map", dataset.has_map},
              {"aerial", dataset.has_aerial},
              {"facts", dataset.has_facts},
              {"preview", dataset.has_preview},
              {"arrays", json_of_arrays(dataset.arrays)},
              {"documents", json_of_files(dataset.documents)}};
  if (dataset.tracks) out["tracks"] = *dataset.tracks;
  return out;
}

SiteDataset dataset_of(const json& from, const std::string& name) {
  try {
    SiteDataset out;
    out.name = from.at("name").get<std::string>();
    out.store = from.at("store").get<std::string>();
    out.scenes = from.at("scenes").get<std::uint64_t>();
    out.frames = from.at("frames").get<std::uint64_t>();
    out.agents = from.at("agents").get<std::uint64_t>();
    out.objects = from.at("objects").get<std::uint64_t>();
    out.bytes = from.at("bytes").get<std::uint64_t>();
    out.has_map = from.at("map").get<bool>();
    out.has_aerial = from.at("aerial").get<bool>();
    out.has_facts = from.at("facts").get<bool>();
    out.has_preview = from.at("preview").get<bool>();
    out.arrays = arrays_of_json(from.at("arrays"));
    out.documents = files_of_json(from.at("documents"));
    if (from.contains("tracks")) out.tracks = from.at("tracks").get<std::uint64_t>();
    return out;
  } catch (const json::exception&) {
    fail_at(Errc::invalid_metadata, name,
            {"not the description of a published data set"});
  }
}

std::string site_json(const SiteDescription& site) {
  json out = {{"version", 1}, {"title", site.title()}, {"viewer", site.viewer}};
  set(out, "description", site.about.description);
  set(out, "licence", site.about.licence);
  set(out, "author", site.about.author);
  set(out, "url", site.about.url);
  set(out, "citation", site.about.citation);
  set(out, "picture", site.picture);
  auto& datasets = out["data"] = json::array();
  for (const auto& dataset : site.data) {
    auto one = json_of(dataset);
    one.erase("documents");
    one.erase("arrays");
    one.erase("store");
    one["path"] = dataset.path();
    datasets.push_back(std::move(one));
  }
  out["predictions"] = json::array();
  for (const auto& file : site.predictions) out["predictions"].push_back(file.path);
  out["rollouts"] = json::array();
  for (const auto& file : site.rollouts) out["rollouts"].push_back(file.path);
  return text_of_json(out, 1);
}

std::string site_card(const SiteDescription& site) {
  const auto& about = site.about;
  std::string out = "---\npretty_name: " + yaml_text(site.title()) + "\n";
  if (about.licence && is_identifier(*about.licence)) {
    out += "license: " + *about.licence + "\n";
  } else if (about.licence) {
    out += "license: other\nlicense_name: " + yaml_text(*about.licence) + "\n";
  }
  out += "tags:\n- autonomous-driving\n- motion-prediction\n- zarr\n---\n\n";
  out += "# " + plain(site.title()) + "\n\n";
  if (about.description) out += *about.description + "\n\n";
  if (about.url) out += "Look at it: <" + with_slash(*about.url) + ">\n\n";
  add_counts(out, site);
  out += "\n## Read it\n\n```python\nimport bevscope\n\n";
  for (const auto& data : site.data) {
    const auto base = about.url ? with_slash(*about.url) : std::string("https://HOST/");
    out += "dataset = bevscope.open(" + yaml_text(base + data.path()) + ")\n";
  }
  out +=
      "```\n\nThe format is that of L5Kit: zarr arrays `scenes`, `frames`, `agents` "
      "and "
      "`traffic_light_faces`.\n\n## Serve it\n\nAny server of files serves this "
      "folder: "
      "`python3 -m http.server`. The start page is\n`index.html`; `site.json` and "
      "`croissant.json` describe the data for programs.\n";
  const auto section = [&](const char* name, const std::optional<std::string>& text) {
    if (text) out += std::string("\n## ") + name + "\n\n" + *text + "\n";
  };
  section("Author", about.author);
  section("Licence", about.licence);
  if (about.citation) out += "\n## Citation\n\n```\n" + *about.citation + "\n```\n";
  return out;
}

}  // namespace bev::native
