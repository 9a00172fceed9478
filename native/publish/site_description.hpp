#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bev::native {

/// What the publisher says of the data. What is not given is left out of the pages.
struct SiteAbout {
  std::optional<std::string> title = {};  ///< default: the names of the data sets
  std::optional<std::string> description = {};
  std::optional<std::string> licence = {};  ///< a name, or a URL
  std::optional<std::string> author = {};
  std::optional<std::string> url = {};  ///< where the site will be
  std::optional<std::string> citation = {};
};

/// A file of a site, with what its description says of it.
struct SiteFile {
  std::string path;  ///< below the site
  std::uint64_t bytes = 0;
  std::string sha256 = {};
};

/// A field of an array's records.
struct SiteField {
  std::string name;
  std::string type;          ///< Croissant's: "sc:Float"
  bool is_repeated = false;  ///< several values per row
};

/// An array of a data set.
struct SiteArray {
  std::string name;
  std::vector<SiteField> fields = {};
};

/// A published data set.
struct SiteDataset {
  std::string name;    ///< "town"
  std::string folder;  ///< "data-0123456789abcdef"
  std::string store;   ///< below the folder: "scenes/town.zarr"
  std::uint64_t scenes = 0;
  std::uint64_t frames = 0;
  std::uint64_t agents = 0;  ///< rows: agents in frames
  std::optional<std::uint64_t> tracks = {};
  std::uint64_t objects = 0;  ///< of the folder
  std::uint64_t bytes = 0;    ///< of these objects
  bool has_map = false;
  bool has_aerial = false;
  bool has_facts = false;
  bool has_preview = false;
  std::vector<SiteArray> arrays = {};    ///< of L5Kit's, for its description
  std::vector<SiteFile> documents = {};  ///< of the folder, likewise

  std::string path() const { return folder + "/" + store; }
};

/// A site as its pages describe it.
struct SiteDescription {
  SiteAbout about;
  std::vector<SiteDataset> data;
  std::vector<SiteFile> predictions;
  std::vector<SiteFile> rollouts;
  std::string viewer;                       ///< folder: "viewer-0123456789abcdef"
  std::optional<std::string> picture = {};  ///< below the site

  /// The title that is given, or the names of the data sets.
  std::string title() const;
};

/// Returns a URL that ends in "/".
std::string with_slash(std::string url);

/// Returns a number with groups: "1,234".
std::string with_groups(std::uint64_t number);

/// Returns a data set as JSON, without its folder and documents, and the inverse.
///
/// Throws  invalid_metadata for other JSON
nlohmann::json json_of(const SiteDataset& dataset);
SiteDataset dataset_of(const nlohmann::json& json, const std::string& name);

/// Returns site.json, which the start page has in itself.
std::string site_json(const SiteDescription& site);

/// Returns the dataset card, README.md.
std::string site_card(const SiteDescription& site);

/// Returns Croissant's JSON-LD. Reference: https://docs.mlcommons.org/croissant/docs/croissant-spec.html
std::string site_croissant(const SiteDescription& site);

/// Returns the start page, of the viewer's template.
///
/// Throws  unsupported for a template without the marks
std::string site_page(const SiteDescription& site, std::string_view page);

}  // namespace bev::native
