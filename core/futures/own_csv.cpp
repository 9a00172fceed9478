#include "core/futures/own_csv.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"
#include "core/map/wire.hpp"

namespace bev::futures {

/// The columns of a file, and what its comments state.
class CsvForm final : public OwnForm {
 public:
  std::array<std::optional<std::size_t>, kRowColumns> columns{};
  std::size_t width = 0;
  bool is_joint = true;

  bool has(RowColumn column) const {
    return columns[static_cast<std::size_t>(column)].has_value();
  }

  std::string_view cell(const Cells& cells, RowColumn column) const {
    const auto at = columns[static_cast<std::size_t>(column)];
    return at ? cells[*at] : std::string_view();
  }

  FuturesData read(std::string_view bytes, const ScenarioRange& scenario,
                   const Limits& limits) const override;
  bool may_have_side_file() const noexcept override { return true; }
};

namespace {

/// The rows of a scenario in a CSV file.
class CsvRows final : public PoseRows {
 public:
  CsvRows(const CsvForm& form, std::string_view bytes) : form_(form), bytes_(bytes) {}

  bool has(RowColumn column) const override { return form_.has(column); }

  void each(const std::function<void()>& take) override {
    each_line(bytes_, [&](std::string_view line) {
      if (line.starts_with('#')) return;
      if (!split_cells(line, cells_) || cells_.size() != form_.width) {
        fail(Errc::invalid_metadata, {"wrong number of cells (found ", cells_.size(),
                                      ", expected ", form_.width, ")"});
      }
      take();
    });
  }

  std::string_view scenario() const override {
    return form_.cell(cells_, RowColumn::scenario_id);
  }

  std::uint64_t agent() const override {
    const auto text = form_.cell(cells_, RowColumn::track_id);
    const auto id = own_agent_id(text);
    if (id) return *id;
    fail(Errc::invalid_metadata,
         {"track_id: neither a whole number nor AV (found \"", text, "\")"});
  }

  std::int64_t integer(RowColumn column) const override {
    const auto text = form_.cell(cells_, column);
    std::int64_t out = 0;
    const auto* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, out);
    if (error == std::errc() && at == end && !text.empty()) return out;
    fail(Errc::invalid_metadata,
         {name_of(column), ": not a whole number (found \"", text, "\")"});
  }

  std::optional<float> real(RowColumn column) const override {
    const auto text = form_.cell(cells_, column);
    const auto value = parse_real(text);
    if (value && std::abs(*value) <= kMaxValue) return static_cast<float>(*value);
    fail(Errc::invalid_metadata,
         {name_of(column), ": not a finite number, or too large (found \"", text,
          "\")"});
  }

 private:
  const CsvForm& form_;
  std::string_view bytes_;
  Cells cells_;
};

}  // namespace

FuturesData CsvForm::read(std::string_view bytes, const ScenarioRange& scenario,
                          const Limits& limits) const {
  CsvRows rows(*this, bytes);
  return read_rows(rows, scenario, is_joint, limits);
}

std::shared_ptr<const OwnForm> csv_form(std::string name, std::string_view head) {
  CsvIndexer indexer(std::move(name), head.size());
  indexer.take_lines(std::as_bytes(std::span(head.data(), head.size())));
  if (indexer.form_->width == 0) indexer.refuse({"no header"});
  return indexer.form_;
}

CsvIndexer::CsvIndexer(std::string name, std::uint64_t file_size)
    : form_(std::make_shared<CsvForm>()), lines_(name, file_size) {
  out_.name = std::move(name);
}

void CsvIndexer::refuse(Message problem) const {
  fail_at(Errc::invalid_metadata, out_.name,
          {"line ", lines_.line(), ": ", joined(problem)});
}

void CsvIndexer::take_lines(std::span<const std::byte> bytes) {
  lines_.supply(bytes, [this](std::string_view line, std::uint64_t begin) {
    take_line(line, begin);
  });
}

void CsvIndexer::supply(std::span<const std::byte> bytes) {
  take_lines(bytes);
  if (!lines_.missing()) finish();
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
    const auto* const found = std::find(kRowNames.begin(), kRowNames.end(), names[i]);
    if (found == kRowNames.end()) continue;
    auto& column = form_->columns[static_cast<std::size_t>(found - kRowNames.begin())];
    if (column) refuse({"column ", names[i], " occurs twice"});
    column = i;
  }
  for (std::size_t i = 0; i < kRequiredColumns; ++i) {
    if (!form_->columns[i]) refuse({"column ", kRowNames[i], " is missing"});
  }
  if (form_->has(RowColumn::length) != form_->has(RowColumn::width)) {
    refuse({"columns length and width go together"});
  }
}

void CsvIndexer::take_line(std::string_view line, std::uint64_t begin) {
  const auto end = begin + line.size();
  line = bare_line(line, begin);
  if (line.empty()) return;
  if (line.starts_with('#')) return take_comment(line);
  if (form_->width == 0) return take_header(line);
  Cells cells;
  if (!split_cells(line, cells)) refuse({"quotes within a cell are not supported"});
  if (cells.size() != form_->width) {
    refuse({"wrong number of cells (found ", cells.size(), ", expected ", form_->width,
            ")"});
  }
  const auto id = form_->cell(cells, RowColumn::scenario_id);
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
}

SubmissionShard CsvIndexer::take() {
  return std::move(out_);
}

}  // namespace bev::futures
