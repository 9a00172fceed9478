#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/save/manifest.hpp"

namespace bev::save {

/// The objects of a part, written and to be named by its next journal. Objects that the
/// written journal names are not changed, so that a killed saver resumes from it.
class PartJournal {
 public:
  PartJournal(const DataConfig& config, std::uint64_t saver);

  /// Continues with a journal that was found.
  ///
  /// @param where  its path, for messages
  /// Throws  invalid_metadata for another saver's
  void resume(Manifest found, std::string_view where);

  /// Returns the journal as it is stored.
  const Manifest& written() const noexcept { return written_; }

  /// Returns the objects of rows in no full chunk, in the order of their rows.
  std::vector<PartObject> rest(std::size_t attribute) const;

  /// Whether the written journal names an object.
  ///
  /// Throws  invalid_metadata if it names one of the same rows with other bytes
  bool is_written(std::size_t attribute, const PartObject& object) const;

  /// Adds an object to the next journal.
  ///
  /// @param is_rest  its rows are in no full chunk, and added again after drop_rest()
  void add(std::size_t attribute, const PartObject& object, bool is_rest);

  /// Removes the objects of rows in no full chunk from the next journal.
  void drop_rest();

  /// Returns the journal of all objects added.
  ///
  /// @param draft  all but the objects; arrays[i].chunk_rows is set
  /// Throws  as Manifest::parse, for a journal that could not be read
  Manifest next(Manifest draft) const;

  /// Takes `stored` as the written journal. Returns the keys that it no longer names.
  std::vector<std::string> replace(Manifest stored);

 private:
  using Objects = std::map<std::uint64_t, PartObject>;  // by first row

  DataConfig config_;
  Manifest written_;
  std::vector<Objects> full_;
  std::vector<Objects> rest_;
};

}  // namespace bev::save
