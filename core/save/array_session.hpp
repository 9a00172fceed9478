#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/save/array_store.hpp"

namespace bev::save {

/// What an ArraySession asks its host to do.
struct StoreRequest {
  enum class Kind { read, replace, remove, list, lock, unlock };

  Kind kind = Kind::read;
  std::uint64_t id = 0;   ///< of its answer; lock and unlock: of the lock
  std::string key = {};   ///< list and lock: the array's path
  std::string name = {};  ///< of a lock
  ArrayStore::Access access = ArrayStore::Access::shared;  ///< of a lock
  std::optional<std::string> tag = std::nullopt;           ///< as of replace()
  std::vector<std::byte> bytes = {};                       ///< of replace
};

/// A store for hosts that cannot block: work on arrays asks it, and it asks the host.
///
///   session.begin([&] { array.assign(assignment); });  // an array of this store
///   for (auto asked = session.next(); !asked.empty(); asked = session.next())
///     for (auto& request : asked) ...                  // in this order, then supply
///
/// The work is run until it needs an answer, and from its start again once the host has
/// supplied it; it must do the same each time. Answers are kept until an item of
/// for_each() is done, which is not repeated, and bytes are made once (replace_with()).
/// If a request fails, the host gives up the locks; the work then ends as if the writer
/// was killed.
///
/// Throws         errors of the work; internal for a missing answer
/// Thread safety  One thread.
class ArraySession final : public ArrayStore {
 public:
  using Work = std::function<void()>;

  /// @param place      the store's name in messages
  /// @param has_locks  whether lock requests exclude others; if not, replace requests are
  ///                   conditional
  ArraySession(std::string place, bool has_locks)
      : place_(std::move(place)), has_locks_(has_locks) {}

  /// Begins work, in place of what did not end.
  void begin(Work work);

  /// Continues the work. Returns what the host has to do, in this order; nothing once the
  /// work is done. Reads and lists are always answered, replacements without locks.
  std::vector<StoreRequest> next();

  void supply(std::uint64_t id, StoredObject object);
  void supply(std::uint64_t id, bool replaced);
  void supply(std::uint64_t id, std::vector<ListedObject> listed);

  std::string name_of(const std::string& key) const override;
  StoredObject read(const std::string& key) override;
  bool replace(const std::string& key, std::span<const std::byte> bytes,
               const std::optional<std::string>& tag) override;
  bool replace_with(const std::string& key, const Content& content,
                    const std::optional<std::string>& tag) override;
  void prefetch(std::span<const std::string> keys) override;
  void remove(const std::string& key) override;
  std::vector<ListedObject> list(const std::string& path) override;
  std::unique_ptr<Lock> lock(const std::string& array, std::string_view name,
                             Access access) override;
  void sync(const std::string& /*array*/) override {
  }  // hosts write durably if they can

 protected:
  Loop& enter(Loop& fresh) override;
  void proceed(Loop& loop) override;

 private:
  using Kind = StoreRequest::Kind;
  class HeldLock;

  /// A call of the work, and its answer.
  struct Step {
    std::optional<Kind> kind;  // nullopt: a loop
    std::string key;
    std::uint64_t id = 0;
    bool asked = false;
    bool answered = false;
    StoredObject object = {};
    bool replaced = false;
    std::vector<ListedObject> listed = {};
    Loop loop = {};
  };

  Step& step(std::optional<Kind> kind, const std::string& key);
  void ask(Step& step, StoreRequest request);
  void wait_for(const Step& step);
  Step& find(std::uint64_t id);
  void unlock(std::uint64_t id);

  std::string place_;
  bool has_locks_;
  Work work_;
  std::deque<Step> steps_;  // references to steps stay valid
  std::size_t at_ = 0;      // of the next call in steps_
  std::uint64_t last_id_ = 0;
  bool pausing_ = false;
  std::vector<StoreRequest> requests_;
  std::size_t queued_bytes_ = 0;
};

}  // namespace bev::save
