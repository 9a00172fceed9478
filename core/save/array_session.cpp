#include "core/save/array_session.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"

namespace bev::save {
namespace {

// Encoded bytes that wait for the host at the same time
constexpr std::size_t kMaxQueuedBytes = std::size_t{8} << 20;

/// Ends a run of the work that needs an answer. Not an error, which code may catch.
struct Paused {};

}  // namespace

class ArraySession::HeldLock final : public Lock {
 public:
  HeldLock(ArraySession& session, std::uint64_t id) : session_(session), id_(id) {}
  HeldLock(const HeldLock&) = delete;
  HeldLock& operator=(const HeldLock&) = delete;
  ~HeldLock() override {
    if (!session_.pausing_) session_.unlock(id_);
  }

 private:
  ArraySession& session_;
  std::uint64_t id_;
};

void ArraySession::begin(Work work) {
  work_ = std::move(work);
  steps_.clear();
}

std::vector<StoreRequest> ArraySession::next() {
  requests_.clear();
  queued_bytes_ = 0;
  at_ = 0;
  if (!work_) return {};
  try {
    work_();
    begin({});
  } catch (const Paused&) {
    pausing_ = false;
    if (requests_.empty()) {
      begin({});
      fail_at(Errc::internal, place_, {"a request has no answer"});
    }
  } catch (...) {
    begin({});
    throw;
  }
  return std::exchange(requests_, {});
}

void ArraySession::supply(std::uint64_t id, StoredObject object) {
  auto& step = find(id);
  step.object = std::move(object);
  step.answered = true;
}

void ArraySession::supply(std::uint64_t id, bool replaced) {
  auto& step = find(id);
  step.replaced = replaced;
  step.answered = true;
}

void ArraySession::supply(std::uint64_t id, std::vector<ListedObject> listed) {
  auto& step = find(id);
  step.listed = std::move(listed);
  step.answered = true;
}

ArraySession::Step& ArraySession::find(std::uint64_t id) {
  const auto found =
      std::lower_bound(steps_.begin(), steps_.end(), id,
                       [](const Step& step, std::uint64_t at) { return step.id < at; });
  if (found == steps_.end() || found->id != id) {
    fail_at(Errc::invalid_argument, place_, {"unknown request (found ", id, ")"});
  }
  return *found;
}

ArraySession::Step& ArraySession::step(std::optional<Kind> kind,
                                       const std::string& key) {
  if (at_ == steps_.size()) steps_.push_back({kind, key, ++last_id_});
  auto& found = steps_[at_++];
  if (found.kind != kind || found.key != key) {
    fail_at(Errc::internal, place_, {"repeated work differs (found ", key, ")"});
  }
  return found;
}

/// Asks the host, once.
void ArraySession::ask(Step& step, StoreRequest request) {
  if (std::exchange(step.asked, true)) return;
  request.kind = *step.kind;
  if (request.id == 0) request.id = step.id;
  requests_.push_back(std::move(request));
}

void ArraySession::wait_for(const Step& step) {
  if (step.answered) return;
  pausing_ = true;
  throw Paused{};
}

std::string ArraySession::name_of(const std::string& key) const {
  return place_.empty() || key.empty() ? place_ + key : place_ + "/" + key;
}

StoredObject ArraySession::read(const std::string& key) {
  auto& step = this->step(Kind::read, key);
  ask(step, {.key = key});
  wait_for(step);
  return step.object;
}

void ArraySession::prefetch(std::span<const std::string> keys) {
  if (at_ < steps_.size()) return;
  const auto begin = at_;
  for (const auto& key : keys) ask(step(Kind::read, key), {.key = key});
  at_ = begin;
}

bool ArraySession::replace(const std::string& key, std::span<const std::byte> bytes,
                           const std::optional<std::string>& tag) {
  return replace_with(
      key, [&] { return std::vector<std::byte>(bytes.begin(), bytes.end()); }, tag);
}

bool ArraySession::replace_with(const std::string& key, const Content& content,
                                const std::optional<std::string>& tag) {
  auto& step = this->step(Kind::replace, key);
  if (!step.asked) {
    auto bytes = content();
    queued_bytes_ += bytes.size();
    ask(step, {.key = key, .tag = tag, .bytes = std::move(bytes)});
    if (has_locks_ && queued_bytes_ >= kMaxQueuedBytes) wait_for(step);
  }
  // With locks, a replacement that does not fail succeeds.
  if (has_locks_) return true;
  wait_for(step);
  return step.replaced;
}

void ArraySession::remove(const std::string& key) {
  ask(step(Kind::remove, key), {.key = key});
}

std::vector<ListedObject> ArraySession::list(const std::string& path) {
  auto& step = this->step(Kind::list, path);
  ask(step, {.key = path});
  wait_for(step);
  return step.listed;
}

std::unique_ptr<ArrayStore::Lock> ArraySession::lock(const std::string& array,
                                                     std::string_view name,
                                                     Access access) {
  if (!has_locks_) return nullptr;
  auto& step = this->step(Kind::lock, array + ":" + std::string(name));
  ask(step, {.key = array, .name = std::string(name), .access = access});
  return std::make_unique<HeldLock>(*this, step.id);
}

/// Does nothing if an error ends the work: the host then releases all locks.
void ArraySession::unlock(std::uint64_t id) {
  if (at_ < steps_.size() && steps_[at_].kind != Kind::unlock) return;
  ask(step(Kind::unlock, std::to_string(id)), {.id = id});
}

ArraySession::Loop& ArraySession::enter(Loop& /*fresh*/) {
  auto& step = this->step(std::nullopt, "");
  step.loop.mark = at_;
  return step.loop;
}

/// Forgets the answers to what is done.
void ArraySession::proceed(Loop& loop) {
  steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(loop.mark), steps_.end());
  at_ = loop.mark;
}

}  // namespace bev::save
