#include "core/futures/own_csv.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"
#include "core/map/wire.hpp"

namespace bev::futures {
namespace {

constexpr std::array<const char*, kCsvColumns> kNames{
    "scenario_id", "track_id", "step", "x",      "y",     "mode",
    "probability", "z",        "yaw",  "length", "width", "height"};
constexpr std::size_t kRequired = 5;
constexpr std::uint64_t kCsvWindow = std::uint64_t{1} << 20U;

using Cells = std::vector<std::string_view>;

/// Splits a line at its commas; false if a quoted cell contains quotes or does not end.
bool split_cells(std::string_view line, Cells& out) {
  out.clear();
  for (;;) {
    std::size_t end = 0;
    if (line.starts_with('"')) {
      const auto close = line.find('"', 1);
      if (close == std::string_view::npos) return false;
      out.push_back(line.substr(1, close - 1));
      end = close + 1;
      if (end < line.size() && line[end] != ',') return false;
    } else {
      end = std::min(line.find(','), line.size());
      out.push_back(line.substr(0, end));
    }
    if (end == line.size()) return true;
    line.remove_prefix(end + 1);
  }
}

std::string_view without_end(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

/// The columns of a file, and what its comments state.
class CsvForm final : public OwnForm {
 public:
  std::array<std::optional<std::size_t>, kCsvColumns> columns{};
  std::size_t width = 0;
  bool is_joint = true;

  bool has(CsvColumn column) const {
    return columns[static_cast<std::size_t>(column)].has_value();
  }

  std::string_view cell(const Cells& cells, CsvColumn column) const {
    const auto at = columns[static_cast<std::size_t>(column)];
    return at ? cells[*at] : std::string_view();
  }

  FuturesData read(std::string_view bytes, const ScenarioRange& scenario,
                   const Limits& limits) const override;
  bool may_have_side_file() const noexcept override { return true; }
};

namespace {

/// Reads the rows of a scenario, twice: before the second time, the arrays are allocated.
class CsvScenario {
 public:
  CsvScenario(const CsvForm& form, const Limits& limits)
      : form_(form), limits_(limits) {}

  FuturesData read(std::string_view bytes, const ScenarioRange& scenario) {
    out_.scenario_id = scenario.id;
    each_row(bytes, [&] { count(); });
    allocate();
    each_row(bytes, [&] { copy(); });
    if (std::find(out_.valid.begin(), out_.valid.end(), 0) == out_.valid.end()) {
      out_.valid.clear();
    }
    join_scores();
    return std::move(out_);
  }

 private:
  /// The place of a pose.
  struct Place {
    std::size_t agent = 0, mode = 0;
    std::int64_t step = 0;
  };

  [[noreturn]] void refuse(Message problem) const {
    fail(Errc::invalid_metadata, {"row ", row_, ": ", joined(problem)});
  }

  template <class Take>
  void each_row(std::string_view bytes, Take take) {
    row_ = 0;
    while (!bytes.empty()) {
      const auto size = std::min(bytes.find('\n'), bytes.size() - 1) + 1;
      const auto line = without_end(bytes.substr(0, size));
      bytes.remove_prefix(size);
      if (line.empty() || line.starts_with('#')) continue;
      if (!split_cells(line, cells_) || cells_.size() != form_.width) {
        refuse({"wrong number of cells (found ", cells_.size(), ", expected ",
                form_.width, ")"});
      }
      take();
      ++row_;
    }
  }

  std::int64_t integer(CsvColumn column) const {
    const auto text = form_.cell(cells_, column);
    std::int64_t out = 0;
    const auto* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, out);
    if (error == std::errc() && at == end && !text.empty()) return out;
    refuse({kNames[static_cast<std::size_t>(column)], ": not a whole number (found \"",
            text, "\")"});
  }

  float real(CsvColumn column) const {
    const auto text = form_.cell(cells_, column);
    const auto value = parse_real(text);
    if (value && std::abs(*value) <= kMaxValue) return static_cast<float>(*value);
    refuse({kNames[static_cast<std::size_t>(column)],
            ": not a finite number, or too large (found \"", text, "\")"});
  }

  /// Returns the place of the row's pose; a new agent gets the next number.
  Place place() {
    Place out;
    out.agent = agent_of(form_.cell(cells_, CsvColumn::track_id));
    out.step = integer(CsvColumn::step);
    if (std::abs(out.step) > kMaxFirstStep) refuse({"step: too large"});
    if (form_.has(CsvColumn::mode)) {
      const auto mode = integer(CsvColumn::mode);
      if (mode < 0) refuse({"mode: negative (found ", mode, ")"});
      out.mode =
          static_cast<std::size_t>(std::min<std::int64_t>(mode, std::int64_t{1} << 30));
    }
    return out;
  }

  std::size_t agent_of(std::string_view text) {
    const auto id = own_agent_id(text);
    if (!id) {
      refuse({"track_id: neither a whole number nor AV (found \"", text, "\")"});
    }
    const auto [found, is_new] = agents_.emplace(*id, out_.ids.size());
    if (is_new) out_.ids.push_back(*id);
    return found->second;
  }

  /// Finds the modes, agents and steps that there are.
  void count() {
    const auto id = form_.cell(cells_, CsvColumn::scenario_id);
    if (id != out_.scenario_id) refuse({"of another scenario (found ", id, ")"});
    const auto at = place();
    check_limits(at.mode + 1, out_.ids.size(), 1, 1, limits_);
    out_.rollouts = std::max(out_.rollouts, at.mode + 1);
    if (row_ == 0) base_ = out_.first_step = last_ = at.step;
    stride_ = std::gcd(stride_, at.step - base_);
    out_.first_step = std::min(out_.first_step, at.step);
    last_ = std::max(last_, at.step);
  }

  void allocate() {
    if (row_ == 0) fail(Errc::invalid_metadata, {"no rows"});
    const auto stride = std::max<std::int64_t>(stride_, 1);
    if (stride > kMaxStride) fail(Errc::limit_exceeded, {"steps are too far apart"});
    out_.step_stride = static_cast<std::uint32_t>(stride);
    out_.steps = static_cast<std::size_t>((last_ - out_.first_step) / stride) + 1;
    out_.pose_values = form_.has(CsvColumn::yaw) ? 4 : 2;
    out_.is_joint = form_.is_joint;
    check_limits(out_.rollouts, out_.ids.size(), out_.steps, out_.pose_values, limits_);
    const auto count = out_.rollouts * out_.ids.size() * out_.steps;
    if (count > kSparseCsvPoses && count / kMaxCsvPosesPerRow > row_) {
      fail(Errc::limit_exceeded,
           {"too few rows for its modes, agents and steps (found ", row_, " rows for ",
            count, " poses)"});
    }
    out_.poses.resize(count * out_.pose_values);
    out_.valid.resize(count);
    if (form_.has(CsvColumn::length)) out_.sizes.resize(count * out_.size_values);
    if (form_.has(CsvColumn::probability)) {
      out_.scores.assign(out_.rollouts * out_.ids.size(),
                         std::numeric_limits<float>::quiet_NaN());
    }
  }

  void copy() {
    const auto at = place();
    const auto step =
        static_cast<std::size_t>((at.step - out_.first_step) / out_.step_stride);
    const auto pair = at.mode * out_.ids.size() + at.agent;
    const auto refuse_pose = [&](const char* problem) {
      fail(Errc::invalid_metadata, {"mode ", at.mode, ", agent ", out_.ids[at.agent],
                                    ", step ", at.step, ": ", problem});
    };
    auto& valid = out_.valid[pair * out_.steps + step];
    if (valid != 0) refuse_pose("occurs twice");
    valid = 1;
    const auto set = [&](std::vector<float>& to, std::size_t values, std::size_t v,
                         CsvColumn column) {
      if (!form_.has(column)) return;
      auto& value = to[(pair * values + v) * out_.steps + step];
      value = real(column);
      if (&to == &out_.sizes && value < 0) refuse_pose("a size is negative");
    };
    set(out_.poses, out_.pose_values, kX, CsvColumn::x);
    set(out_.poses, out_.pose_values, kY, CsvColumn::y);
    if (out_.pose_values == 4) {
      set(out_.poses, 4, kZ, CsvColumn::z);
      set(out_.poses, 4, kYaw, CsvColumn::yaw);
    }
    if (!out_.sizes.empty()) {
      set(out_.sizes, out_.size_values, kLength, CsvColumn::length);
      set(out_.sizes, out_.size_values, kWidth, CsvColumn::width);
      set(out_.sizes, out_.size_values, kHeight, CsvColumn::height);
    }
    if (out_.scores.empty()) return;
    auto& score = out_.scores[pair];
    const float found = real(CsvColumn::probability);
    if (!std::isnan(score) && score != found) {
      refuse_pose("another probability than in the rows before");
    }
    score = found;
  }

  /// Keeps one score per rollout where all agents have the same; absent ones are 0.
  void join_scores() {
    for (auto& score : out_.scores) score = std::isnan(score) ? 0 : score;
    const auto agents = out_.ids.size();
    bool is_same = out_.is_joint;
    for (std::size_t i = 0; is_same && i < out_.scores.size(); ++i) {
      is_same = out_.scores[i] == out_.scores[i - i % agents];
    }
    if (!is_same || out_.scores.empty()) return;
    for (std::size_t r = 0; r < out_.rollouts; ++r) {
      out_.scores[r] = out_.scores[r * agents];
    }
    out_.scores.resize(out_.rollouts);
  }

  const CsvForm& form_;
  const Limits& limits_;
  FuturesData out_;
  Cells cells_;
  std::uint64_t row_ = 0;
  std::int64_t base_ = 0, last_ = 0, stride_ = 0;
  std::unordered_map<std::uint64_t, std::size_t> agents_;
};

}  // namespace

FuturesData CsvForm::read(std::string_view bytes, const ScenarioRange& scenario,
                          const Limits& limits) const {
  return CsvScenario(*this, limits).read(bytes, scenario);
}

std::shared_ptr<const OwnForm> csv_form(std::string name, std::string_view head) {
  CsvIndexer indexer(std::move(name), head.size());
  std::uint64_t begin = 0;
  while (!head.empty()) {
    const auto size = std::min(head.find('\n'), head.size() - 1) + 1;
    ++indexer.line_;
    indexer.take_line(head.substr(0, size), begin);
    begin += size;
    head.remove_prefix(size);
  }
  if (indexer.form_->width == 0) indexer.refuse({"no header"});
  return indexer.form_;
}

CsvIndexer::CsvIndexer(std::string name, std::uint64_t file_size)
    : form_(std::make_shared<CsvForm>()), size_(file_size) {
  out_.name = std::move(name);
}

void CsvIndexer::refuse(Message problem) const {
  fail_at(Errc::invalid_metadata, out_.name, {"line ", line_, ": ", joined(problem)});
}

std::optional<ByteRange> CsvIndexer::missing() const {
  if (is_complete_) return std::nullopt;
  return ByteRange{at_, std::min(at_ + kCsvWindow, size_)};
}

void CsvIndexer::supply(std::span<const std::byte> bytes) {
  const auto expected = missing().value().size();
  if (bytes.size() != expected) {
    fail_at(Errc::corrupt_chunk, out_.name,
            {"wrong length (found ", bytes.size(), " bytes, expected ", expected, ")"});
  }
  auto begin = at_ - begun_.size();
  begun_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  at_ += bytes.size();
  std::string_view rest = begun_;
  for (;;) {
    const auto end = rest.find('\n');
    const bool is_last = end == std::string_view::npos;
    const auto size = is_last ? rest.size() : end + 1;
    if (size > kMaxCsvLine) {
      fail_at(Errc::limit_exceeded, out_.name,
              {"line ", line_ + 1, ": too long (expected at most ", kMaxCsvLine,
               " bytes)"});
    }
    if (rest.empty() || (is_last && at_ < size_)) break;
    ++line_;
    take_line(rest.substr(0, size), begin);
    begin += size;
    rest.remove_prefix(size);
  }
  begun_.assign(std::string(rest));
  if (at_ == size_) finish();
}

void CsvIndexer::take_comment(std::string_view text) {
  const auto value_of = [&](std::string_view key) {
    return text.starts_with(key) ? std::optional(text.substr(key.size()))
                                 : std::nullopt;
  };
  if (const auto name = value_of("# name: ")) {
    out_.card.method = map::checked_utf8(*name, "name");
  }
  if (const auto joint = value_of("# joint: ")) {
    if (*joint != "true" && *joint != "false") {
      refuse({"joint: neither true nor false (found \"", *joint, "\")"});
    }
    form_->is_joint = *joint == "true";
  }
}

void CsvIndexer::take_header(std::string_view line) {
  Cells names;
  if (!split_cells(line, names)) refuse({"quotes within a cell are not supported"});
  form_->width = names.size();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto* const found = std::find(kNames.begin(), kNames.end(), names[i]);
    if (found == kNames.end()) continue;
    auto& column = form_->columns[static_cast<std::size_t>(found - kNames.begin())];
    if (column) refuse({"column ", names[i], " occurs twice"});
    column = i;
  }
  for (std::size_t i = 0; i < kRequired; ++i) {
    if (!form_->columns[i]) refuse({"column ", kNames[i], " is missing"});
  }
  if (form_->has(CsvColumn::length) != form_->has(CsvColumn::width)) {
    refuse({"columns length and width go together"});
  }
}

void CsvIndexer::take_line(std::string_view line, std::uint64_t begin) {
  const auto end = begin + line.size();
  line = without_end(line);
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  if (begin == 0 && line.starts_with(kMark)) line.remove_prefix(kMark.size());
  if (line.empty()) return;
  if (line.starts_with('#')) return take_comment(line);
  if (form_->width == 0) return take_header(line);
  Cells cells;
  if (!split_cells(line, cells)) refuse({"quotes within a cell are not supported"});
  if (cells.size() != form_->width) {
    refuse({"wrong number of cells (found ", cells.size(), ", expected ", form_->width,
            ")"});
  }
  const auto id = form_->cell(cells, CsvColumn::scenario_id);
  if (out_.scenarios.empty() || out_.scenarios.back().id != id) {
    if (id.empty() || id.size() > kMaxScenarioIdBytes) {
      refuse({"scenario_id is empty, or too long"});
    }
    if (out_.scenarios.size() == kMaxScenarios) {
      fail_at(Errc::limit_exceeded, out_.name,
              {"too many scenarios (expected at most ", kMaxScenarios, ")"});
    }
    map::checked_utf8(id, "scenario_id");
    out_.scenarios.push_back({std::string(id), {begin, end}});
  }
  auto& scenario = out_.scenarios.back();
  scenario.bytes.end = end;
  if (scenario.bytes.size() > kMaxCsvScenario) {
    fail_at(Errc::limit_exceeded, out_.name,
            {"scenario ", id, ": too large (expected at most ", kMaxCsvScenario,
             " bytes)"});
  }
}

void CsvIndexer::finish() {
  check_scenarios(out_,
                  "futures in our CSV form; rows of a scenario must follow one "
                  "another");
  out_.kind = form_->is_joint ? SubmissionKind::futures : SubmissionKind::predictions;
  out_.own = form_;
  is_complete_ = true;
}

SubmissionShard CsvIndexer::take() {
  return std::move(out_);
}

}  // namespace bev::futures
