#include "core/scan/fact_file.hpp"

#include <algorithm>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/scan/chunk_ranges.hpp"
#include "core/scan/facts_query.hpp"
#include "core/scan/known_tags.hpp"
#include "core/zarr/dtype.hpp"

namespace bev {
namespace {

/// Position of the times in SceneRows, after the rows.
constexpr std::size_t kTimes = 6;
constexpr std::string_view kRemedy = "; update them by bevscope index";

std::uint64_t value_at(const std::vector<std::byte>& column, std::uint64_t i) {
  return load_le<std::uint64_t>(column.data() + i * sizeof(std::uint64_t));
}

std::uint32_t checksum_at(const std::vector<std::byte>& column, std::uint64_t i) {
  return load_le<std::uint32_t>(column.data() + i * sizeof(std::uint32_t));
}

std::string path_of_facts(facts::TableKind kind, std::string_view column) {
  return joined(
      {kind == facts::TableKind::scenes ? kSceneFacts : kTrackFacts, "/", column});
}

/// Whether a column depends on the map.
bool is_of_lights(std::string_view name) {
  return name == "light" || name == "light_frame";
}

/// What the side file knows of the values in a chunk of a table of facts.
class RangesOfFacts final : public reader::Filter::Statistics {
 public:
  RangesOfFacts(const reader::Statistics& known, facts::TableKind kind,
                std::uint64_t chunk, bool hides_lights)
      : known_(known), kind_(kind), chunk_(chunk), hides_lights_(hides_lights) {}

  std::optional<reader::Range> range(std::size_t column,
                                     std::size_t element) const override {
    const auto name = facts::columns_of(kind_)[column].name;
    if (hides_lights_ && is_of_lights(name)) return std::nullopt;
    return known_.range(path_of_facts(kind_, name), chunk_, {}, element);
  }

 private:
  const reader::Statistics& known_;
  facts::TableKind kind_;
  std::uint64_t chunk_;
  bool hides_lights_;
};

std::size_t position_of(facts::TableKind kind, std::string_view name) {
  const auto all = facts::columns_of(kind);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].name == name) return i;
  }
  fail(Errc::not_found, {"facts: column ", name, ": not found"});
}

}  // namespace

/// Rows [begin, end) of a table that are in one chunk, and what is read of them.
struct FactFile::Piece {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  reader::Filter::Match match = reader::Filter::Match::some;
  std::vector<std::vector<std::byte>> needed = {};  // per column of the table
  std::vector<std::uint32_t> rows = {};
};

FactFile::FactFile(EngineState& state, Options options)
    : state_(state),
      plan_(state.store, "facts"),
      reader_(state.store, plan_),
      archive_(state.store, plan_, std::max<std::uint64_t>(options.size, 1)),
      options_(std::move(options)),
      objects_(state) {
  if (options_.size == 0) fail_with(joined({FactArchive::kKey, ": empty"}));
}

void FactFile::fail_with(std::string problem) {
  problem_ = std::move(problem);
  table_.clear();
  std::fill(kept_.begin(), kept_.end(), std::uint8_t{0});
  kept_count_ = 0;
  is_read_ = true;
  plan_.release();
}

std::vector<store::Request> FactFile::missing() {
  if (!problem_.empty()) return {};
  try {
    plan_.begin();
    reader_.begin();
    if (open() && !is_read_) is_read_ = read_rows();
    auto requests = plan_.finish();
    if (requests.empty()) plan_.release();
    return requests;
  } catch (const Error& error) {
    fail_with(error.what());
    return {};
  }
}

bool FactFile::open() {
  if (is_open_) return read_states();
  const auto* dataset = state_.dataset(reader_);
  if (dataset == nullptr) return false;
  // Only where versions tell whether they are of the files as they are.
  const bool has_statistics =
      !state_.version || KnownStatistics::read(state_, reader_) != nullptr;
  if (!archive_.open() || !has_statistics) return false;
  if (scene_rows_.empty()) bind(*dataset);
  const bool has_scenes = dataset->read_scenes(
      reader_, {0, static_cast<std::int64_t>(head_.scenes)}, scenes_);
  if (!read_frame() || !has_scenes) return false;
  count_tracks();
  is_open_ = true;
  return true;
}

