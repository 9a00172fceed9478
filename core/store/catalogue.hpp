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

namespace bev::store {

/// How a read treats a chunk that is absent from the store.
enum class Missing {
  fill,   ///< its rows read as the array's fill value (zarr's rule)
  error,  ///< the read throws missing_key and names the chunk
};

/// Parses the name of a policy. Throws invalid_argument unless it is "fill" or "error".
Missing missing_from(std::string_view name);

/// Policy per array: arrays whose path is in `complete` must have every chunk; all
/// other arrays follow `others`.
///
/// Lifetime  The strings outlive the policy.
struct MissingPolicy {
  Missing others = Missing::fill;
  std::span<const std::string_view> complete = {};

  Missing of(std::string_view path) const noexcept;
};

struct Columns;
struct TableFields;

/// A named array of the store.
struct Array {
  std::string path;      ///< "agents"; "" for an array at the root
  std::uint32_t id = 0;  ///< number of the array, in the order of first use
  zarr::ArrayMeta meta;
  Missing missing = Missing::fill;
  /// Stored axes that `meta` has as the shape of an element; a chunk spans them.
  std::size_t inner_axes = 0;
  /// Arrays that hold the fields, if records are not stored as such; see columns.hpp.
  const Columns* columns = nullptr;
  /// What the fields are, if they may vary in length or be null; see fields.hpp.
  const TableFields* fields = nullptr;

  /// Rows along the first axis; 1 for an array without axes.
  std::uint64_t length() const noexcept {
    return meta.shape.empty() ? 1 : meta.shape.front();
  }

  /// Returns the key of the object that holds the chunk at these coordinates:
  /// "agents/3".
  std::string key(std::span<const std::uint64_t> chunk) const;

  /// Returns the array's name for messages: its path, or "the root array".
  std::string name() const { return path.empty() ? "the root array" : path; }
};

/// The store's metadata: the supplied documents (.zgroup, .zattrs, .zarray, .zmetadata;
/// or zarr.json, if there is one at the root) and the arrays they describe.
///
/// Documents are never evicted and do not count in the byte budget. An array's own
/// .zarray takes precedence over its entry in .zmetadata, which may be older.
///
/// Lifetime  An Array lives as long as the catalogue.
/// Throws    invalid_metadata or unsupported, naming the document, if a needed document
///           does not parse. The document is dropped, so that it can be supplied again.
class Catalogue {
 public:
  explicit Catalogue(const MissingPolicy& missing = {});
  ~Catalogue();
  Catalogue(const Catalogue&) = delete;  // callers hold the addresses of arrays
  Catalogue& operator=(const Catalogue&) = delete;

  /// Returns whether `key` names metadata: its last segment is .zarray, .zattrs and so
  /// on, or statistics.json.
  static bool is_document(std::string_view key) noexcept;

  void supply(std::string_view key, std::span<const std::byte> text);
  void supply_absent(std::string_view key);

  /// Returns whether `key` was supplied, possibly as absent. If not, adds it to the
  /// plan's requests.
  bool known(std::string_view key, Plan& plan, bool required = false);

  /// Returns whether `key` was supplied, and not as absent.
  bool present(std::string_view key) const;

  /// Returns the text that was supplied for `key`; null if none was, or as absent.
  const std::string* document(std::string_view key) const;

  /// Returns whether the store is zarr version 3, and not also version 2.
  bool version3() const;

  /// Returns whether the store is a group: its metadata says so, or it has arrays below
  /// its root. Validates .zgroup.
  bool is_group();

  /// Returns the array at `path`, null if there is none, nullopt while its document is
  /// requested.
  std::optional<const Array*> array(std::string_view path, Plan& plan,
                                    bool required = true);

  /// Returns the array at `path` if the documents in memory describe it, otherwise null;
  /// requests nothing.
  const Array* parsed(std::string_view path);

  /// Returns the attributes of the root group; an empty object if it has none.
  nlohmann::json attrs();

  /// Returns every array that the documents describe, ordered by path.
  std::vector<const Array*> arrays();

 private:
  void check_group();
  const zarr::Group* consolidated();
  const Array* add(std::string_view path, zarr::ArrayMeta meta);
  const Array* stored(std::string_view path);
  const Array* table(std::string_view path);
  const Array* field_table(std::string_view path);
  struct FieldTable {
    std::shared_ptr<const TableFields> fields;
    std::vector<zarr::Field> record;
    std::vector<const Array*> columns;  // of the record's fields
  };
  const Array* add_field_table(std::string_view path, FieldTable&& table);
  std::vector<std::string> table_paths();
  void add_field_tables(std::vector<std::string>& paths) const;

  MissingPolicy missing_;
  /// By key; nullopt if absent.
  std::map<std::string, std::optional<std::string>, std::less<>> documents_;
  std::map<std::string, std::unique_ptr<const Array>, std::less<>> arrays_;
  std::unique_ptr<const zarr::Group> group_;
  std::vector<std::shared_ptr<const Columns>> columns_;  // of the tables in arrays_
  std::vector<std::shared_ptr<const TableFields>> fields_;
  std::uint32_t next_id_ = 0;
};

}  // namespace bev::store
