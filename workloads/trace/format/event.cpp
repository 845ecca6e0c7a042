// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/format/event.h"

#include <array>

namespace fabrictwin::trace::format {
namespace {

constexpr CountForm kOne = CountForm::kOne;
constexpr CountForm kEachRank = CountForm::kEachRank;

constexpr int kFirstBlocking = v1::BARRIER;
constexpr int kFirstNonBlocking = v1::IBARRIER;

// By action number. The order of the columns is part of the file format (trace.proto).
constexpr std::array<ActionShape, kFirstNonBlocking> kWritten = {{
    {.name = "unspecified"},
    {.name = "init"},
    {.name = "finalize"},
    {.name = "compute", .duration = true},
    {.name = "send", .peers = 1, .tag = true, .sent = kOne, .datatypes = 1, .communicator = true},
    {.name = "isend", .peers = 1, .tag = true, .sent = kOne, .datatypes = 1, .communicator = true, .starts = true},
    {.name = "recv", .peers = 1, .tag = true, .sent = kOne, .datatypes = 1, .any_source = true, .communicator = true},
    {.name = "irecv",
     .peers = 1,
     .tag = true,
     .sent = kOne,
     .datatypes = 1,
     .any_source = true,
     .communicator = true,
     .starts = true},
    {.name = "wait_send", .peers = 1, .tag = true},
    {.name = "wait_recv", .peers = 1, .tag = true, .any_source = true},
    {.name = "waitall", .sent = kOne},
    {.name = "sendrecv", .peers = 2, .sent = kOne, .received = kOne, .datatypes = 2},
    {.name = "barrier", .collective = true, .communicator = true},
    {.name = "bcast", .peers = 1, .sent = kOne, .datatypes = 1, .collective = true, .communicator = true},
    {.name = "reduce",
     .peers = 1,
     .sent = kOne,
     .datatypes = 1,
     .duration = true,
     .collective = true,
     .communicator = true},
    {.name = "allreduce", .sent = kOne, .datatypes = 1, .duration = true, .collective = true, .communicator = true},
    {.name = "scan", .sent = kOne, .datatypes = 1, .duration = true, .collective = true, .communicator = true},
    {.name = "exscan", .sent = kOne, .datatypes = 1, .duration = true, .collective = true, .communicator = true},
    {.name = "allgather", .sent = kOne, .received = kOne, .datatypes = 2, .collective = true, .communicator = true},
    {.name = "allgatherv",
     .sent = kOne,
     .received = kEachRank,
     .datatypes = 2,
     .collective = true,
     .communicator = true},
    {.name = "alltoall", .sent = kOne, .received = kOne, .datatypes = 2, .collective = true, .communicator = true},
    {.name = "alltoallv",
     .sent = kEachRank,
     .received = kEachRank,
     .datatypes = 2,
     .collective = true,
     .communicator = true},
    {.name = "gather",
     .peers = 1,
     .sent = kOne,
     .received = kOne,
     .datatypes = 2,
     .collective = true,
     .communicator = true},
    {.name = "gatherv",
     .peers = 1,
     .sent = kOne,
     .received = kEachRank,
     .datatypes = 2,
     .collective = true,
     .communicator = true},
    {.name = "scatter",
     .peers = 1,
     .sent = kOne,
     .received = kOne,
     .datatypes = 2,
     .collective = true,
     .communicator = true},
    {.name = "scatterv",
     .peers = 1,
     .sent = kEachRank,
     .received = kOne,
     .datatypes = 2,
     .collective = true,
     .communicator = true},
    {.name = "reduce_scatter",
     .sent = kEachRank,
     .datatypes = 1,
     .duration = true,
     .collective = true,
     .communicator = true},
    {.name = "comm_create", .sent = CountForm::kListed},
    {.name = "comm_free", .sent = kOne},
    {.name = "ssend", .peers = 1, .tag = true, .sent = kOne, .datatypes = 1, .communicator = true},
    {.name = "issend", .peers = 1, .tag = true, .sent = kOne, .datatypes = 1, .communicator = true, .starts = true},
    {.name = "bsend", .peers = 1, .tag = true, .sent = kOne, .datatypes = 1, .communicator = true},
    {.name = "ibsend", .peers = 1, .tag = true, .sent = kOne, .datatypes = 1, .communicator = true, .starts = true},
    {.name = "probe", .peers = 1, .tag = true, .any_source = true, .communicator = true},
    {.name = "wait", .sent = kOne},
}};

constexpr std::array<std::string_view, kActions - kFirstNonBlocking> kNonBlockingNames = {
    "ibarrier",  "ibcast",     "ireduce", "iallreduce", "iscan",    "iexscan",   "iallgather",     "iallgatherv",
    "ialltoall", "ialltoallv", "igather", "igatherv",   "iscatter", "iscatterv", "ireduce_scatter"};

// Nonblocking collectives carry what blocking ones do, in the same order.
constexpr std::array<ActionShape, kActions> kShapes = [] {
  std::array<ActionShape, kActions> shapes{};
  for (size_t i = 0; i < kWritten.size(); ++i) shapes[i] = kWritten[i];
  for (size_t i = 0; i < kNonBlockingNames.size(); ++i) {
    ActionShape& shape = shapes[kFirstNonBlocking + i];
    shape = kWritten[kFirstBlocking + i];
    shape.name = kNonBlockingNames[i];
    shape.starts = true;
  }
  return shapes;
}();

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

v1::TraceAction blocking_action(v1::TraceAction action) {
  if (action < kFirstNonBlocking) return action;
  return static_cast<v1::TraceAction>(action - kFirstNonBlocking + kFirstBlocking);
}

bool is_send(v1::TraceAction action) {
  switch (action) {
    case v1::SEND:
    case v1::ISEND:
    case v1::SSEND:
    case v1::ISSEND:
    case v1::BSEND:
    case v1::IBSEND:
    case v1::SENDRECV:
      return true;
    default:
      return false;
  }
}

bool is_receive(v1::TraceAction action) { return action == v1::RECV || action == v1::IRECV || action == v1::SENDRECV; }

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

}  // namespace fabrictwin::trace::format
