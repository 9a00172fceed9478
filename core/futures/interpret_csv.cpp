#include "core/futures/interpret_csv.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"
#include "core/futures/own_csv.hpp"
#include "core/map/wire.hpp"

namespace bev::futures {
namespace {

constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);
constexpr std::size_t kMaxNameBytes = 64;

/// Returns an id without the decimals of a whole number: "1" of "1.0".
std::string_view whole_id(std::string_view text) {
  const auto point = text.find('.');
  const bool is_whole =
      point != std::string_view::npos && point > 0 &&
      text.find_first_not_of("0123456789") == point &&
      text.find_first_not_of('0', point + 1) == std::string_view::npos;
  return is_whole ? text.substr(0, point) : text;
}

/// Returns "NAME" of ".../NAME_sub.csv".
std::string_view set_name_of(std::string_view file) {
  file.remove_prefix(std::min(file.find_last_of("/\\") + 1, file.size()));
  file = file.substr(0, file.find('.'));
  constexpr std::string_view kEnd = "_sub";
  if (file.ends_with(kEnd)) file.remove_suffix(kEnd.size());
  return file;
}

}  // namespace

std::string interpret_id(std::string_view name, std::string_view case_id) {
  return joined({name, "/", whole_id(case_id)});
}

bool is_interpret(std::string_view head) {
  const auto header = head.substr(0, head.find('\n'));
  return header.find("case_id") != std::string_view::npos &&
         header.find("x1") != std::string_view::npos &&
         header.find("scenario_id") == std::string_view::npos;
}

/// The columns of a file.
class InterpretForm final : public OwnForm {
 public:
  struct Mode {
    std::size_t x = kAbsent, y = kAbsent, yaw = kAbsent;
  };

  std::size_t width = 0;
  std::size_t case_id = kAbsent, track_id = kAbsent, frame_id = kAbsent;
  std::size_t is_predicted = kAbsent, is_interesting = kAbsent;
  std::vector<Mode> modes;

  bool has_yaw() const { return modes.front().yaw != kAbsent; }

  FuturesData read(std::string_view bytes, const ScenarioRange& scenario,
                   const Limits& limits) const override;
};

namespace {

/// Reads the rows of a case, twice: before the second time, the arrays are allocated.
class InterpretCase {
 public:
  InterpretCase(const InterpretForm& form, const Limits& limits)
      : form_(form), limits_(limits) {}

  FuturesData read(std::string_view bytes, const ScenarioRange& scenario) {
    out_.scenario_id = scenario.id;
    each_predicted(bytes, [this] { count(); });
    allocate();
    each_predicted(bytes, [this] { copy(); });
    if (std::find(out_.valid.begin(), out_.valid.end(), 0) == out_.valid.end()) {
      out_.valid.clear();
    }
    name_agents();
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(Message problem) const {
    fail(Errc::invalid_metadata, {"row ", row_, ": ", joined(problem)});
  }

  template <class Take>
  void each_predicted(std::string_view bytes, Take take) {
    row_ = 0;
    each_line(bytes, [&](std::string_view line) {
      if (!split_cells(line, cells_) || cells_.size() != form_.width) {
        refuse({"wrong number of cells (found ", cells_.size(), ", expected ",
                form_.width, ")"});
      }
      const bool is_left_out =
          form_.is_predicted != kAbsent && whole_id(cells_[form_.is_predicted]) == "0";
      if (!is_left_out) take();
      ++row_;
    });
  }

  float real(std::size_t column, const char* name) const {
    const auto value = parse_real(cells_[column]);
    if (value && std::abs(*value) <= double{kMaxValue}) {
      return static_cast<float>(*value);
    }
    refuse(
        {name, ": not a finite number, or too large (found \"", cells_[column], "\")"});
  }

  std::int64_t frame() const {
    const auto text = whole_id(cells_[form_.frame_id]);
    std::int64_t out = 0;
    const auto* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, out);
    if (error == std::errc() && at == end && out >= 1 && out <= kMaxFirstStep) {
      return out - 1;
    }
    refuse({"frame_id: not a whole number from 1 on (found \"", text, "\")"});
  }

