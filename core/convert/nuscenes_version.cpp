#include "core/convert/nuscenes_version.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/json_tree.hpp"
#include "core/convert/json_items.hpp"
#include "core/geom/trig.hpp"

namespace bev::convert::nuscenes {
namespace {

using nlohmann::json;

constexpr std::array kFiles = {
    "log",    "category", "attribute",   "sensor",   "calibrated_sensor", "scene",
    "sample", "instance", "sample_data", "ego_pose", "sample_annotation"};

constexpr std::size_t kMaxRows = 50'000'000;
constexpr double kFarthestM = 1e7;
constexpr double kMaxSizeM = 1000;
constexpr std::size_t kMaxTextBytes = 1000;  // of tokens and names, which are kept
constexpr double kMaxTimeUs = 9e15;          // whole numbers that a double has

using Rows = std::unordered_map<std::string, std::uint32_t>;

}  // namespace

/// Fills a version from the records of its files.
class VersionReader {
 public:
  explicit VersionReader(Version& out) : out_(&out) {}

  void begin(std::string_view file) {
    const bool is_list = file == Version::kPrediction && next_ == kFiles.size();
    if (items_ || (!is_list && (next_ == kFiles.size() || file != kFiles[next_]))) {
      fail(Errc::invalid_argument,
           {"nuScenes: file ", file, " in another order (expected ",
            next_ < kFiles.size() ? kFiles[next_] : Version::kPrediction, ")"});
    }
    file_ = file;
    count_ = 0;
    items_.emplace(is_list ? JsonItems::Root::object : JsonItems::Root::array,
                   [this, is_list](const JsonItems::Item& item) {
                     is_list ? add_item(item) : add(item.text);
                     ++count_;
                   });
  }

  void push(std::string_view text) {
    if (!items_) fail(Errc::invalid_argument, {"nuScenes: no file was begun"});
    in_file([&] { items_->push(text); });
  }

  void end() {
    if (!items_) fail(Errc::invalid_argument, {"nuScenes: no file was begun"});
    in_file([&] { items_->end(); });
    items_.reset();
    if (file_ == Version::kPrediction) return group_items();
    if (file_ == "sample") in_file([&] { sort_samples(); });
    if (file_ == "sample_annotation") finish();
    ++next_;
  }

 private:
  /// Adds the file, and within a record its number, to errors.
  template <class Work>
  void in_file(Work work) {
    try {
      work();
    } catch (const Error& error) {
      fail(error.code(), {file_, ".json: ", error.what()});
    }
  }

  [[noreturn]] void invalid(Message problem) const {
    fail(Errc::invalid_metadata, {"record ", count_, ": ", joined(problem)});
  }

  const json& field(const char* name) const {
    const auto found = record_.find(name);
    if (found == record_.end()) invalid({"no ", name});
    return *found;
  }

  const std::string& text(const char* name) const {
    const auto* found = field(name).get_ptr<const std::string*>();
    if (found == nullptr) invalid({name, ": not a text"});
    if (found->size() > kMaxTextBytes) invalid({name, ": too long a text"});
    return *found;
  }

  double number_of(const json& value, const char* name, double limit) const {
    const double out = value.is_number() ? value.get<double>() : std::nan("");
    if (!(std::abs(out) <= limit)) invalid({name, ": not a number in its range"});
    return out;
  }

  template <std::size_t kCount>
  std::array<double, kCount> numbers(const char* name, double limit) const {
    const auto& list = field(name);
    if (!list.is_array() || list.size() != kCount) {
      invalid({name, ": not a list of ", kCount, " numbers"});
    }
    std::array<double, kCount> out;
    for (std::size_t i = 0; i < kCount; ++i) {
      out[i] = number_of(list[i], name, limit);
    }
    return out;
  }

  /// Returns the heading of a rotation, which is a quaternion w, x, y, z.
  double heading() const {
    const auto [w, x, y, z] = numbers<4>("rotation", 2);
    return geom::atan2(2 * (w * z + x * y), w * w + x * x - y * y - z * z);
  }

