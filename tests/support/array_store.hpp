#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/save/array_store.hpp"

namespace bev::test {

/// A store in memory whose writers exclude each other by locks or by tags. Several
/// writers share the objects.
class MemoryArrayStore : public save::ArrayStore {
 public:
  struct Object {
    std::vector<std::byte> bytes;
    int version = 0;
  };

  /// What several stores share.
  struct Shared {
    std::map<std::string, Object> objects;
    std::multiset<std::string> readers;
    std::set<std::string> writers;
    int version = 0;
    bool has_locks = true;
    int steps = 0;                         ///< reads, writes and removals so far
    std::function<void(int)> before_step;  ///< may throw, as a writer that is killed
  };

  explicit MemoryArrayStore(Shared& shared) : shared_(shared) {}

  std::string name_of(const std::string& key) const override { return key; }

  save::StoredObject read(const std::string& key) override {
    step();
    const auto found = shared_.objects.find(key);
    if (found == shared_.objects.end()) return {std::nullopt, "absent"};
    return {found->second.bytes, std::to_string(found->second.version)};
  }

  bool replace(const std::string& key, std::span<const std::byte> bytes,
               const std::optional<std::string>& tag) override {
    step();
    const auto found = shared_.objects.find(key);
    const auto known = found == shared_.objects.end()
                           ? "absent"
                           : std::to_string(found->second.version);
    if (!shared_.has_locks && tag && *tag != known) return false;
    shared_.objects[key] = {{bytes.begin(), bytes.end()}, ++shared_.version};
    return true;
  }

  void remove(const std::string& key) override {
    step();
    shared_.objects.erase(key);
  }

  std::vector<save::ListedObject> list(const std::string& path) override {
    std::vector<save::ListedObject> out;
    for (const auto& [key, object] : shared_.objects) {
      if (path.empty() || key.starts_with(path + "/")) {
        out.push_back({key, object.bytes.size()});
      }
    }
    return out;
  }

  /// Throws internal where a real store would wait: in a test with one thread, the holder
  /// of the lock would never release it.
  std::unique_ptr<Lock> lock(const std::string& array, std::string_view name,
                             Access access) override {
    if (!shared_.has_locks) return nullptr;
    return std::make_unique<HeldLock>(shared_, array + ":" + std::string(name), access);
  }

  void sync(const std::string&) override {}

 private:
  class HeldLock : public Lock {
   public:
    HeldLock(Shared& shared, std::string name, Access access)
        : shared_(shared), name_(std::move(name)), access_(access) {
      const bool alone = access == Access::exclusive;
      if (shared_.writers.contains(name_) ||
          (alone && shared_.readers.contains(name_))) {
        throw Error(Errc::internal, name_ + ": locked");
      }
      if (alone) {
        shared_.writers.insert(name_);
      } else {
        shared_.readers.insert(name_);
      }
    }

    ~HeldLock() override {
      if (access_ == Access::exclusive) {
        shared_.writers.erase(name_);
      } else {
        shared_.readers.erase(shared_.readers.find(name_));
      }
    }

   private:
    Shared& shared_;
    std::string name_;
    Access access_;
  };

  void step() {
    const int number = shared_.steps++;
    if (shared_.before_step) shared_.before_step(number);
  }

  Shared& shared_;
};

}  // namespace bev::test
