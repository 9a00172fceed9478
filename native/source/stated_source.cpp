#include "native/source/stated_source.hpp"

#include <set>
#include <utility>

#include "core/base/error.hpp"
#include "core/store/catalogue.hpp"

namespace bev::native {

StatedSource::StatedSource(std::shared_ptr<bev::Source> source, std::string name,
                           ObjectStates states)
    : source_(std::move(source)), name_(std::move(name)), states_(std::move(states)) {}

void StatedSource::read_all(std::span<const ReadRequest> requests,
                            const OnAnswer& take) {
  std::set<std::string> keys;
  for (const auto& request : requests) {
    if (!store::Catalogue::is_document(request.key)) keys.insert(request.key);
  }
  ask(std::vector<std::string>(keys.begin(), keys.end()));
  source_->read_all(requests, [&](const ReadRequest& request, auto bytes) {
    const auto known = known_.find(request.key);
    answered_ = {};
    if (bytes && known != known_.end()) answered_.etag = known->second;
    if (bytes && !request.range) answered_.length = bytes->size();
    if (bytes) received_ += bytes->size();
    take(request, std::move(bytes));
  });
}

std::optional<std::vector<Listed>> StatedSource::list(const std::string&) {
  return std::nullopt;
}

std::optional<std::uint64_t> StatedSource::size(const std::string& key) {
  return source_->size(key);
}

std::vector<std::optional<std::uint64_t>> StatedSource::sizes(
    std::span<const std::string> keys) {
  return source_->sizes(keys);
}

std::string StatedSource::version(const std::string& key) {
  return source_->version(key);
}

void StatedSource::check_unchanged() {
  source_->check_unchanged();
}

void StatedSource::forget(const std::string& key) {
  source_->forget(key);
}

std::string StatedSource::url_of(const std::string& key) const {
  return name_ + '/' + key;
}

std::vector<std::optional<Validator>> StatedSource::states(
    std::span<const std::string> keys) {
  std::vector<std::optional<Validator>> out;
  for (auto& state : ask(keys)) {
    if (state.empty()) {
      out.emplace_back();
    } else {
      out.emplace_back(Validator{std::move(state), {}, {}});
    }
  }
  return out;
}

/// Returns the states of objects, and remembers them.
std::vector<std::string> StatedSource::ask(std::span<const std::string> keys) {
  if (keys.empty()) return {};
  auto found = states_(keys);
  if (found.size() != keys.size()) {
    fail(Errc::invalid_argument,
         {"source: states: found ", std::to_string(found.size()), " of ",
          std::to_string(keys.size()), " objects"});
  }
  asked_ += keys.size();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (found[i].empty()) continue;
    const auto [known, is_new] = known_.try_emplace(keys[i], found[i]);
    if (!is_new && known->second != found[i]) {
      fail_at(Errc::changed, keys[i],
              {"changed while the data set was read (found ", found[i], ", expected ",
               known->second, ")"});
    }
  }
  return found;
}

}  // namespace bev::native
