#include "core/futures/own_parquet.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/json_tree.hpp"
#include "core/futures/own_rows.hpp"
#include "core/map/wire.hpp"
#include "core/parquet/pages.hpp"

namespace bev::futures {
namespace {

using parquet::Type;

/// Rows of a file beyond the number of its bytes: small files do not take long.
constexpr std::uint64_t kSparseRows = std::uint64_t{1} << 16U;
/// Maximum rows of a scenario, all of which are in memory.
constexpr std::uint64_t kMaxParquetRows = std::uint64_t{1} << 23U;

bool is_integer(Type type) {
  return type == Type::int32 || type == Type::int64;
}

bool is_real(Type type) {
  return type == Type::real32 || type == Type::real64;
}

/// Rows of a scenario in a row group.
struct GroupRows {
  std::size_t group = 0;
  std::uint64_t begin = 0, end = 0;
};

}  // namespace

/// The columns of a file, and where its scenarios are.
class ParquetForm final : public OwnForm {
 public:
  parquet::Footer footer;
  std::array<std::optional<std::size_t>, kRowColumns> columns{};
  std::vector<ByteRange> groups;               // from the first to the last column
  std::vector<std::vector<GroupRows>> places;  // of scenarios, by the order of the file
  std::vector<std::string> ids;                // sorted, for `order`
  std::vector<std::size_t> order;
  bool is_joint = true;

  FuturesData read(std::string_view bytes, const ScenarioRange& scenario,
                   const Limits& limits) const override;

  /// Returns where a scenario is.
  const std::vector<GroupRows>& rows_of(const std::string& id) const {
    const auto found = std::lower_bound(ids.begin(), ids.end(), id);
    if (found == ids.end() || *found != id) fail(Errc::not_found, {"not in the file"});
    return places[order[static_cast<std::size_t>(found - ids.begin())]];
  }
};

namespace {

/// The decoded columns of a scenario.
class ParquetRows final : public PoseRows {
 public:
  ParquetRows(const ParquetForm& form, const ScenarioRange& scenario,
              std::string_view bytes)
      : form_(form), scenario_(scenario.id) {
    const auto all = std::as_bytes(std::span(bytes.data(), bytes.size()));
    for (const auto& part : form.rows_of(scenario.id)) {
      if (part.end - part.begin > kMaxParquetRows - rows_) {
        fail(Errc::limit_exceeded,
             {"too many rows (expected at most ", kMaxParquetRows, ")"});
      }
      for (std::size_t c = 1; c < kRowColumns; ++c) {
        if (form.columns[c]) append(c, part, all, scenario.bytes.begin);
      }
      rows_ += static_cast<std::size_t>(part.end - part.begin);
    }
  }

  bool has(RowColumn column) const override {
    return form_.columns[static_cast<std::size_t>(column)].has_value();
  }

  void each(const std::function<void()>& take) override {
    for (row_ = 0; row_ < rows_; ++row_) take();
  }

  std::string_view scenario() const override { return scenario_; }

  std::uint64_t agent() const override {
    return static_cast<std::uint64_t>(integers_[kTrack][row_]);
  }

  std::int64_t integer(RowColumn column) const override {
    return integers_[static_cast<std::size_t>(column)][row_];
  }

  std::optional<float> real(RowColumn column) const override {
    const double value = reals_[static_cast<std::size_t>(column)][row_];
    if (std::isnan(value)) return std::nullopt;
    if (std::abs(value) <= double{kMaxValue}) return static_cast<float>(value);
    fail(Errc::invalid_metadata, {name_of(column), ": not finite, or too large"});
  }

 private:
  static constexpr auto kTrack = static_cast<std::size_t>(RowColumn::track_id);
  static constexpr auto kStep = static_cast<std::size_t>(RowColumn::step);
  static constexpr auto kMode = static_cast<std::size_t>(RowColumn::mode);

  void append(std::size_t c, const GroupRows& part, std::span<const std::byte> all,
              std::uint64_t begin) {
    const auto at = *form_.columns[c];
    const auto& column = form_.footer.columns[at];
    const auto& group = form_.footer.groups[part.group];
    const auto& chunk = group.chunks[at];
    const auto from = chunk.bytes.begin - begin;
    if (chunk.bytes.begin < begin || from > all.size() ||
        chunk.bytes.size() > all.size() - from) {
      fail(Errc::corrupt_chunk, {"wrong length"});
    }
    parquet::read_values(all.subspan(static_cast<std::size_t>(from),
                                     static_cast<std::size_t>(chunk.bytes.size())),
                         column, chunk, group.rows,
                         [&](std::uint64_t row, const parquet::Value& value) {
                           if (row >= part.begin && row < part.end)
                             take(c, column, value);
                         });
  }

