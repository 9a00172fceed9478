#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/plan.hpp"
#include "core/zarr/metadata.hpp"

namespace bev::zarr {
struct Group;
}

namespace bev::store {

/// What a read of rows does whose chunk is absent from the store.
enum class Missing {
  fill,   ///< the rows read as the array's fill value, which is zarr's rule
  error,  ///< the read throws missing_key, naming the chunk
};

/// By its name. Throws invalid_argument for any but "fill" and "error".
Missing missing_from(std::string_view name);

/// What holds for which arrays: `complete` lists paths of arrays that must have every
/// chunk; all others follow `others`.
///
/// Lifetime  The texts outlive it.
struct MissingPolicy {
  Missing others = Missing::fill;
  std::span<const std::string_view> complete = {};

  Missing of(std::string_view path) const noexcept;
};

/// A named array of the store.
struct Array {
  std::string path;      ///< "agents", "" for an array that is the store itself
  std::uint32_t id = 0;  ///< counts the arrays met, in order
  zarr::ArrayMeta meta;
  Missing missing = Missing::fill;

  /// Rows along the first axis; 1 for an array without axes.
  std::uint64_t length() const noexcept {
    return meta.shape.empty() ? 1 : meta.shape.front();
  }

  /// The object that holds the chunk at these coordinates: "agents/3".
  std::string key(std::span<const std::uint64_t> chunk) const;

  /// What messages call the array: its path, or "the root array".
  std::string name() const { return path.empty() ? "the root array" : path; }
};

/// The metadata of a store: the documents that were supplied (.zgroup, .zattrs,
/// .zarray, .zmetadata; or zarr.json, if there is one at the root), and the arrays they
/// describe.
///
/// Documents are kept for good and are not counted in the byte budget. An array's own
/// .zarray goes before what .zmetadata says of it, which may be older.
///
/// Lifetime  An Array lives as long as the catalogue.
/// Errors    invalid_metadata or unsupported, naming the document, when one that is
///           needed does not parse; it is forgotten, so that it can be supplied anew.
class Catalogue {
 public:
  explicit Catalogue(const MissingPolicy& missing = {});
  ~Catalogue();
  Catalogue(const Catalogue&) = delete;  // arrays are handed out by address
  Catalogue& operator=(const Catalogue&) = delete;

  /// Whether `key` names metadata: its last segment is .zarray, .zattrs and so on.
  static bool is_document(std::string_view key) noexcept;

  void supply(std::string_view key, std::span<const std::byte> text);
  void supply_absent(std::string_view key);

  /// Whether there was an answer for `key`; it is wanted of `plan` if not.
  bool known(std::string_view key, Plan& plan, bool required = false);

  /// Whether `key` was supplied, and not as absent.
  bool present(std::string_view key) const;

  /// Whether the store is of version 3, and not also of version 2.
  bool version3() const;

  /// Whether the store is a group: it says so, or it has arrays below its root. Checks
  /// what it says.
  bool is_group();

  /// The array at `path`, null if there is none, nullopt while its document is wanted.
  std::optional<const Array*> array(std::string_view path, Plan& plan,
                                    bool required = true);

  /// The attributes of the root group; an empty object if it has none.
  nlohmann::json attrs();

  /// Every array the documents describe, by path.
  std::vector<const Array*> arrays();

 private:
  void check_group();
  const Array* parsed(std::string_view path);
  const zarr::Group* consolidated();
  const Array* keep(std::string_view path, zarr::ArrayMeta meta);

  MissingPolicy missing_;
  /// By key; nullopt for one that is absent.
  std::map<std::string, std::optional<std::string>, std::less<>> documents_;
  std::map<std::string, std::unique_ptr<const Array>, std::less<>> arrays_;
  std::unique_ptr<const zarr::Group> group_;
};

}  // namespace bev::store
