// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/dumpi/types.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cosim/base/text.h"
#include "fmt/format.h"

namespace fabrictwin::trace::dumpi {
namespace {

struct Predefined {
  std::string_view name;
  v1::TraceDatatype datatype;
  uint64_t factor = 1;
};

constexpr std::array<Predefined, 26> kPredefined = {{
    {"MPI_CHAR", v1::CHAR},
    {"MPI_SIGNED_CHAR", v1::CHAR},
    {"MPI_UNSIGNED_CHAR", v1::CHAR},
    {"MPI_BYTE", v1::BYTE},
    {"MPI_PACKED", v1::BYTE},
    {"MPI_WCHAR", v1::INT},
    {"MPI_SHORT", v1::SHORT},
    {"MPI_UNSIGNED_SHORT", v1::SHORT},
    {"MPI_INT", v1::INT},
    {"MPI_UNSIGNED", v1::UNSIGNED},
    {"MPI_LONG", v1::LONG},
    {"MPI_UNSIGNED_LONG", v1::UNSIGNED_LONG},
    {"MPI_FLOAT", v1::FLOAT},
    {"MPI_DOUBLE", v1::DOUBLE},
    {"MPI_LONG_DOUBLE", v1::DOUBLE, 2},
    {"MPI_LONG_LONG_INT", v1::LONG_LONG},
    {"MPI_LONG_LONG", v1::LONG_LONG},
    {"MPI_UNSIGNED_LONG_LONG", v1::LONG_LONG},
    {"MPI_LB", v1::BYTE, 0},
    {"MPI_UB", v1::BYTE, 0},
    {"MPI_FLOAT_INT", v1::INT, 2},
    {"MPI_DOUBLE_INT", v1::INT, 3},
    {"MPI_LONG_INT", v1::INT, 3},
    {"MPI_SHORT_INT", v1::SHORT, 3},
    {"MPI_2INT", v1::INT, 2},
    {"MPI_LONG_DOUBLE_INT", v1::INT, 5},
}};

const Predefined* find_predefined(std::string_view name) {
  for (const Predefined& each : kPredefined) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

// The product, if it is within the size of a message.
std::optional<uint64_t> product(uint64_t a, uint64_t b) {
  using Wide = unsigned __int128;
  const Wide result = Wide{a} * b;
  if (result > format::kMaxMessageBytes) return std::nullopt;
  return static_cast<uint64_t>(result);
}

}  // namespace

absl::StatusOr<uint64_t> Types::size(const Call& call, const Field& field) const {
  if (const Predefined* known = find_predefined(field.label))
    return known->factor * format::datatype_bytes(known->datatype);
  int64_t number = 0;
  const auto found = parse_number(std::string_view(field.value), number) ? sizes_.find(number) : sizes_.end();
  if (found == sizes_.end())
    return call.error_at(field, fmt::format("the size of datatype '{} ({})' is not known", field.value, field.label));
  return found->second;
}

absl::StatusOr<bool> Types::define(const Call& call) {
  if (!call.name.starts_with("MPI_Type_")) return false;
  const absl::StatusOr<const Field*> made = call.field("newtype");
  if (call.name == "MPI_Type_size") {
    const absl::StatusOr<int64_t> number = [&]() -> absl::StatusOr<int64_t> {
      const absl::StatusOr<const Field*> field = call.field("datatype");
      if (!field.ok()) return field.status();
      return call.integer("datatype");
    }();
    const absl::StatusOr<int64_t> bytes = call.integer("size");
    if (!number.ok()) return number.status();
    if (!bytes.ok()) return bytes.status();
    if (*bytes < 0) return call.error("a size is negative");
    sizes_[*number] = static_cast<uint64_t>(*bytes);
    return true;
  }
  if (!made.ok()) return true;
  const absl::StatusOr<int64_t> number = call.integer("newtype");
  if (!number.ok()) return number.status();
  sizes_.erase(*number);
  const absl::StatusOr<const Field*> old = call.field("oldtype");
  if (!old.ok()) return true;
  const absl::StatusOr<uint64_t> old_bytes = size(call, **old);
  if (!old_bytes.ok()) return true;
  uint64_t elements = 0;
  const auto add = [&](int64_t count) {
    elements += static_cast<uint64_t>(count);
    return count >= 0 && elements <= format::kMaxMessageBytes;
  };
  const absl::StatusOr<int64_t> count = call.integer("count");
  if (call.name == "MPI_Type_contiguous") {
    if (!count.ok()) return count.status();
    if (!add(*count)) return call.error("a count is negative or too large");
  } else if (call.name == "MPI_Type_vector" || call.name == "MPI_Type_hvector" ||
             call.name == "MPI_Type_create_hvector") {
    const absl::StatusOr<int64_t> length = call.integer("blocklength");
    if (!count.ok()) return count.status();
    if (!length.ok()) return length.status();
    if (*count < 0 || *length < 0 || !product(*count, *length)) return call.error("a count is negative or too large");
    elements = *product(*count, *length);
  } else if (call.name == "MPI_Type_indexed" || call.name == "MPI_Type_hindexed") {
    if (count.ok() && *count == 0) {
      sizes_[*number] = 0;
      return true;
    }
    const absl::StatusOr<std::vector<int64_t>> lengths = call.list("lengths");
    if (!lengths.ok()) return lengths.status();
    for (const int64_t length : *lengths) {
      if (!add(length)) return call.error("a length is negative or too large");
    }
  } else if (call.name == "MPI_Type_dup" || call.name == "MPI_Type_create_resized") {
    elements = 1;
  } else {
    return true;
  }
  const std::optional<uint64_t> bytes = product(elements, *old_bytes);
  if (!bytes) return call.error("the datatype is larger than a message may be");
  sizes_[*number] = *bytes;
  return true;
}

absl::StatusOr<Types::Amount> Types::amount(const Call& call, std::string_view type, std::string_view argument,
                                            int64_t count) const {
  const absl::StatusOr<const Field*> counts = call.field(argument);
  if (!counts.ok()) return counts.status();
  if (count < 0) return call.error_at(**counts, fmt::format("the count {} is negative", count));
  const absl::StatusOr<const Field*> field = call.field(type);
  if (!field.ok()) return field.status();
  Amount amount;
  uint64_t factor = 0;
  if (const Predefined* known = find_predefined((*field)->label)) {
    amount.datatype = known->datatype;
    factor = known->factor;
  } else {
    const absl::StatusOr<uint64_t> bytes = size(call, **field);
    if (!bytes.ok()) return bytes.status();
    factor = *bytes;
  }
  const std::optional<uint64_t> elements = product(static_cast<uint64_t>(count), factor);
  if (!elements) return call.error_at(**counts, "this is more than a message may have");
  amount.count = *elements;
  return amount;
}

}  // namespace fabrictwin::trace::dumpi