  void take(std::size_t c, const parquet::Column& column, const parquet::Value& value) {
    if (c == kTrack || c == kStep || c == kMode) {
      if (value.is_null) fail(Errc::invalid_metadata, {"a value is null"});
      integers_[c].push_back(c == kTrack ? agent_of(column, value) : value.integer);
      return;
    }
    const double number = value.is_null          ? std::nan("")
                          : is_real(column.type) ? value.real
                                                 : static_cast<double>(value.integer);
    reals_[c].push_back(number);
  }

  static std::int64_t agent_of(const parquet::Column& column,
                               const parquet::Value& value) {
    if (column.type == Type::bytes) {
      if (const auto id = own_agent_id(value.text)) {
        return static_cast<std::int64_t>(*id);
      }
    } else if (value.integer >= 0) {
      return value.integer;
    }
    fail(Errc::invalid_metadata, {"neither a whole number from 0 nor AV"});
  }

  const ParquetForm& form_;
  std::string_view scenario_;
  std::size_t rows_ = 0, row_ = 0;
  std::array<std::vector<std::int64_t>, kRowColumns> integers_;
  std::array<std::vector<double>, kRowColumns> reals_;
};

/// Finds the columns. Throws invalid_metadata for one that is missing or of another type.
void find_columns(ParquetForm& form) {
  for (std::size_t c = 0; c < kRowColumns; ++c) {
    const auto found = form.footer.find(kRowNames[c]);
    form.columns[c] = found;
    if (!found) {
      if (c >= kRequiredColumns) continue;
      fail(Errc::invalid_metadata, {"column ", kRowNames[c], " is missing"});
    }
    const auto type = form.footer.columns[*found].type;
    const auto column = static_cast<RowColumn>(c);
    const bool is_id = column == RowColumn::scenario_id;
    const bool is_track = column == RowColumn::track_id;
    const bool is_count = column == RowColumn::step || column == RowColumn::mode;
    const bool is_expected = is_id      ? type == Type::bytes
                             : is_track ? type == Type::bytes || is_integer(type)
                             : is_count ? is_integer(type)
                                        : is_integer(type) || is_real(type);
    if (is_expected) continue;
    fail(Errc::invalid_metadata,
         {"column ", kRowNames[c], ": of another type (expected ",
          is_id      ? "text"
          : is_track ? "text or integers"
          : is_count ? "integers"
                     : "numbers",
          ")"});
  }
  const auto has = [&](RowColumn column) {
    return form.columns[static_cast<std::size_t>(column)].has_value();
  };
  if (has(RowColumn::length) != has(RowColumn::width)) {
    fail(Errc::invalid_metadata, {"columns length and width go together"});
  }
}

}  // namespace

FuturesData ParquetForm::read(std::string_view bytes, const ScenarioRange& scenario,
                              const Limits& limits) const {
  ParquetRows rows(*this, scenario, bytes);
  return read_rows(rows, scenario, is_joint, limits);
}

ParquetIndexer::ParquetIndexer(std::string name, std::uint64_t file_size)
    : form_(std::make_shared<ParquetForm>()), size_(file_size) {
  out_.name = std::move(name);
  constexpr std::uint64_t kMinBytes = 12;
  if (size_ < kMinBytes) {
    fail_at(Errc::corrupt_chunk, out_.name, {"Parquet that is not complete"});
  }
}

std::optional<ByteRange> ParquetIndexer::missing() const {
  switch (next_) {
    case Next::tail: return ByteRange{size_ - parquet::kTailBytes, size_};
    case Next::footer: return footer_;
    case Next::groups:
      return form_->footer.groups[group_].chunks[*form_->columns[0]].bytes;
    default: return std::nullopt;
  }
}

void ParquetIndexer::supply(std::span<const std::byte> bytes) {
  const auto expected = missing().value().size();
  if (bytes.size() != expected) {
    fail_at(Errc::corrupt_chunk, out_.name,
            {"wrong length (found ", bytes.size(), " bytes, expected ", expected, ")"});
  }
  try {
    if (next_ == Next::tail) {
      footer_ = parquet::footer_range(bytes, size_);
      next_ = Next::footer;
    } else if (next_ == Next::footer) {
      read_footer(bytes);
    } else {
      read_group(bytes);
    }
  } catch (const Error& error) {
    fail_at(error.code(), out_.name, {error.what()});
  }
  if (next_ == Next::groups && group_ == form_->footer.groups.size()) finish();
}

void ParquetIndexer::read_footer(std::span<const std::byte> bytes) {
  form_->footer = parquet::parse_footer(bytes, size_);
  find_columns(*form_);
  read_metadata();
  std::uint64_t rows = 0, end = 0;
  auto& groups = form_->footer.groups;
  std::erase_if(groups, [](const parquet::RowGroup& one) { return one.rows == 0; });
  for (const auto& group : groups) {
    rows += group.rows;
    ByteRange range{size_, 0};
    for (const auto& column : form_->columns) {
      if (!column) continue;
      const auto& own = group.chunks[*column].bytes;
      range = {std::min(range.begin, own.begin), std::max(range.end, own.end)};
    }
    if (range.begin < end) {
      fail(Errc::invalid_metadata, {"row groups are not in the order of the file"});
    }
    end = range.end;
    form_->groups.push_back(range);
  }
  if (rows > size_ + kSparseRows) {
    fail(Errc::limit_exceeded,
         {"too many rows for its size (found ", rows, " in ", size_, " bytes)"});
  }
  next_ = Next::groups;
}

void ParquetIndexer::read_metadata() {
  const auto found = form_->footer.metadata.find("bevscope");
  if (found == form_->footer.metadata.end()) return;
  bool is_deep = false;
  const auto json = parse_json_tree(found->second, is_deep);
  if (!json || !json->is_object()) {
    fail(Errc::invalid_metadata, {"metadata bevscope: not a JSON object"});
  }
  if (const auto name = json->find("name"); name != json->end()) {
    if (!name->is_string() ||
        name->get_ref<const std::string&>().size() > kMaxCardTextBytes) {
      fail(Errc::invalid_metadata, {"metadata bevscope: name is no text, or too long"});
    }
    out_.card.method = name->get<std::string>();
  }
  if (const auto joint = json->find("joint"); joint != json->end()) {
    if (!joint->is_boolean()) {
      fail(Errc::invalid_metadata, {"metadata bevscope: joint is not true or false"});
    }
    form_->is_joint = joint->get<bool>();
  }
}

/// Finds the scenarios of a row group; the first may go on from the group before.
void ParquetIndexer::read_group(std::span<const std::byte> bytes) {
  const auto& group = form_->footer.groups[group_];
  const auto& range = form_->groups[group_];
  const auto at = *form_->columns[0];
  auto& scenarios = out_.scenarios;
  auto& places = form_->places;
  const auto take = [&](std::uint64_t row, const parquet::Value& value) {
    if (value.is_null) fail(Errc::invalid_metadata, {"scenario_id is null"});
    if (scenarios.empty() || scenarios.back().id != value.text) {
      if (value.text.empty() || value.text.size() > kMaxScenarioIdBytes) {
        fail(Errc::invalid_metadata, {"scenario_id is empty, or too long"});
      }
      if (scenarios.size() == kMaxScenarios) {
        fail(Errc::limit_exceeded,
             {"too many scenarios (expected at most ", kMaxScenarios, ")"});
      }
      map::checked_utf8(value.text, "scenario_id");
      scenarios.push_back({std::string(value.text), range});
      places.push_back({{group_, row, row}});
    } else if (places.back().back().group != group_) {
      scenarios.back().bytes.end = range.end;
      places.back().push_back({group_, row, row});
    }
    ++places.back().back().end;
  };
  parquet::read_values(bytes, form_->footer.columns[at], group.chunks[at], group.rows,
                       take);
  ++group_;
}

void ParquetIndexer::finish() {
  check_scenarios(out_,
                  "futures in our Parquet form; rows of a scenario must follow one "
                  "another");
  std::vector<std::size_t> order(out_.scenarios.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return out_.scenarios[a].id < out_.scenarios[b].id;
  });
  for (const auto i : order) form_->ids.push_back(out_.scenarios[i].id);
  form_->order = std::move(order);
  out_.kind = form_->is_joint ? SubmissionKind::futures : SubmissionKind::predictions;
  out_.own = form_;
  next_ = Next::nothing;
}

SubmissionShard ParquetIndexer::take() {
  return std::move(out_);
}

}  // namespace bev::futures
