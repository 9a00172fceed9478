#include "native/export/arrow_schema.hpp"

#include "core/base/error.hpp"

namespace bev::native::arrow {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using zarr::Kind;

struct Table {};

/// Returns the offset of a table's member by its number in the schema.
constexpr flatbuffers::voffset_t member(int number) {
  return static_cast<flatbuffers::voffset_t>(4 + 2 * number);
}

// Members of unions and enumerations.
enum class Type : std::uint8_t {
  integer = 2,
  floating_point = 3,
  utf8 = 5,
  boolean = 6,
  fixed_size_list = 16
};
enum class Header : std::uint8_t { schema = 1, record_batch = 3 };
constexpr std::int16_t kVersion5 = 4;

template <class Fill>
Offset<Table> table(FlatBufferBuilder& builder, Fill&& fill) {
  const auto start = builder.StartTable();
  fill();
  return {builder.EndTable(start)};
}

Type type_of(const zarr::DType& type) {
  switch (type.kind) {
    case Kind::boolean: return Type::boolean;
    case Kind::signed_int:
    case Kind::unsigned_int: return Type::integer;
    case Kind::real: return Type::floating_point;
    default: return Type::utf8;
  }
}

Offset<Table> scalar_type(FlatBufferBuilder& builder, const zarr::DType& type) {
  return table(builder, [&] {
    if (type_of(type) == Type::integer) {
      builder.AddElement(member(0), static_cast<std::int32_t>(8 * type.item_size), 0);
      builder.AddElement(member(1),
                         static_cast<std::uint8_t>(type.kind == Kind::signed_int),
                         std::uint8_t{0});
    } else if (type_of(type) == Type::floating_point) {
      const auto precision = type.item_size == 8 ? 2 : type.item_size == 4 ? 1 : 0;
      builder.AddElement(member(0), static_cast<std::int16_t>(precision),
                         std::int16_t{0});
    }
  });
}

/// Returns a field; its axes from `axis` on are lists.
Offset<Table> field(FlatBufferBuilder& builder, const std::string& name,
                    const zarr::DType& type, std::size_t axis) {
  const auto text = builder.CreateString(name);
  const bool is_list = axis < type.shape.size();
  std::vector<Offset<Table>> children;
  if (is_list) children.push_back(field(builder, "item", type, axis + 1));
  const auto items = builder.CreateVector(children);
  const auto of =
      is_list ? table(builder,
                      [&] {
                        builder.AddElement(
                            member(0), static_cast<std::int32_t>(type.shape[axis]), 0);
                      })
              : scalar_type(builder, type);
  return table(builder, [&] {
    builder.AddOffset(member(0), text);
    builder.AddElement(
        member(2),
        static_cast<std::uint8_t>(is_list ? Type::fixed_size_list : type_of(type)),
        std::uint8_t{0});
    builder.AddOffset(member(3), of);
    builder.AddOffset(member(5), items);
  });
}

Offset<Table> schema(FlatBufferBuilder& builder, const std::vector<Column>& columns) {
  std::vector<Offset<Table>> fields;
  fields.reserve(columns.size());
  for (const auto& column : columns) {
    fields.push_back(field(builder, column.name, column.type, 0));
  }
  const auto list = builder.CreateVector(fields);
  return table(builder, [&] { builder.AddOffset(member(1), list); });
}

flatbuffers::DetachedBuffer message(FlatBufferBuilder& builder, Header type,
                                    Offset<Table> header, std::int64_t body_length) {
  builder.Finish(table(builder, [&] {
    builder.AddElement(member(3), body_length, std::int64_t{0});
    builder.AddOffset(member(2), header);
    builder.AddElement(member(0), kVersion5, std::int16_t{0});
    builder.AddElement(member(1), static_cast<std::uint8_t>(type), std::uint8_t{0});
  }));
  return builder.Release();
}

void check_arrow_schema(const Column& column) {
  const auto& type = column.type;
  const bool known = type.kind == Kind::boolean || type.kind == Kind::signed_int ||
                     type.kind == Kind::unsigned_int || type.kind == Kind::real ||
                     type.kind == Kind::unicode;
  if (!known || type.order == zarr::ByteOrder::big) {
    fail_at(Errc::unsupported, joined({"arrow, field ", column.name}),
            {"unsupported type (found ", zarr::to_string(type),
             ", expected a little-endian number, boolean or string)"});
  }
  for (const auto length : type.shape) {
    if (length <= 0x7fffffff) continue;
    fail_at(Errc::limit_exceeded, joined({"arrow, field ", column.name}),
            {"axis too long (found ", length, ", limit 2147483647)"});
  }
}

}  // namespace

std::vector<Column> columns_of(const RowLayout& layout) {
  std::vector<Column> out;
  if (layout.row.kind != Kind::record) {
    out.push_back({layout.name, layout.row});
  } else {
    for (const auto& one : layout.row.fields) {
      out.push_back({one.name, one.type, one.offset});
    }
  }
  for (const auto& column : out) check_arrow_schema(column);
  return out;
}

flatbuffers::DetachedBuffer schema_message(const std::vector<Column>& columns) {
  FlatBufferBuilder builder;
  return message(builder, Header::schema, schema(builder, columns), 0);
}

flatbuffers::DetachedBuffer batch_message(std::int64_t length,
                                          const std::vector<FieldNode>& nodes,
                                          const std::vector<Buffer>& buffers,
                                          std::int64_t body_length) {
  FlatBufferBuilder builder;
  const auto node_list = builder.CreateVectorOfStructs(nodes);
  const auto buffer_list = builder.CreateVectorOfStructs(buffers);
  const auto batch = table(builder, [&] {
    builder.AddElement(member(0), length, std::int64_t{0});
    builder.AddOffset(member(1), node_list);
    builder.AddOffset(member(2), buffer_list);
  });
  return message(builder, Header::record_batch, batch, body_length);
}

flatbuffers::DetachedBuffer footer(const std::vector<Column>& columns,
                                   const std::vector<Block>& batches) {
  FlatBufferBuilder builder;
  const auto of = schema(builder, columns);
  const auto dictionaries = builder.CreateVectorOfStructs(std::vector<Block>());
  const auto blocks = builder.CreateVectorOfStructs(batches);
  builder.Finish(table(builder, [&] {
    builder.AddOffset(member(1), of);
    builder.AddOffset(member(2), dictionaries);
    builder.AddOffset(member(3), blocks);
    builder.AddElement(member(0), kVersion5, std::int16_t{0});
  }));
  return builder.Release();
}

}  // namespace bev::native::arrow
