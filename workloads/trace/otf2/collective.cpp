// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/otf2/collective.h"

#include <otf2/OTF2_Events.h>

#include <algorithm>
#include <array>

#include "absl/status/statusor.h"
#include "cosim/base/text.h"
#include "fmt/format.h"

namespace fabrictwin::trace::otf2 {
namespace {

struct Operation {
  std::string_view name;
  v1::TraceAction action = v1::TRACE_ACTION_UNSPECIFIED;
};

// Indexed by OTF2_CollectiveOp.
constexpr std::array<Operation, 23> kOperations = {{
    {"MPI_Barrier", v1::BARRIER},
    {"MPI_Bcast", v1::BCAST},
    {"MPI_Gather", v1::GATHER},
    {"MPI_Gatherv", v1::GATHERV},
    {"MPI_Scatter", v1::SCATTER},
    {"MPI_Scatterv", v1::SCATTERV},
    {"MPI_Allgather", v1::ALLGATHER},
    {"MPI_Allgatherv", v1::ALLGATHERV},
    {"MPI_Alltoall", v1::ALLTOALL},
    {"MPI_Alltoallv"},
    {"MPI_Alltoallw"},
    {"MPI_Allreduce", v1::ALLREDUCE},
    {"MPI_Reduce", v1::REDUCE},
    {"MPI_Reduce_scatter", v1::REDUCE_SCATTER},
    {"MPI_Scan", v1::SCAN},
    {"MPI_Exscan", v1::EXSCAN},
    {"MPI_Reduce_scatter_block", v1::REDUCE_SCATTER},
    {"creation of a handle"},
    {"destruction of a handle"},
    {"allocation"},
    {"deallocation"},
    {"creation of a handle with allocation"},
    {"destruction of a handle with deallocation"},
}};

constexpr char kSumOnly[] =
    "EZTrace records only the sum of the counts, which is not supported: a trace has each of them";

using Bytes = absl::StatusOr<uint64_t>;

// Bytes exchanged with each member, if they were `total` in all. In place, a member does not exchange with itself.
Bytes share(uint64_t total, uint64_t members) {
  if (total % members == 0) return total / members;
  if (members > 1 && total % (members - 1) == 0) return total / (members - 1);
  return absl::InvalidArgumentError(fmt::format("{} bytes are not the same for each of {} members", total, members));
}

// Bytes of a call with a root: `total` is over all members, `own` is the share of a member that is not the root. In
// place, the root has none.
Bytes rooted_share(uint64_t total, uint64_t own, uint64_t members, bool root) {
  if (!root || own > 0 || total == 0) return own;
  if (members > 1 && total % (members - 1) == 0) return total / (members - 1);
  return absl::InvalidArgumentError(fmt::format("{} bytes are not the same for each of {} members", total, members));
}

// A member sends to those above and receives from those below, itself included unless in place.
Bytes scan_share(const Collective& collective, uint64_t me, uint64_t members) {
  using Wide = unsigned __int128;
  const auto fits = [&](uint64_t above, uint64_t below) {
    return Wide{collective.sent} * below == Wide{collective.received} * above &&
           (above == 0 || collective.sent % above == 0) && (below == 0 || collective.received % below == 0);
  };
  const bool inclusive = collective.operation == OTF2_COLLECTIVE_OP_SCAN;
  if (inclusive && fits(members - me, me + 1)) return collective.sent / (members - me);
  if (fits(members - me - 1, me)) {
    if (me > 0) return collective.received / me;
    if (members > 1) return collective.sent / (members - 1);
    if (collective.sent == 0 && collective.received == 0) return 0;
  }
  return absl::InvalidArgumentError(fmt::format("{} bytes sent and {} received are not those of member {} of {}",
                                                collective.sent, collective.received, me, members));
}

absl::Status set_counts(const Bytes& sent, const Bytes& received, format::Event& event) {
  if (!sent.ok()) return sent.status();
  if (!received.ok()) return received.status();
  event.count = *sent;
  event.receive_count = *received;
  return absl::OkStatus();
}

}  // namespace

std::string_view otf2_collective_name(uint8_t operation) {
  return operation < kOperations.size() ? kOperations[operation].name : "an unknown collective";
}

std::optional<v1::TraceAction> otf2_collective_action(uint8_t operation) {
  if (operation >= kOperations.size()) return std::nullopt;
  const v1::TraceAction action = kOperations[operation].action;
  return action == v1::TRACE_ACTION_UNSPECIFIED ? std::nullopt : std::optional(action);
}

bool needs_all_members(uint8_t operation) {
  return operation == OTF2_COLLECTIVE_OP_GATHERV || operation == OTF2_COLLECTIVE_OP_SCATTERV ||
         operation == OTF2_COLLECTIVE_OP_ALLGATHERV || operation == OTF2_COLLECTIVE_OP_REDUCE_SCATTER;
}

bool is_collective_call(std::string_view call) {
  return std::any_of(kOperations.begin(), kOperations.end(), [&](const Operation& operation) {
    // MPI_Ibarrier is the nonblocking MPI_Barrier.
    return operation.name == call ||
           (call.starts_with("MPI_I") && to_lower(operation.name.substr(4)) == call.substr(5));
  });
}

absl::StatusOr<uint64_t> contribution(const Collective& collective, uint64_t members) {
  if (collective.of_arguments) members = 1;
  switch (collective.operation) {
    case OTF2_COLLECTIVE_OP_GATHERV:
      return collective.sent;
    case OTF2_COLLECTIVE_OP_SCATTERV:
      return collective.received;
    case OTF2_COLLECTIVE_OP_ALLGATHERV:
      return share(collective.sent, members);
    default:
      return share(collective.received, members);
  }
}

absl::Status fill_collective(const Collective& collective, uint64_t me, uint64_t members,
                             const std::vector<uint64_t>& each, format::Event& event) {
  const std::optional<v1::TraceAction> action = otf2_collective_action(collective.operation);
  if (!action) {
    return absl::UnimplementedError(fmt::format("{} is not supported: the archive does not say how much goes to whom",
                                                otf2_collective_name(collective.operation)));
  }
  event.action = *action;
  event.datatype = v1::BYTE;
  event.receive_datatype = v1::BYTE;
  const uint64_t sent = collective.sent;
  const uint64_t received = collective.received;
  const bool root = collective.root == me;
  // A record of arguments need not be divided among members.
  const uint64_t sharers = collective.of_arguments ? 1 : members;
  switch (collective.operation) {
    case OTF2_COLLECTIVE_OP_BARRIER:
      return absl::OkStatus();
    case OTF2_COLLECTIVE_OP_BCAST: {
      // The root also receives its own message.
      const Bytes bytes = received > 0 || sent == 0 ? Bytes(received) : share(sent, sharers);
      return set_counts(bytes, 0, event);
    }
    case OTF2_COLLECTIVE_OP_REDUCE:
      return set_counts(rooted_share(received, sent, sharers, root), 0, event);
    case OTF2_COLLECTIVE_OP_ALLREDUCE:
      return set_counts(share(sent, sharers), 0, event);
    case OTF2_COLLECTIVE_OP_SCAN:
    case OTF2_COLLECTIVE_OP_EXSCAN:
      return set_counts(scan_share(collective, me, members), 0, event);
    case OTF2_COLLECTIVE_OP_GATHER: {
      const Bytes own = rooted_share(received, sent, sharers, root);
      return set_counts(own, own, event);
    }
    case OTF2_COLLECTIVE_OP_SCATTER: {
      const Bytes own = rooted_share(sent, received, sharers, root);
      return set_counts(own, own, event);
    }
    case OTF2_COLLECTIVE_OP_ALLGATHER:
    case OTF2_COLLECTIVE_OP_ALLTOALL:
      return set_counts(share(sent, sharers), share(received, sharers), event);
    case OTF2_COLLECTIVE_OP_GATHERV:
    case OTF2_COLLECTIVE_OP_ALLGATHERV:
      event.count = each[me];
      event.receive_counts = each;
      return absl::OkStatus();
    case OTF2_COLLECTIVE_OP_SCATTERV:
      event.receive_count = each[me];
      event.send_counts = each;
      return absl::OkStatus();
    case OTF2_COLLECTIVE_OP_REDUCE_SCATTER:
      if (collective.of_arguments) return absl::UnimplementedError(kSumOnly);
      event.send_counts = each;
      return absl::OkStatus();
    default: {  // Blocks of equal size.
      const Bytes block = share(received, sharers);
      if (!block.ok()) return block.status();
      event.send_counts.assign(members, *block);
      return absl::OkStatus();
    }
  }
}

}  // namespace fabrictwin::trace::otf2
