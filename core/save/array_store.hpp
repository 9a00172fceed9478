#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace bev::save {

/// An object as it was read.
struct StoredObject {
  std::optional<std::vector<std::byte>> bytes;  ///< nullopt if there is none
  std::string tag;  ///< names this state of the object, also of an absent one
};

/// An object in a listing.
struct ListedObject {
  std::string key;
  std::uint64_t size = 0;  ///< bytes as stored
};

/// A store whose objects can be replaced one by one while others read and write them.
/// Writers exclude each other by locks, or, where there are none (S3), by replacing
/// an object only if nobody else has.
///
/// Throws         io, network and similar for failures of the store, with the key
/// Thread safety  A store belongs to one thread. Several stores at one place, of
///                threads, processes and machines, exclude each other.
class ArrayStore {
 public:
  /// Released by its destructor.
  class Lock {
   public:
    virtual ~Lock() = default;

    /// Whether others were excluded until now. Only locks for reading may say no, if a
    /// first writer has come meanwhile: what was read must be read again.
    virtual bool held() const { return true; }
  };

  /// Makes the bytes of an object.
  using Content = std::function<std::vector<std::byte>()>;

  /// Reading changes nothing in the store. It excludes exclusive access, as shared does.
  enum class Access { reading, shared, exclusive };

  virtual ~ArrayStore() = default;

  /// Returns what messages call an object: "/data/d.zarr/agents/3".
  virtual std::string name_of(const std::string& key) const = 0;

  virtual StoredObject read(const std::string& key) = 0;

  /// Replaces an object at once: readers see the old or the new one.
  ///
  /// @param tag  only if the object still has this tag, that of read(); if not, it waits
  ///             for a moment and returns false. nullopt: in any case. Ignored in stores
  ///             with locks
  virtual bool replace(const std::string& key, std::span<const std::byte> bytes,
                       const std::optional<std::string>& tag) = 0;

  /// As replace(), with bytes that are made only if they are written.
  virtual bool replace_with(const std::string& key, const Content& content,
                            const std::optional<std::string>& tag) {
    return replace(key, content(), tag);
  }

  /// Announces the objects that are read next, in this order.
  virtual void prefetch(std::span<const std::string> /*keys*/) {}

  /// Removes an object if there is one.
  virtual void remove(const std::string& key) = 0;

  /// Returns the objects below "path/", those of folders below it included.
  virtual std::vector<ListedObject> list(const std::string& path) = 0;

  /// Waits for a lock on a name within an array (or on the array, name ""). Locks are
  /// those of the store's users, not of other programs.
  ///
  /// Returns  null if the store has no locks
  virtual std::unique_ptr<Lock> lock(const std::string& array, std::string_view name,
                                     Access access) = 0;

  /// Makes what was replaced durable.
  virtual void sync(const std::string& array) = 0;

  /// Calls `work(item)` for each item of the vector that `items()` returns. A store that
  /// repeats work (ArraySession) skips the items that are done: what they leave must be
  /// in the store.
  template <class Items, class Work>
  void for_each(const Items& items, const Work& work) {
    using List = std::invoke_result_t<const Items&>;
    Loop fresh;
    auto& loop = enter(fresh);
    if (!loop.items) {
      loop.items = std::make_shared<const List>(items());
      proceed(loop);
    }
    const auto list = std::static_pointer_cast<const List>(loop.items);
    while (loop.done < list->size()) {
      work((*list)[loop.done]);
      ++loop.done;
      proceed(loop);
    }
  }

 protected:
  /// Progress of for_each().
  struct Loop {
    std::shared_ptr<const void> items;  ///< null until they are known
    std::size_t done = 0;
    std::size_t mark = 0;  ///< the store's
  };

  /// Returns the progress of the loop that begins: `fresh`, or that of a repeated loop.
  virtual Loop& enter(Loop& fresh) { return fresh; }

  /// Called when the items are known, and after each of them.
  virtual void proceed(Loop& /*loop*/) {}
};

}  // namespace bev::save