/// Checks that the file is of this data set, and of these definitions and map.
void FactFile::bind(const scene::ChunkedDataset& dataset) {
  const auto* attributes = archive_.attributes();
  head_ = FactFileHead::parse(attributes == nullptr ? zarr::JsonView()
                                                    : zarr::JsonView(*attributes));
  const auto refuse = [](std::string_view what) {
    fail_at(Errc::changed, FactArchive::kKey, {what, kRemedy});
  };
  if (head_.definitions != facts::kVersion) refuse("facts of other definitions");
  const auto& map = options_.map;
  if (!map.empty() && head_.map != map) refuse("facts of another map, or of none");
  hides_lights_ = map.empty() && !head_.map.empty();
  scene_count_ = dataset.scene_count();
  if (head_.scenes > scene_count_) refuse("facts of more scenes than there are");
  auto& catalogue = state_.store.catalogue();
  const auto now = fact_sources(catalogue, dataset);
  if (now.size() != head_.sources.size()) refuse("facts of another data set");
  for (const auto& source : now) {
    const auto known =
        std::find_if(head_.sources.begin(), head_.sources.end(),
                     [&](const FactSource& one) { return one.path == source.path; });
    auto grown = source;
    if (known != head_.sources.end()) grown.length = known->length;
    if (known == head_.sources.end() || *known != grown ||
        source.length < known->length) {
      refuse("facts of another data set");
    }
  }
  objects_.bind(head_, dataset);
  scene_rows_.resize(kSceneRowColumns.size());
}

/// Reads what all selections need: where scenes and tracks are.
bool FactFile::read_frame() {
  bool complete = true;
  const auto read = [&](std::string path, std::string_view dtype, std::uint64_t count,
                        std::vector<std::byte>& out) {
    out.clear();
    const auto found = archive_.column(std::move(path), dtype, count);
    complete = archive_.read(found, 0, count, out) && complete;
  };
  for (std::size_t i = 0; i < kSceneRowColumns.size(); ++i) {
    read(joined({kSceneRows, "/", kSceneRowColumns[i]}), "<u8", head_.scenes,
         scene_rows_[i]);
  }
  complete = read_states() && complete;
  std::vector<std::byte> tracks;
  read(path_of_facts(facts::TableKind::scenes, "tracks"), "<u4", head_.scenes, tracks);
  if (!complete) return false;
  tracks_before_.assign(1, 0);
  for (std::uint64_t i = 0; i < head_.scenes; ++i) {
    tracks_before_.push_back(tracks_before_.back() + checksum_at(tracks, i));
  }
  return true;
}

/// Reads the states of the objects if they are needed.
bool FactFile::read_states() {
  if (!has_states_ && (needs_states_ || !is_published())) {
    has_states_ = objects_.read(archive_);
    return has_states_;
  }
  return true;
}

void FactFile::require_states() const {
  if (has_states_) return;
  fail(Errc::invalid_argument, {FactArchive::kKey, ": states of objects are not read"});
}

void FactFile::count_tracks() {
  if (tracks_before_.back() != head_.tracks) {
    fail_at(Errc::invalid_metadata, FactArchive::kKey,
            {"wrong number of tracks (found ", head_.tracks, ", expected ",
             tracks_before_.back(), ")"});
  }
  for (std::uint64_t i = 0; i < head_.scenes; ++i) {
    const auto rows = rows_of(i);
    for (std::size_t pair = 0; pair < kTimes; pair += 2) {
      if (rows[pair] <= rows[pair + 1]) continue;
      fail_at(Errc::invalid_metadata, FactArchive::kKey,
              {"scene ", i, ": rows end before they begin"});
    }
  }
}