  std::size_t agent() {
    const auto text = whole_id(cells_[form_.track_id]);
    if (text.empty() || text.size() > kMaxNameBytes) {
      refuse({"track_id: empty, or too long"});
    }
    const auto [found, is_new] = agents_.emplace(std::string(text), out_.names.size());
    if (is_new) out_.names.emplace_back(map::checked_utf8(text, "track_id"));
    return found->second;
  }

  void count() {
    agent();
    check_limits(form_.modes.size(), out_.names.size(), 1, 1, limits_);
    const auto at = frame();
    out_.first_step = rows_ == 0 ? at : std::min(out_.first_step, at);
    last_ = rows_ == 0 ? at : std::max(last_, at);
    ++rows_;
  }

  void allocate() {
    if (rows_ == 0) fail(Errc::invalid_metadata, {"no tracks to predict"});
    out_.rollouts = form_.modes.size();
    out_.steps = static_cast<std::size_t>(last_ - out_.first_step) + 1;
    out_.pose_values = form_.has_yaw() ? 4 : 2;
    out_.is_joint = form_.has_yaw() || form_.is_interesting != kAbsent;
    const auto agents = out_.names.size();
    check_limits(out_.rollouts, agents, out_.steps, out_.pose_values, limits_);
    check_sparse(rows_, agents * out_.steps);
    const auto poses = out_.rollouts * agents * out_.steps;
    out_.poses.resize(poses * out_.pose_values);
    out_.valid.resize(poses);
  }

  void copy() {
    const auto row = agent();
    const auto step = static_cast<std::size_t>(frame() - out_.first_step);
    for (std::size_t m = 0; m < out_.rollouts; ++m) {
      const auto pair = m * out_.names.size() + row;
      auto& valid = out_.valid[pair * out_.steps + step];
      if (valid != 0) {
        refuse({"track ", out_.names[row], ", frame ", frame() + 1, ": occurs twice"});
      }
      valid = 1;
      const auto set = [&](std::size_t v, std::size_t column, const char* name) {
        out_.poses[(pair * out_.pose_values + v) * out_.steps + step] =
            real(column, name);
      };
      const auto& mode = form_.modes[m];
      set(kX, mode.x, "x");
      set(kY, mode.y, "y");
      if (out_.pose_values == 4) set(kYaw, mode.yaw, "psi_rad");
    }
  }

  /// Names that all are numbers are the ids; otherwise they are numbered.
  void name_agents() {
    for (const auto& name : out_.names) {
      const auto id = own_agent_id(name);
      if (!id || *id == kEgoId) break;
      out_.ids.push_back(*id);
    }
    if (out_.ids.size() == out_.names.size()) return out_.names.clear();
    out_.ids.clear();
    for (std::size_t i = 0; i < out_.names.size(); ++i) out_.ids.push_back(i);
  }

  const InterpretForm& form_;
  const Limits& limits_;
  FuturesData out_;
  Cells cells_;
  std::uint64_t row_ = 0, rows_ = 0;
  std::int64_t last_ = 0;
  std::unordered_map<std::string, std::size_t> agents_;
};

}  // namespace

FuturesData InterpretForm::read(std::string_view bytes, const ScenarioRange& scenario,
                                const Limits& limits) const {
  return InterpretCase(*this, limits).read(bytes, scenario);
}

InterpretIndexer::InterpretIndexer(std::string name, std::uint64_t file_size)
    : form_(std::make_shared<InterpretForm>()),
      lines_(name, file_size),
      set_(set_name_of(name)) {
  out_.name = std::move(name);
}

void InterpretIndexer::refuse(Message problem) const {
  fail_at(Errc::invalid_metadata, out_.name,
          {"line ", lines_.line(), ": ", joined(problem)});
}

void InterpretIndexer::supply(std::span<const std::byte> bytes) {
  lines_.supply(bytes, [this](std::string_view line, std::uint64_t begin) {
    take_line(line, begin);
  });
  if (!lines_.missing()) finish();
}

