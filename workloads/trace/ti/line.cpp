// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/ti/line.h"

#include <algorithm>
#include <array>
#include <string>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "workloads/trace/format/column_decoder.h"
#include "workloads/trace/ti/fields.h"

namespace fabrictwin::trace::ti {
namespace {

struct Name {
  std::string_view name;
  v1::TraceAction action;
};

constexpr std::array<Name, 29> kNames = {{
    {"init", v1::INIT},
    {"finalize", v1::FINALIZE},
    {"compute", v1::COMPUTE},
    {"send", v1::SEND},
    {"isend", v1::ISEND},
    {"recv", v1::RECV},
    {"irecv", v1::IRECV},
    {"ssend", v1::SSEND},
    {"issend", v1::ISSEND},
    {"bsend", v1::BSEND},
    {"ibsend", v1::IBSEND},
    {"wait", v1::WAIT_RECV},
    {"waitall", v1::WAITALL},
    {"sendRecv", v1::SENDRECV},
    {"barrier", v1::BARRIER},
    {"bcast", v1::BCAST},
    {"reduce", v1::REDUCE},
    {"allreduce", v1::ALLREDUCE},
    {"scan", v1::SCAN},
    {"exscan", v1::EXSCAN},
    {"allgather", v1::ALLGATHER},
    {"allgatherv", v1::ALLGATHERV},
    {"alltoall", v1::ALLTOALL},
    {"alltoallv", v1::ALLTOALLV},
    {"gather", v1::GATHER},
    {"gatherv", v1::GATHERV},
    {"scatter", v1::SCATTER},
    {"scatterv", v1::SCATTERV},
    {"reducescatter", v1::REDUCE_SCATTER},
}};

// Calls of which SMPI records too little: which request a waitAny took, who is in a communicator, which request a wait
// for a nonblocking collective is for.
constexpr auto kUnsupported = std::to_array<std::string_view>(
    {"waitAny",        "waitsome",  "test",       "testany",    "testall",    "testsome", "probe",    "iprobe",
     "sleep",          "comm_size", "comm_split", "comm_dup",   "location",   "rsend",    "irsend",   "start",
     "startall",       "ibarrier",  "ibcast",     "ireduce",    "iallreduce", "iscan",    "iexscan",  "iallgather",
     "iallgatherv",    "ialltoall", "ialltoallv", "ialltoallw", "igather",    "igatherv", "iscatter", "iscatterv",
     "ireducescatter", "put",       "get",        "accumulate", "win_fence"});

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return (x | 0x20) == (y | 0x20); });
}

std::optional<v1::TraceAction> read_action(Fields& fields) {
  const std::string_view word = fields.word("the name of the call");
  if (fields.failed()) return std::nullopt;
  for (const Name& name : kNames) {
    if (same_name(name.name, word)) return name.action;
  }
  for (const std::string_view name : kUnsupported) {
    if (!same_name(name, word)) continue;
    fields.fail(fmt::format("'{}' is not supported: a trace does not say enough of it to be replayed", word), true);
    return std::nullopt;
  }
  fields.fail(fmt::format("'{}' is not a call of a time-independent trace", Fields::shorten(word)));
  return std::nullopt;
}

void read_wait(Fields& fields, uint32_t rank, uint32_t ranks, format::Event& event) {
  const int32_t source = fields.rank("the source", ranks, Fields::RankForm::kOrAnySource);
  const int32_t destination = fields.rank("the destination", ranks, Fields::RankForm::kOrProcNull);
  if (fields.failed()) return;
  const int32_t self = static_cast<int32_t>(rank);
  if (destination == self) {
    event.action = v1::WAIT_RECV;
    event.peer = source;
  } else if (source == self) {
    event.action = v1::WAIT_SEND;
    event.peer = destination;
  } else {
    fields.fail(
        fmt::format("rank {} waits for a message from {} to {}, which is not its own", rank, source, destination));
  }
  event.tag = fields.tag(event.action == v1::WAIT_RECV);
}

void scale(uint32_t factor, uint64_t& count, std::vector<uint64_t>& counts) {
  if (factor == 1) return;
  count *= factor;
  for (uint64_t& each : counts) each *= factor;
}

// Call it after the counts, which become those of the type in the trace file.
Datatype read_datatype(Fields& fields, std::string_view what, format::Event& event) {
  const Datatype datatype = fields.datatype(what);
  event.datatype = datatype.type;
  scale(datatype.elements, event.count, event.send_counts);
  return datatype;
}

void use_receive_datatype(const Datatype& datatype, format::Event& event) {
  event.receive_datatype = datatype.type;
  scale(datatype.elements, event.receive_count, event.receive_counts);
}

void read_receive_datatype(Fields& fields, format::Event& event) {
  use_receive_datatype(fields.datatype("the receive datatype"), event);
}

// SMPI omits a receive count of zero, so the number of fields decides.
void read_exchange(Fields& fields, uint32_t ranks, bool rooted, format::Event& event) {
  const size_t full = rooted ? 5 : 4;
  const bool has_received = fields.left() >= full;
  event.count = fields.count("the send count");
  event.receive_count = has_received ? fields.count("the receive count") : 0;
  if (rooted) event.peer = fields.rank("the root", ranks);
  read_datatype(fields, "the send datatype", event);
  read_receive_datatype(fields, event);
}