SceneRows FactFile::rows_of(std::uint64_t scene) const {
  SceneRows out{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = value_at(scene_rows_[i], scene);
  }
  return out;
}

std::vector<std::string> FactFile::objects() const {
  if (!is_open_ || !problem_.empty()) return {};
  return objects_.keys();
}

bool FactFile::is_published() const {
  return problem_.empty() && is_published_as(options_.address, head_.identity);
}

std::string FactFile::mark_of(std::uint64_t scene) const {
  require_states();
  return objects_.mark_of(rows_of(scene));
}

std::optional<ObjectState> FactFile::known(std::string_view path,
                                           std::uint64_t object) const {
  if (!is_open_ || !has_states_ || !problem_.empty()) return std::nullopt;
  return objects_.known(path, object);
}

/// Whether the data set's record of a scene is the one that its facts are of.
bool FactFile::is_same_scene(std::uint64_t scene, const SceneRows& rows) const {
  const auto at = static_cast<std::size_t>(scene);
  const auto frames = scenes_.frame_index_interval[at];
  return rows[0] == static_cast<std::uint64_t>(frames.begin) &&
         rows[1] == static_cast<std::uint64_t>(frames.end) &&
         rows[kTimes] == static_cast<std::uint64_t>(scenes_.start_time[at]) &&
         rows[kTimes + 1] == static_cast<std::uint64_t>(scenes_.end_time[at]);
}

void FactFile::check(std::span<const ObjectNow> objects,
                     const reader::Statistics* statistics) {
  if (!problem_.empty()) return;
  const auto expected = head_.fact_object_count();
  if (!is_open_ || objects.size() != expected) {
    fail_with(joined({FactArchive::kKey, ": wrong number of objects (found ",
                      objects.size(), ", expected ", expected, ")"}));
    return;
  }
  require_states();
  objects_.compare(objects, statistics);
  keep_unchanged();
}

void FactFile::believe() {
  if (!is_open_ || !problem_.empty()) return;
  objects_.believe();
  keep_unchanged();
}

/// Keeps the facts of scenes whose records and objects are as they were.
void FactFile::keep_unchanged() {
  kept_.assign(static_cast<std::size_t>(head_.scenes), 0);
  kept_count_ = 0;
  for (std::uint64_t i = 0; i < head_.scenes; ++i) {
    const auto rows = rows_of(i);
    if (!is_same_scene(i, rows) || objects_.have_changed(rows)) continue;
    kept_[static_cast<std::size_t>(i)] = 1;
    ++kept_count_;
  }
  is_checked_ = true;
}

std::string FactFile::notice() const {
  if (!problem_.empty()) return joined({problem_, " (facts are computed)"});
  if (!is_checked_ || kept_count_ == scene_count_) return {};
  return joined({FactArchive::kKey, ": facts of ", scene_count_ - kept_count_, " of ",
                 scene_count_, " scenes are computed, because the data set has changed",
                 kRemedy});
}

FactFile::Scenes FactFile::from(std::uint64_t begin) const {
  const auto is_kept = [&](std::uint64_t scene) {
    return scene < kept_.size() && kept_[static_cast<std::size_t>(scene)] != 0;
  };
  Scenes out{begin, is_kept(begin)};
  // Facts of an append that follow all kept ones are one answer.
  while (out.end - begin < kMaxScenes && is_kept(out.end) == out.is_kept) ++out.end;
  return out;
}

void FactFile::select(const FactSelection& selection) {
  auto filter = facts::FactFilter(selection.table, selection.where,
                                  [&] { return known_tags(state_); });
  std::vector<std::size_t> columns;
  for (const auto& name : selection.columns) {
    columns.push_back(position_of(selection.table, name));
  }
  if (columns.empty()) {
    columns.resize(facts::columns_of(selection.table).size());
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i] = i;
  }
  table_ = facts::FactTable(selection.table);
  columns_ = std::move(columns);
  if (!problem_.empty()) return;
  if (selection.begin > selection.end || selection.end - selection.begin > kMaxScenes ||
      from(selection.begin).end < selection.end ||
      (selection.begin < selection.end && !from(selection.begin).is_kept)) {
    fail(Errc::out_of_range,
         {"facts: scenes ", selection.begin, " to ", selection.end, ": not kept"});
  }
  filter_.emplace(std::move(filter));
  selection_ = selection;
  is_read_ = false;
}

