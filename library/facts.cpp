#include <bevscope/dataset.hpp>
#include <memory>
#include <utility>

#include "core/base/error.hpp"
#include "core/facts/columns.hpp"
#include "core/facts/light_at_entry.hpp"
#include "core/scan/read_facts.hpp"
#include "library/dataset_impl.hpp"
#include "library/map_impl.hpp"

namespace bev {
namespace {

/// Both tables, and views of their columns.
struct Facts {
  facts::FactTable scenes{facts::TableKind::scenes};
  facts::FactTable tracks{facts::TableKind::tracks};
  ResultSet results;
};

std::shared_ptr<const facts::LightsOfMap> lights_of(const SemanticMap* map) {
  if (map == nullptr) return nullptr;
  return std::make_shared<const facts::LightsOfMap>(map->impl().source);
}

}  // namespace

Arrays Dataset::facts(const FactsOptions& options) {
  const auto count = scene_count();
  const auto end = options.end.value_or(count);
  if (options.begin > end || end > count) {
    fail(Errc::out_of_range, {"facts: scenes ", options.begin, " to ", end,
                              " are out of range (count ", count, ")"});
  }
  auto found = std::make_shared<Facts>();
  FactsToRead from;
  from.tables = {{facts::TableKind::scenes}, {facts::TableKind::tracks}};
  from.begin = options.begin;
  from.end = end;
  from.lights = lights_of(options.map);
  if (options.map != nullptr) from.map = options.map->impl().mark();
  from.uses_file = !options.compute;
  from.on_notice = options.on_notice;
  read_facts(impl_->engine, *impl_->source, from, [&](const facts::FactTable& rows) {
    (rows.kind == facts::TableKind::scenes ? found->scenes : found->tracks)
        .append(rows);
  });
  add_facts(found->scenes, found->results);
  add_facts(found->tracks, found->results);
  return library::arrays_of(found->results.arrays(), found);
}

std::string describe_facts() {
  return facts::describe();
}

}  // namespace bev
