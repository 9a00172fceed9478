#pragma once

#include <nanobind/nanobind.h>

#include <bevscope/source.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "arrays.hpp"

namespace bev::python {

/// The persistent cache of data sets read over HTTP.
struct CacheFolder {
  std::string path;  ///< "": no cache
  std::uint64_t limit = 0;
};

/// How addresses are read.
struct Reading {
  CacheFolder cache = {};
  bool with_map = false;  ///< of scenarios
  std::string maps = {};  ///< the folder of maps, of nuPlan and nuScenes
  std::string ego = {};   ///< the ego vehicle, of CommonRoad and INTERACTION
};

/// Returns the source for a path, a URL, or a Python object with the methods of
/// `bevscope.Source`. Its reads run Python's signal handlers.
std::shared_ptr<Source> source_of(const nanobind::object& address,
                                  const Reading& reading);

/// Returns what the persistent cache of a source of source_of() did, as a dict; None
/// without one.
std::optional<NamedCounts> cache_counters_of(const Source& source);

void bind_sources(nanobind::module_& module);

}  // namespace bev::python