FactArchive::Column FactFile::column(std::size_t at) const {
  const auto& fact = facts::columns_of(selection_.table)[at];
  const auto length =
      selection_.table == facts::TableKind::scenes ? head_.scenes : head_.tracks;
  return archive_.column(path_of_facts(selection_.table, fact.name), fact.dtype,
                         length);
}

bool FactFile::read_column(const FactArchive::Column& column, std::size_t at,
                           const Piece& piece, std::vector<std::byte>& out) {
  const auto name = facts::columns_of(selection_.table)[at].name;
  if (hides_lights_ && is_of_lights(name)) {
    const bool is_frame = name == "light_frame";  // -1: not known
    out.insert(out.end(),
               static_cast<std::size_t>(piece.end - piece.begin) * column.size,
               is_frame ? std::byte{0xFF} : std::byte{0});
    return true;
  }
  return archive_.read(column, piece.begin, piece.end, out);
}

bool FactFile::read_rows() {
  const auto kind = selection_.table;
  const bool of_scenes = kind == facts::TableKind::scenes;
  const auto row_of = [&](std::uint64_t scene) {
    return of_scenes ? scene : tracks_before_[static_cast<std::size_t>(scene)];
  };
  const auto end = row_of(selection_.end);
  const auto chunk_rows = column(0).meta->chunk_rows();
  std::vector<Piece> pieces;
  for (auto begin = row_of(selection_.begin); begin < end;) {
    const auto chunk = begin / chunk_rows;
    Piece piece{begin, std::min(end, (chunk + 1) * chunk_rows)};
    begin = piece.end;
    piece.match = filter_->match(
        RangesOfFacts(archive_.statistics(), kind, chunk, hides_lights_));
    if (piece.match == reader::Filter::Match::none) continue;
    piece.needed.resize(facts::columns_of(kind).size());
    pieces.push_back(std::move(piece));
  }
  bool complete = true;
  for (auto& piece : pieces) {
    if (piece.match == reader::Filter::Match::all) continue;
    for (const auto at : filter_->columns()) {
      complete = read_column(column(at), at, piece, piece.needed[at]) && complete;
    }
  }
  if (!complete) return false;
  for (auto& piece : pieces) {
    const auto count = static_cast<std::size_t>(piece.end - piece.begin);
    if (piece.match == reader::Filter::Match::all) {
      for (std::size_t i = 0; i < count; ++i) {
        piece.rows.push_back(static_cast<std::uint32_t>(i));
      }
      continue;
    }
    const std::vector<std::span<const std::byte>> views(piece.needed.begin(),
                                                        piece.needed.end());
    piece.rows = filter_->select(views, count);
  }
  return take_rows(pieces);
}

std::span<const ResultArray> FactFile::results() {
  results_.clear();
  add_facts(table_, results_, columns_);
  return results_.arrays();
}

bool FactFile::take_rows(std::vector<Piece>& pieces) {
  bool complete = true;
  for (auto& piece : pieces) {
    if (piece.rows.empty()) continue;
    for (const auto at : columns_) {
      if (!piece.needed[at].empty()) continue;
      complete = read_column(column(at), at, piece, piece.needed[at]) && complete;
    }
  }
  table_.clear();
  if (!complete) return false;
  for (const auto& piece : pieces) {
    table_.rows += piece.rows.size();
    for (const auto at : columns_) {
      const auto size = column(at).size;
      const auto& from = piece.needed[at];
      auto& to = table_.columns[at];
      for (const auto row : piece.rows) {
        const auto* value = from.data() + row * size;
        to.insert(to.end(), value, value + size);
      }
    }
  }
  return true;
}

}  // namespace bev
