// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/trace_event.h"

#include <array>

namespace fabrictwin {
namespace {

constexpr CountForm kOne = CountForm::kOne;
constexpr CountForm kEachRank = CountForm::kEachRank;

// By action number. The order of the columns is part of the file format (trace.proto).
constexpr std::array<ActionShape, kActions> kShapes = {{
    {.name = "unspecified"},
    {.name = "init"},
    {.name = "finalize"},
    {.name = "compute", .duration = true},
    {.name = "send", .peers = 1, .tag = true, .sent = kOne, .datatypes = 1},
    {.name = "isend", .peers = 1, .tag = true, .sent = kOne, .datatypes = 1},
    {.name = "recv", .peers = 1, .tag = true, .sent = kOne, .datatypes = 1, .any_source = true},
    {.name = "irecv", .peers = 1, .tag = true, .sent = kOne, .datatypes = 1, .any_source = true},
    {.name = "wait_send", .peers = 1, .tag = true},
    {.name = "wait_recv", .peers = 1, .tag = true, .any_source = true},
    {.name = "waitall", .sent = kOne},
    {.name = "sendrecv", .peers = 2, .sent = kOne, .received = kOne, .datatypes = 2},
    {.name = "barrier", .collective = true},
    {.name = "bcast", .peers = 1, .sent = kOne, .datatypes = 1, .collective = true},
    {.name = "reduce", .peers = 1, .sent = kOne, .datatypes = 1, .duration = true, .collective = true},
    {.name = "allreduce", .sent = kOne, .datatypes = 1, .duration = true, .collective = true},
    {.name = "scan", .sent = kOne, .datatypes = 1, .duration = true, .collective = true},
    {.name = "exscan", .sent = kOne, .datatypes = 1, .duration = true, .collective = true},
    {.name = "allgather", .sent = kOne, .received = kOne, .datatypes = 2, .collective = true},
    {.name = "allgatherv", .sent = kOne, .received = kEachRank, .datatypes = 2, .collective = true},
    {.name = "alltoall", .sent = kOne, .received = kOne, .datatypes = 2, .collective = true},
    {.name = "alltoallv", .sent = kEachRank, .received = kEachRank, .datatypes = 2, .collective = true},
    {.name = "gather", .peers = 1, .sent = kOne, .received = kOne, .datatypes = 2, .collective = true},
    {.name = "gatherv", .peers = 1, .sent = kOne, .received = kEachRank, .datatypes = 2, .collective = true},
    {.name = "scatter", .peers = 1, .sent = kOne, .received = kOne, .datatypes = 2, .collective = true},
    {.name = "scatterv", .peers = 1, .sent = kEachRank, .received = kOne, .datatypes = 2, .collective = true},
    {.name = "reduce_scatter", .sent = kEachRank, .datatypes = 1, .duration = true, .collective = true},
}};

}  // namespace

const ActionShape& action_shape(v1::TraceAction action) { return kShapes[static_cast<size_t>(action)]; }

std::string_view action_name(v1::TraceAction action) {
  return v1::TraceAction_IsValid(action) ? action_shape(action).name : kShapes[0].name;
}

std::optional<v1::TraceAction> action_of_name(std::string_view name) {
  for (int i = 1; i < kActions; ++i) {
    if (kShapes[i].name == name) return static_cast<v1::TraceAction>(i);
  }
  return std::nullopt;
}

uint32_t datatype_bytes(v1::TraceDatatype datatype) {
  switch (datatype) {
    case v1::BYTE:
    case v1::CHAR:
      return 1;
    case v1::SHORT:
      return 2;
    case v1::INT:
    case v1::UNSIGNED:
    case v1::FLOAT:
      return 4;
    case v1::LONG:
    case v1::UNSIGNED_LONG:
    case v1::LONG_LONG:
    case v1::DOUBLE:
      return 8;
    default:
      return 0;
  }
}

}  // namespace fabrictwin
