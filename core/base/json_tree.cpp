#include "core/base/json_tree.hpp"

#include <string>
#include <utility>
#include <vector>

#include "core/base/json_events.hpp"

namespace bev {
namespace {

using Json = nlohmann::json;

/// Builds the tree from the parser's events.
class Builder final : public JsonEvents {
 public:
  bool too_deep = false;
  Json root;

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(Json::number_integer_t value) override { return put(value); }
  bool number_unsigned(Json::number_unsigned_t value) override { return put(value); }
  bool number_float(Json::number_float_t value, const Json::string_t&) override {
    return put(value);
  }
  bool string(Json::string_t& value) override { return put(std::move(value)); }
  bool binary(Json::binary_t&) override { return false; }

  bool start_object(std::size_t) override { return open(Json::value_t::object); }
  bool start_array(std::size_t) override { return open(Json::value_t::array); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(Json::string_t& name) override {
    key_ = std::move(name);
    return true;
  }

  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  Json& place(Json value) {
    if (open_.empty()) return root = std::move(value);
    Json& parent = *open_.back();
    if (auto* object = parent.get_ptr<Json::object_t*>()) {
      return (*object)[key_] = std::move(value);
    }
    return parent.get_ptr<Json::array_t*>()->emplace_back(std::move(value));
  }

  bool put(Json value) {
    place(std::move(value));
    return true;
  }

  bool open(Json value) {
    // A parent does not move while one of its children is open.
    open_.push_back(&place(std::move(value)));
    too_deep = open_.size() > kMaxJsonDepth;
    return !too_deep;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  std::vector<Json*> open_;
  std::string key_;
};

}  // namespace

bool parse_json_events(std::string_view text, JsonEvents& events) {
  return Json::sax_parse(text.begin(), text.end(), &events);
}

std::optional<nlohmann::json> parse_json_tree(std::string_view text, bool& too_deep) {
  Builder builder;
  const bool parsed = parse_json_events(text, builder);
  too_deep = builder.too_deep;
  if (!parsed) return std::nullopt;
  return std::move(builder.root);
}

}  // namespace bev