  std::uint32_t row(const Rows& rows, const char* name, const char* table) const {
    const auto found = rows.find(text(name));
    if (found == rows.end()) invalid({name, ": not in table ", table});
    return found->second;
  }

  /// Gives the record the next row of its table.
  void number(Rows& rows) {
    if (rows.size() >= kMaxRows) fail(Errc::limit_exceeded, {"too many records"});
    const auto next = static_cast<std::uint32_t>(rows.size());
    if (!rows.emplace(text("token"), next).second) invalid({"token is not unique"});
  }

  void add(std::string_view item) {
    bool is_too_deep = false;
    auto parsed = parse_json_tree(item, is_too_deep);
    if (!parsed || !parsed->is_object()) invalid({"not a JSON object"});
    record_ = *std::move(parsed);
    constexpr std::array<void (VersionReader::*)(), kFiles.size()> kAdders = {
        &VersionReader::add_log,        &VersionReader::add_category,
        &VersionReader::add_attribute,  &VersionReader::add_sensor,
        &VersionReader::add_calibrated, &VersionReader::add_scene,
        &VersionReader::add_sample,     &VersionReader::add_instance,
        &VersionReader::add_data,       &VersionReader::add_pose,
        &VersionReader::add_annotation};
    (this->*kAdders[next_])();
  }

  void add_log() {
    number(logs_);
    out_->logs_.push_back({text("location"), text("vehicle"), text("date_captured")});
  }

  void add_category() {
    number(categories_);
    out_->categories_.push_back(text("name"));
  }

  void add_attribute() {
    number(attributes_);
    out_->attributes_.push_back(text("name"));
  }

  void add_sensor() {
    if (text("channel") == kEgoChannel) sensors_.insert(text("token"));
  }

  void add_calibrated() {
    if (sensors_.contains(text("sensor_token"))) calibrated_.insert(text("token"));
  }

  void add_scene() {
    number(scenes_);
    out_->scenes_.push_back(
        {text("token"), text("name"), row(logs_, "log_token", "log"), {}});
  }

  void add_sample() {
    number(samples_);
    const auto scene = row(scenes_, "scene_token", "scene");
    const auto& time = field("timestamp");
    if (!time.is_number_unsigned() || time.get<double>() > kMaxTimeUs) {
      invalid({"timestamp: not microseconds"});
    }
    out_->scenes_[scene].samples.push_back(
        static_cast<std::uint32_t>(out_->samples_.size()));
    out_->samples_.push_back({text("token"), time.get<std::int64_t>(), scene});
  }

  void add_instance() {
    number(instances_);
    out_->instances_.push_back(
        {text("token"), row(categories_, "category_token", "category")});
  }

  void add_data() {
    const auto& is_key = field("is_key_frame");
    if (!is_key.is_boolean()) invalid({"is_key_frame: not a boolean"});
    if (!is_key.get<bool>() || !calibrated_.contains(text("calibrated_sensor_token"))) {
      return;
    }
    const auto sample = row(samples_, "sample_token", "sample");
    const auto is_new = poses_.emplace(text("ego_pose_token"), sample).second;
    if (!is_new || !is_posed_.insert(sample).second) {
      invalid({"another ", kEgoChannel, " key frame of a sample or pose"});
    }
  }

  void add_pose() {
    const auto found = poses_.find(text("token"));
    if (found == poses_.end()) return;
    out_->egos_[found->second] = {numbers<3>("translation", kFarthestM), heading(),
                                  true};
  }

  void add_annotation() {
    Box box;
    box.sample = row(samples_, "sample_token", "sample");
    box.instance = row(instances_, "instance_token", "instance");
    const auto centre = numbers<3>("translation", kFarthestM);
    box.position = {centre[0], centre[1]};
    const auto [width, length, height] = numbers<3>("size", kMaxSizeM);
    box.extent = {static_cast<float>(length), static_cast<float>(width),
                  static_cast<float>(height)};
    box.yaw = static_cast<float>(heading());
    const auto& tokens = field("attribute_tokens");
    if (!tokens.is_array()) invalid({"attribute_tokens: not a list"});
    if (!tokens.empty()) {
      const auto* token = tokens[0].get_ptr<const std::string*>();
      const auto found =
          token == nullptr ? attributes_.end() : attributes_.find(*token);
      if (found == attributes_.end())
        invalid({"attribute_tokens: not in table attribute"});
      box.attribute = found->second + 1;
    }
    if (out_->boxes_.size() >= kMaxRows)
      fail(Errc::limit_exceeded, {"too many records"});
    out_->boxes_.push_back(box);
  }

