#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/save/documents.hpp"

namespace bev::save {

/// What happens to a data set that is at the store's path when rows are saved.
enum class SaveMode {
  create,   ///< nothing may be there
  append,   ///< the new rows follow its rows
  replace,  ///< commit replaces it
};

/// Returns the mode with this name: "create", "append" or "replace".
///
/// Throws  invalid_argument for another name
SaveMode save_mode(std::string_view name);

/// What the savers of a store have agreed on.
struct SaveSettings {
  DataConfig config;
  SaveMode mode;
  std::string base;  ///< identity of the commit that is appended to or replaced

  std::string to_json() const;

  /// @param where  its path, for messages
  /// Throws  invalid_metadata for what to_json() does not write
  static SaveSettings parse(std::string_view json, std::string_view where);
};

/// Returns the settings of the first saver of a store.
///
/// @param found  the data set that is there, if any
/// Throws  invalid_argument for one of another config in mode append, and for any in
///         mode create
SaveSettings first_settings(const DataConfig& config, SaveMode mode,
                            const std::optional<Committed>& found,
                            std::string_view where);

/// Compares the settings of savers that have begun with those of another saver.
///
/// Throws  invalid_argument for another config or mode
void check_settings(const SaveSettings& found, const DataConfig& config, SaveMode mode,
                    std::string_view where);

/// Checks before a commit that the store is as it was when the savers began.
///
/// @param found  identity of the data set that is there; "": none
/// Throws  changed if it was replaced
void check_base(const SaveSettings& settings, std::string_view found,
                std::string_view where);

/// Returns the name of a saver's part: "000012".
std::string part_name(std::uint64_t saver);

/// Returns the saver of a part's name; nullopt for other names.
std::optional<std::uint64_t> saver_of(std::string_view name);

}  // namespace bev::save
