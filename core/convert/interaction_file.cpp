#include <algorithm>
#include <optional>
#include <span>
#include <unordered_set>

#include "core/base/error.hpp"
#include "core/convert/interaction.hpp"
#include "core/convert/interaction_rows.hpp"

namespace bev::convert {
namespace {

using interaction::Columns;

constexpr std::size_t kWindow = std::size_t{1} << 20U;
constexpr std::string_view kVehicles = "vehicle_tracks_",
                           kPedestrians = "pedestrian_tracks_";

/// Returns a path's folder, with "/" at its end.
std::string_view folder_of(std::string_view path) {
  return path.substr(0, path.rfind('/') + 1);
}

/// Returns the name of a path's file without what follows the last ".".
std::string_view stem_of(std::string_view path) {
  const auto name = path.substr(folder_of(path).size());
  return name.substr(0, name.rfind('.'));
}

bool is_recording(std::string_view stem) {
  return stem.starts_with(kVehicles) || stem.starts_with(kPedestrians);
}

/// Finds the cases of a file, line by line.
class CaseFinder {
 public:
  InteractionCases run(std::uint64_t file_size, const ReadAt& read_at) {
    std::string window;
    std::uint64_t begin = 0;
    for (bool is_end = false; !is_end;) {
      const auto kept = window.size();
      const auto wanted = std::min<std::uint64_t>(kWindow, file_size - begin - kept);
      window.resize(kept + static_cast<std::size_t>(wanted));
      const auto read = read_at(
          begin + kept, std::as_writable_bytes(std::span(window).subspan(kept)));
      window.resize(kept + read);
      is_end = read < wanted || begin + window.size() >= file_size;
      const auto taken = take_lines(window, begin, is_end);
      window.erase(0, taken);
      begin += taken;
    }
    if (!columns_) refuse();
    return std::move(out_);
  }

 private:
  [[noreturn]] static void refuse() {
    fail(Errc::unsupported, {"not a track file of INTERACTION"});
  }

  /// Takes the lines of a window, also an incomplete last one at the end of the file.
  /// Returns their bytes.
  std::size_t take_lines(std::string_view window, std::uint64_t begin, bool is_end) {
    std::size_t at = 0;
    while (at < window.size()) {
      const auto found = window.find('\n', at);
      const auto end = std::min(found, window.size());
      if (end - at > kMaxTrackLine) {
        fail(Errc::limit_exceeded, {"line ", line_ + 1, ": too long"});
      }
      if (found == window.npos && !is_end) break;
      const auto next = std::min(end + 1, window.size());
      take_line(window.substr(at, end - at), begin + at, begin + next);
      at = next;
    }
    return at;
  }

  void take_line(std::string_view line, std::uint64_t begin, std::uint64_t end) {
    ++line_;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!columns_) {
      if (!is_interaction(line)) refuse();
      columns_.emplace(line);
      out_.header = line;
      return;
    }
    if (line.empty()) return;
    const auto id = columns_->cell(line, interaction::Column::case_id);
    if (out_.cases.empty() || id != case_) begin_case(id, begin);
    out_.cases.back().size = end - out_.cases.back().offset;
  }

  void begin_case(std::string_view id, std::uint64_t begin) {
    case_ = id;
    if (!seen_.insert(case_).second) {
      fail(Errc::invalid_metadata, {"line ", line_, ": rows of case ",
                                    interaction::printable_name(id), " are apart"});
    }
    if (out_.cases.size() == kMaxRecords) {
      fail(Errc::limit_exceeded, {"more than ", kMaxRecords, " cases"});
    }
    out_.cases.push_back({begin, 0});
  }

  InteractionCases out_;
  std::optional<Columns> columns_;
  std::unordered_set<std::string> seen_;
  std::string case_;
  std::uint64_t line_ = 0;
};

}  // namespace

bool is_interaction(std::string_view head) {
  const auto line = interaction::take_line(head);
  if (line.size() > kMaxTrackLine) return false;
  try {
    return Columns(line).are_complete();
  } catch (const Error&) {
    return false;
  }
}

std::string interaction_location(std::string_view tracks) {
  const auto stem = stem_of(tracks);
  if (!is_recording(stem)) return std::string(stem.substr(0, stem.rfind('_')));
  auto folder = folder_of(tracks);
  if (!folder.empty()) folder.remove_suffix(1);
  return std::string(folder.substr(folder_of(folder).size()));
}

std::string interaction_pedestrians(std::string_view tracks) {
  const auto folder = folder_of(tracks), name = tracks.substr(folder.size());
  if (!name.starts_with(kVehicles)) return {};
  return std::string(folder) + std::string(kPedestrians) +
         std::string(name.substr(kVehicles.size()));
}

std::string interaction_map(std::string_view tracks,
                            std::span<const std::string> maps) {
  const auto stem = stem_of(tracks);
  const auto location = interaction_location(tracks);
  std::string out;
  std::size_t longest = 0;
  for (const auto& map : maps) {
    const auto name = stem_of(map);
    if (!map.ends_with(".osm") || name.size() <= longest) continue;
    const bool is_begin =
        stem.starts_with(name) && stem.substr(name.size()).starts_with('_');
    if (is_recording(stem) ? name != location : name != stem && !is_begin) continue;
    longest = name.size();
    out = map;
  }
  return out;
}

InteractionCases find_cases(std::uint64_t file_size, const ReadAt& read_at) {
  return CaseFinder().run(file_size, read_at);
}

}  // namespace bev::convert
