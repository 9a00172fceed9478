#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "core/pickle/machine.hpp"

namespace bev::pickle {
namespace {

/// Sizes of nodes as if each were copied as often as it is referred to. Visits each node
/// once, without recursion.
class Measuring {
 public:
  Measuring(const Arena& arena, std::string_view where, const Limits& limits)
      : arena_(arena), where_(where), limits_(limits), sizes_(arena.nodes.size()) {}

  void run() {
    enter(arena_.root);
    while (!open_.empty()) {
      auto& top = open_.back();
      if (top.left == 0) {
        leave();
        continue;
      }
      const auto& item = arena_.items[top.item];
      top.item = item.next;
      --top.left;
      if (sizes_[item.node].expanded != 0) {
        add(item.node);
      } else if (has_items(arena_.nodes[item.node].kind)) {
        enter(item.node);
      } else {
        sizes_[item.node] = size_of(arena_.nodes[item.node]);
        add(item.node);
      }
    }
  }

 private:
  struct Size {
    std::uint32_t expanded = 0;  ///< values and bytes; 0 before, kOpen within it
    std::uint32_t depth = 0;
  };
  struct Open {
    std::uint32_t node, item, left;
    std::uint64_t expanded;
    std::uint32_t depth;  ///< of the deepest value in it
  };
  static constexpr std::uint32_t kOpen = std::numeric_limits<std::uint32_t>::max();

  /// Returns the size of a node without items.
  Size size_of(const Node& node) const {
    const auto expanded = std::uint64_t{1} + node.count;
    check_expanded(expanded);
    return {static_cast<std::uint32_t>(expanded), 1};
  }

  void check_expanded(std::uint64_t expanded) const {
    if (expanded <= std::min(limits_.max_expanded, kOpen - 1)) return;
    fail_at(Errc::limit_exceeded, where_,
            {"too many values when each is copied (limit ", limits_.max_expanded, ")"});
  }

  void enter(std::uint32_t number) {
    const auto& node = arena_.nodes[number];
    const bool has = has_items(node.kind);
    check_depth(open_.size() + 1);
    sizes_[number].expanded = kOpen;
    open_.push_back({number, has ? node.items.first : 0, has ? node.count : 0,
                     std::uint64_t{1} + (has ? 0 : node.count), 0});
  }

  void leave() {
    const auto done = open_.back();
    open_.pop_back();
    check_expanded(done.expanded);
    sizes_[done.node] = {static_cast<std::uint32_t>(done.expanded), done.depth + 1};
    if (!open_.empty()) add(done.node);
  }

  void add(std::uint32_t number) {
    const auto& size = sizes_[number];
    if (size.expanded == kOpen) {
      fail_at(Errc::unsupported, where_,
              {to_string(arena_.nodes[number].kind), " that contains itself"});
    }
    auto& into = open_.back();
    into.expanded += size.expanded;
    if (size.depth > into.depth) into.depth = size.depth;
    check_depth(open_.size() + size.depth);
  }

  void check_depth(std::size_t depth) const {
    if (depth <= limits_.max_depth) return;
    fail_at(Errc::limit_exceeded, where_,
            {"nested too deeply (limit ", limits_.max_depth, ")"});
  }

  const Arena& arena_;
  std::string_view where_;
  const Limits& limits_;
  std::vector<Size> sizes_;
  std::vector<Open> open_;
};

}  // namespace

void check_values(const Arena& arena, std::string_view where, const Limits& limits) {
  Measuring(arena, where, limits).run();
}

}  // namespace bev::pickle