  void sort_samples() {
    const auto& samples = out_->samples_;
    for (auto& scene : out_->scenes_) {
      std::stable_sort(scene.samples.begin(), scene.samples.end(), [&](auto a, auto b) {
        return samples[a].time_us < samples[b].time_us;
      });
      for (std::size_t i = 1; i < scene.samples.size(); ++i) {
        if (samples[scene.samples[i - 1]].time_us < samples[scene.samples[i]].time_us) {
          continue;
        }
        fail(Errc::invalid_metadata, {"two samples of one time in scene ", scene.name});
      }
    }
    out_->egos_.resize(samples.size());
  }

  /// Orders rows by scene and returns the first of each, and the end.
  template <class Row>
  std::vector<std::size_t> group(std::vector<Row>& rows) const {
    const auto scene_of = [&](const Row& one) {
      return out_->samples_[one.sample].scene;
    };
    std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
      return scene_of(a) < scene_of(b);
    });
    std::vector<std::size_t> first(out_->scenes_.size() + 1);
    for (const auto& one : rows) ++first[scene_of(one) + 1];
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    return first;
  }

  void finish() {
    out_->first_boxes_ = group(out_->boxes_);
    for (std::size_t i = 0; i < out_->scenes_.size(); ++i) {
      names_.emplace(out_->scenes_[i].name, i);
    }
  }

  /// Adds what the challenge asks for: "INSTANCE_SAMPLE". The list also has scenes of
  /// other versions.
  void add_item(const JsonItems::Item& item) {
    if (!names_.contains(std::string(item.section))) return;
    const auto bar = item.text.find('_');
    const bool is_text = item.text.size() > 2 && item.text.front() == '"' &&
                         item.text.back() == '"' && bar != item.text.npos;
    if (!is_text) invalid({"not INSTANCE_SAMPLE"});
    const auto instance = instances_.find(std::string(item.text.substr(1, bar - 1)));
    const auto sample = samples_.find(
        std::string(item.text.substr(bar + 1, item.text.size() - bar - 2)));
    if (instance == instances_.end() || sample == samples_.end()) {
      invalid({"instance or sample is not in its table"});
    }
    if (out_->items_.size() >= kMaxRows)
      fail(Errc::limit_exceeded, {"too many records"});
    out_->items_.push_back({sample->second, instance->second});
  }

  void group_items() { out_->first_items_ = group(out_->items_); }

  Version* out_;
  std::size_t next_ = 0;  // file
  std::string file_;
  std::optional<JsonItems> items_;
  std::uint64_t count_ = 0;  // of items before the current one
  json record_;
  Rows logs_, categories_, attributes_, scenes_, samples_, instances_;
  Rows poses_;  // samples by token of the pose
  std::unordered_set<std::string> sensors_, calibrated_;
  std::unordered_set<std::uint32_t> is_posed_;
  std::unordered_map<std::string, std::size_t> names_;
};

Version::Version() : reader_(std::make_unique<VersionReader>(*this)) {}

Version::~Version() = default;

std::span<const char* const> Version::files() noexcept {
  return kFiles;
}

void Version::begin(std::string_view file) {
  reader_->begin(file);
}

void Version::push(std::string_view text) {
  reader_->push(text);
}

void Version::end() {
  reader_->end();
}

std::span<const Box> Version::boxes(std::size_t scene) const {
  return std::span(boxes_).subspan(first_boxes_[scene],
                                   first_boxes_[scene + 1] - first_boxes_[scene]);
}

std::span<const Item> Version::items(std::size_t scene) const {
  if (first_items_.empty()) return {};
  return std::span(items_).subspan(first_items_[scene],
                                   first_items_[scene + 1] - first_items_[scene]);
}

}  // namespace bev::convert::nuscenes
