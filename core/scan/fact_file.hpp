#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/engine/result_set.hpp"
#include "core/engine/state.hpp"
#include "core/facts/select.hpp"
#include "core/reader/statistics.hpp"
#include "core/scan/fact_archive.hpp"
#include "core/scan/fact_file_head.hpp"
#include "core/scan/fact_objects.hpp"
#include "core/scene/columns.hpp"
#include "core/store/reader.hpp"

namespace bev {

/// Rows of facts to read from the side file.
struct FactSelection {
  facts::TableKind table = facts::TableKind::scenes;
  std::string where = {};                 ///< "" passes every row
  std::vector<std::string> columns = {};  ///< to return; if empty, all
  std::uint64_t begin = 0;                ///< scenes
  std::uint64_t end = 0;
};

/// The facts that `bevscope index` wrote beside a data set. Facts of scenes that have
/// changed since are not used.
///
/// They are bound to the data set by what does not change when it is copied: metadata of
/// its arrays, the records of its scenes, and size and checksum of each object. Facts of a
/// scene are used if its record is as it was, and all objects that it is in have the size
/// that they had and are not newer than the side file. The host tells both, which costs
/// no data. In an archive, their CRC-32 is compared, which its directory has. A folder's
/// files are also compared with the checksums of its statistics, where these are known to
/// be of the files as they are. Objects of arrays without compression have the same size
/// whatever they hold: without times, CRC-32 or such statistics, they count as changed.
///
///   while (auto requests = file.missing()) supply;           // opens it
///   file.check(states of file.objects());                    // or file.believe()
///   file.select(..); while (auto requests = file.missing()) supply; file.table();
///
/// Facts that are published at the data set's address are used without either: then the
/// states of its objects, a row each, are not read.
///
/// Nothing of a file that is damaged, hostile, or of another data set, version or map is
/// used: problem() then says why, and there are no rows.
///
/// Lifetime       The state outlives it.
/// Throws         select() throws the errors of facts::FactFilter, not_found for an
///                unknown column, out_of_range for scenes that are not kept. Otherwise
///                nothing but std::bad_alloc.
/// Thread safety  As the engine.
class FactFile {
 public:
  /// Scenes of one selection, at most.
  static constexpr std::uint64_t kMaxScenes = 1024;

  /// What a host knows of the file, and wants of it.
  struct Options {
    std::uint64_t size = 0;  ///< of the object FactArchive::kKey
    /// map_mark() of the map whose lights are asked for; "" for none. A file with a map
    /// also serves those who ask without.
    std::string map = {};
    std::string address = {};  ///< of the data set; "" if unknown
  };

  FactFile(EngineState& state, Options options);

  /// Returns what has to be supplied; nothing once it is open, or the rows are read.
  std::vector<store::Request> missing();

  /// Makes the file unused, because it cannot be read.
  void give_up(std::string why) { fail_with(std::move(why)); }

  /// Why the file is not used; "" if it is.
  const std::string& problem() const noexcept { return problem_; }

  /// Why facts of some scenes are not used; "" if those of all are.
  std::string notice() const;

  /// Keys of the objects that check() is to be told of.
  std::vector<std::string> objects() const;

  /// Compares the objects with those that the facts are of.
  ///
  /// @param objects     those of objects()
  /// @param statistics  of the data set as it is; by default, those of its store where
  ///                    EngineState::version shows that they are
  void check(std::span<const ObjectNow> objects,
             const reader::Statistics* statistics = nullptr);

  /// Uses the facts as if no object had changed: because is_published() says so, or
  /// for a host that calls check() later and then searches again if scenes have changed.
  void believe();

  /// Whether the data set's address has its identity as folder; see is_published_as().
  bool is_published() const;

  /// Has missing() ask for the states of the objects also if they are published, for
  /// known() and mark_of().
  void need_states() noexcept { needs_states_ = true; }

  /// The state of an object of an array when facts were computed; nullopt if unknown.
  /// That of published facts without need_states() is.
  std::optional<ObjectState> known(std::string_view path, std::uint64_t object) const;

  /// Consecutive scenes whose facts are all kept, or all not.
  struct Scenes {
    std::uint64_t end = 0;
    bool is_kept = false;
  };
  /// Returns those from `begin` on, at most kMaxScenes.
  Scenes from(std::uint64_t begin) const;

  /// Begins to read rows of scenes that are kept.
  void select(const FactSelection& selection);

  /// The selected rows; columns that were not asked for are empty.
  const facts::FactTable& table() const noexcept { return table_; }
  const std::vector<std::size_t>& columns() const noexcept { return columns_; }

  /// The columns that were asked for, as add_facts() names them.
  std::span<const ResultArray> results();

  /// The rows of a kept scene, as kSceneRowColumns.
  SceneRows rows_of(std::uint64_t scene) const;

  /// Returns a mark of a kept scene, which differs if the scene or an object that it is in
  /// does: 16 hexadecimal digits.
  ///
  /// Throws  invalid_argument for published facts without need_states()
  std::string mark_of(std::uint64_t scene) const;

  const FactFileHead& head() const noexcept { return head_; }
  std::uint64_t kept_count() const noexcept { return kept_count_; }

  /// Whether it is compared with the data set, and the number of this one's scenes.
  bool is_checked() const noexcept { return is_checked_; }
  std::uint64_t scene_count() const noexcept { return scene_count_; }

 private:
  struct Piece;

  bool open();
  void bind(const scene::ChunkedDataset& dataset);
  bool read_frame();
  bool read_states();
  void require_states() const;
  void count_tracks();
  bool is_same_scene(std::uint64_t scene, const SceneRows& rows) const;
  void keep_unchanged();
  bool read_rows();
  bool take_rows(std::vector<Piece>& pieces);
  bool read_column(const FactArchive::Column& column, std::size_t at,
                   const Piece& piece, std::vector<std::byte>& out);
  FactArchive::Column column(std::size_t at) const;
  void fail_with(std::string problem);

  EngineState& state_;
  store::Plan plan_;
  store::Reader reader_;
  FactArchive archive_;
  Options options_;
  std::string problem_;
  FactFileHead head_;
  bool hides_lights_ = false;
  bool is_open_ = false;
  bool needs_states_ = false;
  bool has_states_ = false;
  bool is_checked_ = false;
  FactObjects objects_;
  scene::SceneColumns scenes_;                      // as they are now
  std::vector<std::vector<std::byte>> scene_rows_;  // kSceneRowColumns
  std::vector<std::uint64_t> tracks_before_;        // per scene, and their number
  std::vector<std::uint8_t> kept_;                  // per scene
  std::uint64_t kept_count_ = 0;
  std::uint64_t scene_count_ = 0;

  std::optional<facts::FactFilter> filter_;
  FactSelection selection_;
  std::vector<std::size_t> columns_;
  facts::FactTable table_{facts::TableKind::scenes};
  ResultSet results_;
  bool is_read_ = true;
};

}  // namespace bev
