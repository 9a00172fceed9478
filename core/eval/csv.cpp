#include "core/eval/csv.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"
#include "core/eval/csv_table.hpp"

namespace bev::eval {

namespace {

constexpr std::string_view kLineEnd = "\r\n";

[[noreturn]] void refuse(Message what) {
  fail(Errc::invalid_argument, what);
}

std::vector<std::string> names(const std::string& head, std::size_t count) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(head + std::to_string(i));
  return out;
}

/// Returns "coord_x00", "coord_y00", "coord_x01", ... of one mode.
std::vector<std::string> coord_names(std::size_t mode, std::size_t steps) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < steps; ++i) {
    const auto place = std::to_string(mode) + std::to_string(i);
    out.push_back("coord_x" + place);
    out.push_back("coord_y" + place);
  }
  return out;
}

std::string line_of(const std::vector<std::vector<std::string>>& groups) {
  std::string line = "timestamp,track_id";
  for (const auto& group : groups) {
    for (const auto& name : group) line += "," + name;
  }
  return line.append(kLineEnd);
}

std::string five_decimals(double value) {
  std::array<char, 400> text{};  // the largest double has 309 digits before the point
  std::snprintf(text.data(), text.size(), "%.5f", value);
  return text.data();
}

void append_key(std::string& out, std::int64_t timestamp, std::int64_t track_id) {
  out += std::to_string(timestamp) + "," + std::to_string(track_id);
}

/// Returns the indices of the named columns.
std::vector<std::size_t> columns(const CsvTable& table,
                                 const std::vector<std::string>& wanted) {
  std::vector<std::size_t> out;
  out.reserve(wanted.size());
  for (const auto& name : wanted) out.push_back(table.column(name));
  return out;
}

void read_cells(const CsvTable& table, const std::vector<std::size_t>& from,
                std::vector<double>& out) {
  for (const auto column : from) out.push_back(table.real(column));
}

/// Returns the number of steps of a table with `others` plus `per_step` columns per
/// step.
std::size_t steps_of(const CsvTable& table, const std::string& name, std::size_t others,
                     std::size_t per_step) {
  const auto width = table.width();
  if (width < others || (width - others) % per_step != 0) {
    refuse({name, ": wrong number of columns (found ", width, ", expected ", others,
            " and ", per_step, " per step)"});
  }
  return (width - others) / per_step;
}

/// The columns of a record's weights and coordinates.
struct Sources {
  std::vector<std::size_t> weights;
  std::vector<std::size_t> coords;
};

/// Reads the remaining rows of a table; calls `check` for each.
template <class Record, class Check>
std::vector<Record> read_records(CsvTable& table, std::vector<double> Record::*weights,
                                 const Sources& from, const Check& check) {
  const auto timestamp = table.column("timestamp");
  const auto track_id = table.column("track_id");
  std::vector<Record> out;
  while (table.next()) {
    Record record;
    record.timestamp = table.integer(timestamp);
    record.track_id = table.integer(track_id);
    read_cells(table, from.weights, record.*weights);
    read_cells(table, from.coords, record.coords);
    check(record);
    out.push_back(std::move(record));
  }
  return out;
}

double sum_of(const std::vector<double>& confidences) {
  double sum = 0;
  for (const auto confidence : confidences) sum += confidence;
  return sum;
}

/// As numpy.allclose.
bool sums_to_one(double sum) {
  return std::fabs(sum - 1) <= 1e-5 + 1e-8;
}

void check_shape_and_sum(const Prediction& record, std::size_t steps,
                         std::size_t max_modes) {
  const auto modes = record.modes();
  const auto who = "prediction of track " + std::to_string(record.track_id) + ": ";
  if (modes > max_modes || record.coords.size() != 2 * modes * steps) {
    refuse({who, "wrong shape (found ", record.coords.size(), " coordinates of ", modes,
            " modes, expected ", 2 * steps, " for each of at most ", max_modes, ")"});
  }
  const double sum = sum_of(record.confidences);
  if (!sums_to_one(sum)) {
    refuse({who, "confidences do not sum to 1 (found ", python_repr(sum), ")"});
  }
}

Sources prediction_sources(const CsvTable& table, const std::string& name,
                           std::size_t modes) {
  const auto steps = steps_of(table, name, 2 + modes, 2 * modes);
  Sources out{columns(table, names("conf_", modes)), {}};
  for (std::size_t mode = 0; mode < modes; ++mode) {
    const auto more = columns(table, coord_names(mode, steps));
    out.coords.insert(out.coords.end(), more.begin(), more.end());
  }
  return out;
}

/// Returns the problem in words, or an empty string.
std::string what_is_wrong(const Prediction& record) {
  const auto finite = [](double value) { return std::isfinite(value); };
  const auto& confidences = record.confidences;
  if (!std::all_of(record.coords.begin(), record.coords.end(), finite) ||
      !std::all_of(confidences.begin(), confidences.end(), finite)) {
    return "a value is not finite";
  }
  const auto least = std::min_element(confidences.begin(), confidences.end());
  if (least != confidences.end() && *least < 0) {
    return joined({"negative confidence (found ", python_repr(*least), ")"});
  }
  const double sum = sum_of(confidences);
  if (sums_to_one(sum)) return {};
  return joined({"confidences do not sum to 1 (found ", python_repr(sum), ")"});
}

}  // namespace

std::string write_gt_csv(std::span<const GroundTruth> records, std::size_t steps) {
  auto out = line_of({names("avail_", steps), coord_names(0, steps)});
  for (const auto& record : records) {
    if (record.steps() != steps || record.coords.size() != 2 * steps) {
      refuse({"ground truth of track ", record.track_id, ": wrong shape (found ",
              record.steps(), " steps and ", record.coords.size(),
              " coordinates, expected ", steps, " and ", 2 * steps, ")"});
    }
    append_key(out, record.timestamp, record.track_id);
    for (const auto value : record.availabilities) out += "," + python_repr(value);
    for (const auto value : record.coords) out += "," + five_decimals(value);
    out += kLineEnd;
  }
  return out;
}