void read_alltoallv(Fields& fields, uint32_t ranks, format::Event& event) {
  const bool has_received = fields.left() >= 2 * size_t{ranks} + 4;
  fields.count("the size of the send buffer");
  event.send_counts = fields.counts(ranks, "the send counts");
  if (has_received) fields.count("the size of the receive buffer");
  event.receive_counts = fields.counts(ranks, "the receive counts");
  read_datatype(fields, "the send datatype", event);
  read_receive_datatype(fields, event);
}

void read_rooted_vector(Fields& fields, uint32_t ranks, format::Event& event) {
  if (event.action == v1::SCATTERV) {
    event.send_counts = fields.counts(ranks, "the send counts");
    event.receive_count = fields.count("the receive count");
  } else {
    event.count = fields.count("the send count");
    event.receive_counts = fields.counts(ranks, "the receive counts");
  }
  if (event.action != v1::ALLGATHERV) event.peer = fields.rank("the root", ranks);
  const Datatype sent = read_datatype(fields, "the send datatype", event);
  if (event.action == v1::ALLGATHERV && fields.left() == 0) {
    use_receive_datatype(sent, event);
  } else {
    read_receive_datatype(fields, event);
  }
}

void read_arguments(Fields& fields, uint32_t rank, uint32_t ranks, format::Event& event) {
  switch (event.action) {
    case v1::COMPUTE:
      event.duration = fields.duration("the amount of computation");
      break;
    case v1::SEND:
    case v1::ISEND:
    case v1::SSEND:
    case v1::ISSEND:
    case v1::BSEND:
    case v1::IBSEND:
    case v1::RECV:
    case v1::IRECV: {
      using Form = Fields::RankForm;
      const bool receive = format::is_receive(event.action);
      // SMPI omits blocking receives from MPI_PROC_NULL.
      const Form form = event.action == v1::IRECV ? Form::kOrUnnamed : receive ? Form::kOrAnySource : Form::kOrProcNull;
      event.peer = fields.rank("the other end", ranks, form);
      event.tag = fields.tag(receive);
      event.count = fields.count("the count");
      read_datatype(fields, "the datatype", event);
      break;
    }
    case v1::WAIT_RECV:
      read_wait(fields, rank, ranks, event);
      break;
    case v1::WAITALL:
      event.count = fields.count("the number of requests");
      break;
    case v1::SENDRECV:
      event.count = fields.count("the send count");
      event.peer = fields.rank("the destination", ranks);
      event.receive_count = fields.count("the receive count");
      event.receive_peer = fields.rank("the source", ranks, Fields::RankForm::kOrAnySource);
      if (event.receive_peer == format::kAnySource)
        fields.fail("a sendRecv from any source is not supported: its tag is not in the trace", true);
      read_datatype(fields, "the send datatype", event);
      read_receive_datatype(fields, event);
      break;
    case v1::BCAST:
    case v1::REDUCE:
    case v1::ALLREDUCE:
    case v1::SCAN:
    case v1::EXSCAN:
      event.count = fields.count("the count");
      if (event.action != v1::BCAST) event.duration = fields.duration("the amount of computation");
      if (event.action == v1::BCAST || event.action == v1::REDUCE) event.peer = fields.rank("the root", ranks);
      read_datatype(fields, "the datatype", event);
      break;
    case v1::ALLGATHER:
    case v1::ALLTOALL:
      read_exchange(fields, ranks, false, event);
      break;
    case v1::GATHER:
    case v1::SCATTER:
      read_exchange(fields, ranks, true, event);
      break;
    case v1::ALLTOALLV:
      read_alltoallv(fields, ranks, event);
      break;
    case v1::ALLGATHERV:
    case v1::GATHERV:
    case v1::SCATTERV:
      read_rooted_vector(fields, ranks, event);
      break;
    case v1::REDUCE_SCATTER:
      // Both calls have this name, but a line of MPI_Reduce_scatter has no blank at its end.
      if (fields.zeros_and_one() && (fields.left() != size_t{ranks} + 2 || fields.ends_in_blank())) {
        fields.fail("MPI_Reduce_scatter_block is not supported: SMPI writes zeros instead of its counts", true);
        break;
      }
      event.send_counts = fields.counts(ranks, "the receive counts");
      event.duration = fields.duration("the amount of computation");
      read_datatype(fields, "the datatype", event);
      break;
    default:
      break;
  }
}

}  // namespace

std::optional<Error> parse_ti_line(std::string_view line, uint32_t rank, uint32_t ranks, format::Event& event) {
  event = format::Event();
  Fields fields(line);
  const int64_t number = fields.integer("the rank");
  if (!fields.failed() && number != int64_t{rank})
    fields.fail(fmt::format("a line of rank {} in the file of rank {}", number, rank));
  const std::optional<v1::TraceAction> action = read_action(fields);
  if (action) {
    event.action = *action;
    read_arguments(fields, rank, ranks, event);
    fields.end();
  }
  if (fields.failed()) return fields.take_error();
  // Trace files cannot express these: the importer finds the receive, and drops operations with MPI_PROC_NULL.
  const bool unnamed_source = event.action == v1::IRECV && event.peer == kTiProcNull;
  if (unnamed_source) event.peer = format::kAnySource;
  if (event.peer == kTiProcNull || (event.action == v1::WAIT_RECV && event.tag == format::kAnyTag)) return std::nullopt;
  if (absl::Status status = format::check_event(event, ranks); !status.ok())
    return Error{1, std::string(message_of(status)), false};
  if (unnamed_source) event.peer = kTiProcNull;
  return std::nullopt;
}

}  // namespace fabrictwin::trace::ti
