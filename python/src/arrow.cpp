#include "arrow.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <cerrno>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "held.hpp"

// The structures of the specification "The Arrow C data interface" and "The Arrow C
// stream interface", with their names.
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema*);
  int (*get_next)(ArrowArrayStream*, ArrowArray*);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

namespace bev::python {
namespace {

namespace nb = nanobind;

using Buffer = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;

/// The children of a structure. Consumers may move them out, which clears `release`.
template <class Node>
class Children {
 public:
  explicit Children(std::size_t count) : nodes_(count), pointers_(count) {
    for (std::size_t i = 0; i < count; ++i) pointers_[i] = &nodes_[i];
  }
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;
  ~Children() {
    for (auto& node : nodes_) {
      if (node.release != nullptr) node.release(&node);
    }
  }

  Node** data() noexcept { return pointers_.data(); }
  std::int64_t size() const noexcept {
    return static_cast<std::int64_t>(nodes_.size());
  }

 private:
  std::vector<Node> nodes_;
  std::vector<Node*> pointers_;
};

/// Deletes the private data of a structure of Arrow and marks it as released.
template <class Data, class Node>
void release(Node* node) {
  delete static_cast<Data*>(node->private_data);
  node->release = nullptr;
}

struct SchemaData {
  std::string name, format;
  Children<ArrowSchema> children;
};

constexpr std::int64_t kNullable = 2;  // ARROW_FLAG_NULLABLE
constexpr std::int64_t kNotCounted = -1;

/// Exports a type, described as (name, format, [children]), or with whether it may be
/// null as a fourth.
void export_schema(nb::handle field, ArrowSchema* to) {
  const nb::list fields = nb::cast<nb::list>(field[2]);
  std::unique_ptr<SchemaData> data(
      new SchemaData{nb::cast<std::string>(field[0]), nb::cast<std::string>(field[1]),
                     Children<ArrowSchema>(fields.size())});
  for (std::size_t i = 0; i < fields.size(); ++i) {
    export_schema(fields[i], data->children.data()[i]);
  }
  *to = {data->format.c_str(),
         data->name.c_str(),
         nullptr,
         nb::len(field) > 3 && nb::cast<bool>(field[3]) ? kNullable : 0,
         data->children.size(),
         data->children.data(),
         nullptr,
         &release<SchemaData>,
         static_cast<void*>(data.get())};
  data.release();
}

struct ArrayData {
  std::shared_ptr<const Held> owner;
  std::vector<const void*> buffers;
  Children<ArrowArray> children;
};

/// Exports values, described as (length, [buffer or None], [children]), of which the first
/// buffer says which are not null. `owner` keeps the buffers.
void export_array(nb::handle values, const std::shared_ptr<const Held>& owner,
                  ArrowArray* to) {
  const nb::list parts = nb::cast<nb::list>(values[2]);
  std::unique_ptr<ArrayData> data(new ArrayData{owner, std::vector<const void*>(),
                                                Children<ArrowArray>(parts.size())});
  for (const nb::handle buffer : nb::cast<nb::list>(values[1])) {
    data->buffers.push_back(buffer.is_none() ? nullptr
                                             : nb::cast<Buffer>(buffer).data());
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    export_array(parts[i], owner, data->children.data()[i]);
  }
  const bool has_nulls = !data->buffers.empty() && data->buffers[0] != nullptr;
  *to = {nb::cast<std::int64_t>(values[0]),
         has_nulls ? kNotCounted : 0,
         0,
         static_cast<std::int64_t>(data->buffers.size()),
         data->children.size(),
         data->buffers.data(),
         data->children.data(),
         nullptr,
         &release<ArrayData>,
         static_cast<void*>(data.get())};
  data.release();
}

struct StreamData {
  Held schema, next;
  std::string error;
};

StreamData& data_of(ArrowArrayStream* stream) {
  return *static_cast<StreamData*>(stream->private_data);
}

/// Calls a function with the GIL. Returns 0, or an error code after recording why.
template <class Call>
int guarded(ArrowArrayStream* stream, Call&& call) {
  auto& data = data_of(stream);
  const nb::gil_scoped_acquire gil;
  try {
    call(data);
    return 0;
  } catch (const nb::python_error& error) {
    const nb::str text(error.value());
    data.error = nb::cast<std::string>(nb::str(error.type().attr("__name__"))) + ": " +
                 text.c_str();
    return EIO;
  } catch (const std::exception& error) {
    data.error = error.what();
    return EINVAL;
  }
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* to) {
  return guarded(stream,
                 [to](const StreamData& data) { export_schema(*data.schema, to); });
}

int get_next(ArrowArrayStream* stream, ArrowArray* to) {
  return guarded(stream, [to](const StreamData& data) {
    const nb::object batch = (*data.next)();
    *to = {};
    if (batch.is_none()) return;  // The end: a released array.
    export_array(batch, std::make_shared<const Held>(batch), to);
  });
}

const char* get_last_error(ArrowArrayStream* stream) {
  return data_of(stream).error.c_str();
}

/// Wraps a structure for the PyCapsule interface: released unless a consumer did it.
template <class Node>
nb::capsule arrow_capsule(std::unique_ptr<Node> node, const char* name) {
  nb::capsule capsule(node.get(), name, [](void* pointer) noexcept {
    const std::unique_ptr<Node> owned(static_cast<Node*>(pointer));
    if (owned->release != nullptr) owned->release(owned.get());
  });
  node.release();
  return capsule;
}

using Tuple = nb::typed<nb::tuple, nb::any, nb::ellipsis>;
using Next = nb::typed<nb::callable, nb::any()>;

nb::capsule arrow_schema(const Tuple& field) {
  auto schema = std::make_unique<ArrowSchema>();
  export_schema(field, schema.get());
  return arrow_capsule(std::move(schema), "arrow_schema");
}

nb::capsule arrow_stream(Tuple field, Next next) {
  auto stream = std::make_unique<ArrowArrayStream>();
  auto* data = new StreamData{Held(std::move(field)), Held(std::move(next)), {}};
  *stream = {&get_schema, &get_next, &get_last_error, &release<StreamData>, data};
  return arrow_capsule(std::move(stream), "arrow_array_stream");
}

}  // namespace

void bind_arrow(nb::module_& module) {
  module.def("arrow_schema", &arrow_schema, nb::arg("field"));
  module.def("arrow_stream", &arrow_stream, nb::arg("field"), nb::arg("next"));
}

}  // namespace bev::python