void InterpretIndexer::take_header(std::string_view line) {
  Cells names;
  if (!split_cells(line, names)) refuse({"quotes within a cell are not supported"});
  form_->width = names.size();
  std::array<InterpretForm::Mode, kInterpretModes> modes;
  std::array<std::pair<std::string, std::size_t*>, 5 + 3 * kInterpretModes> columns{
      {{"case_id", &form_->case_id},
       {"track_id", &form_->track_id},
       {"frame_id", &form_->frame_id},
       {"track_to_predict", &form_->is_predicted},
       {"interesting_agent", &form_->is_interesting}}};
  for (std::size_t m = 0; m < kInterpretModes; ++m) {
    const auto number = std::to_string(m + 1);
    columns[5 + 3 * m] = {"x" + number, &modes[m].x};
    columns[6 + 3 * m] = {"y" + number, &modes[m].y};
    columns[7 + 3 * m] = {"psi_rad" + number, &modes[m].yaw};
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (auto& [name, column] : columns) {
      if (name != names[i]) continue;
      if (*column != kAbsent) refuse({"column ", name, " occurs twice"});
      *column = i;
    }
  }
  for (std::size_t i = 0; i < 3; ++i) {
    if (*columns[i].second == kAbsent) {
      refuse({"column ", columns[i].first, " is missing"});
    }
  }
  std::size_t count = 0;
  while (count < kInterpretModes && modes[count].x != kAbsent) ++count;
  const bool has_yaw = modes[0].yaw != kAbsent;
  for (std::size_t m = 0; m < kInterpretModes; ++m) {
    const auto& [x, y, yaw] = modes[m];
    const bool is_there = m < count;
    if ((x != kAbsent) == is_there && (y != kAbsent) == is_there &&
        (yaw != kAbsent) == (is_there && has_yaw)) {
      continue;
    }
    refuse({"columns of mode ", m + 1, " are incomplete (expected x", m + 1, " and y",
            m + 1, ", and psi_rad of all modes or of none)"});
  }
  if (count == 0) refuse({"column x1 is missing"});
  form_->modes.assign(modes.begin(),
                      modes.begin() + static_cast<std::ptrdiff_t>(count));
}

void InterpretIndexer::take_line(std::string_view line, std::uint64_t begin) {
  const auto end = begin + line.size();
  line = bare_line(line, begin);
  if (line.empty()) return;
  if (form_->width == 0) return take_header(line);
  Cells cells;
  if (!split_cells(line, cells)) refuse({"quotes within a cell are not supported"});
  if (cells.size() != form_->width) {
    refuse({"wrong number of cells (found ", cells.size(), ", expected ", form_->width,
            ")"});
  }
  const auto id = interpret_id(set_, cells[form_->case_id]);
  if (out_.scenarios.empty() || out_.scenarios.back().id != id) {
    if (cells[form_->case_id].empty() || id.size() > kMaxScenarioIdBytes) {
      refuse({"case_id is empty, or too long"});
    }
    if (out_.scenarios.size() == kMaxScenarios) {
      fail_at(Errc::limit_exceeded, out_.name,
              {"too many cases (expected at most ", kMaxScenarios, ")"});
    }
    map::checked_utf8(id, "case_id");
    out_.scenarios.push_back({id, {begin, end}});
  }
  auto& bytes = out_.scenarios.back().bytes;
  bytes.end = end;
  if (bytes.size() > kMaxCsvScenario) {
    fail_at(Errc::limit_exceeded, out_.name,
            {"scenario ", id, ": too large (expected at most ", kMaxCsvScenario,
             " bytes)"});
  }
}

void InterpretIndexer::finish() {
  check_scenarios(out_,
                  "a submission to the INTERPRET challenge; rows of a case must follow "
                  "one another");
  out_.kind = SubmissionKind::interpret;
  out_.own = form_;
}

SubmissionShard InterpretIndexer::take() {
  return std::move(out_);
}

}  // namespace bev::futures
