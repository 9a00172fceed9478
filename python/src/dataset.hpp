#pragma once

#include <nanobind/nanobind.h>

#include <bevscope/dataset.hpp>

namespace bev::python {

/// Binds Dataset. `samples` of it is bound by bind_samples().
void bind_dataset(nanobind::module_& module);

/// Binds Samples and the functions that create them.
void bind_samples(nanobind::module_& module);

/// Binds Simulation.
void bind_simulation(nanobind::module_& module);

/// Binds Reader, ConcatOrder and MixOrder.
void bind_reader(nanobind::module_& module);

/// Binds copy().
void bind_copy(nanobind::module_& module);

/// Binds publish().
void bind_publish(nanobind::module_& module);

/// Binds DataSaver and the functions of saved data sets.
void bind_saver(nanobind::module_& module);

/// Binds WritableArray and create_array().
void bind_writable(nanobind::module_& module);

/// Binds DataLoader.
void bind_loader(nanobind::module_& module);

/// Binds the documents and jobs of batch work.
void bind_batch(nanobind::module_& module);

/// Binds MetricShare and join_metrics().
void bind_metrics(nanobind::module_& module);

/// Binds SemanticMap and AerialImage.
void bind_maps(nanobind::module_& module);

}  // namespace bev::python