std::vector<GroundTruth> read_gt_csv(std::string_view text, const std::string& name) {
  CsvTable table(text, name);
  const auto steps = steps_of(table, name, 2, 3);
  return read_records(
      table, &GroundTruth::availabilities,
      {columns(table, names("avail_", steps)), columns(table, coord_names(0, steps))},
      [](const GroundTruth&) {});
}

std::string write_pred_csv(std::span<const Prediction> records, std::size_t steps,
                           std::size_t max_modes) {
  std::vector<std::vector<std::string>> groups{names("conf_", max_modes)};
  for (std::size_t mode = 0; mode < max_modes; ++mode) {
    groups.push_back(coord_names(mode, steps));
  }
  auto out = line_of(groups);
  for (const auto& record : records) {
    check_shape_and_sum(record, steps, max_modes);
    append_key(out, record.timestamp, record.track_id);
    for (std::size_t mode = 0; mode < max_modes; ++mode) {
      out += "," + python_repr(mode < record.modes() ? record.confidences[mode] : 0);
    }
    for (std::size_t i = 0; i < 2 * max_modes * steps; ++i) {
      out += "," + five_decimals(i < record.coords.size() ? record.coords[i] : 0);
    }
    out += kLineEnd;
  }
  return out;
}

std::vector<Prediction> read_pred_csv(std::string_view text, const std::string& name,
                                      std::size_t max_modes) {
  if (max_modes == 0) refuse({name, ": max_modes must not be 0"});
  CsvTable table(text, name);
  return read_records(table, &Prediction::confidences,
                      prediction_sources(table, name, max_modes),
                      [](const Prediction&) {});
}

PredictionReader::PredictionReader(std::string name, PredictionLimits limits,
                                   MemoryShare share)
    : name_(name), limits_(limits), share_(std::move(share)), table_(std::move(name)) {}

void PredictionReader::add(std::string_view piece) {
  while (!piece.empty()) {
    const auto end = piece.find('\n');
    const auto line = piece.substr(0, end);
    check_length(begun_.size() + line.size());
    piece.remove_prefix(end == std::string_view::npos ? piece.size() : end + 1);
    if (end != std::string_view::npos && begun_.empty()) {
      take(line);
      continue;
    }
    begun_ += line;
    if (end == std::string_view::npos) return;
    take(begun_);
    begun_.clear();
  }
}

std::vector<Prediction> PredictionReader::finish() {
  if (!begun_.empty()) take(begun_);
  begun_.clear();
  table_.require_header();
  return std::move(out_);
}

void PredictionReader::take(std::string_view line) {
  if (!table_.take(line)) {
    if (table_.width() > 0 && columns_.confidences.empty()) find_columns();
    return;
  }
  Prediction record;
  record.timestamp = table_.integer(columns_.timestamp);
  record.track_id = table_.integer(columns_.track_id);
  const auto values = columns_.confidences.size() + columns_.coords.size();
  reserve(sizeof(Prediction) + values * sizeof(double));
  record.confidences.reserve(columns_.confidences.size());
  record.coords.reserve(columns_.coords.size());
  read_cells(table_, columns_.confidences, record.confidences);
  read_cells(table_, columns_.coords, record.coords);
  const auto wrong = what_is_wrong(record);
  if (!wrong.empty()) table_.refuse({wrong});
  out_.push_back(std::move(record));
}

void PredictionReader::find_columns() {
  std::size_t modes = 0;
  while (table_.has("conf_" + std::to_string(modes))) ++modes;
  if (modes == 0) {
    fail(Errc::missing_key, {name_,
                             ": column conf_0 not found (expected L5Kit's timestamp, "
                             "track_id, conf_0, ..., coord_x00, coord_y00, ...)"});
  }
  auto [weights, coords] = prediction_sources(table_, name_, modes);
  columns_ = {table_.column("timestamp"), table_.column("track_id"), std::move(weights),
              std::move(coords)};
}

void PredictionReader::reserve(std::size_t bytes) {
  memory_ += bytes;
  if (memory_ > limits_.memory) {
    fail(Errc::limit_exceeded,
         {name_, " line ", table_.lines(), ": predictions are too large (found ",
          memory_, " bytes, expected at most ", limits_.memory, ")"});
  }
  if (share_.grow(bytes)) return;
  fail(Errc::limit_exceeded,
       {name_, " line ", table_.lines(),
        ": all open predictions together are too large (expected at most ",
        share_.limit(), " bytes); remove a model"});
}

void PredictionReader::check_length(std::size_t bytes) const {
  if (bytes <= limits_.line) return;
  fail(Errc::limit_exceeded,
       {name_, " line ", table_.lines() + 1, ": line is too long (found ", bytes,
        " bytes or more, expected at most ", limits_.line, ")"});
}

void check_prediction(const Prediction& prediction, std::size_t modes,
                      std::size_t steps) {
  const auto who = "prediction of track " + std::to_string(prediction.track_id) + ": ";
  if (prediction.modes() != modes || prediction.coords.size() != 2 * modes * steps) {
    refuse({who, "wrong shape (found ", prediction.modes(), " modes and ",
            prediction.coords.size(), " coordinates, expected ", modes, " and ",
            2 * modes * steps, ")"});
  }
  const auto wrong = what_is_wrong(prediction);
  if (!wrong.empty()) refuse({who, wrong});
}

}  // namespace bev::eval
