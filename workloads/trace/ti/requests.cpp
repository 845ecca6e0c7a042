// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/ti/requests.h"

#include "fmt/format.h"
#include "workloads/trace/ti/line.h"

namespace fabrictwin::trace::ti {

absl::StatusOr<bool> Requests::follow(format::Event& event, int32_t line) {
  if (absl::Status status = tell_apart(event, line); !status.ok()) return status;
  if (event.action == v1::IRECV && event.peer == kTiProcNull) event.peer = format::kAnySource;
  const bool names_peer = format::action_shape(event.action).peers >= 1;
  if (names_peer && event.peer == kTiProcNull) {
    if (absl::Status status = follow_nobody(event); !status.ok()) return status;
    return false;
  }
  if (event.action == v1::WAITALL) to_nobody_.clear();
  const absl::Status found = requests_.follow(event);
  if (event.action != v1::WAIT_SEND && event.action != v1::WAIT_RECV) return true;
  const bool any_tag = event.tag == format::kAnyTag;
  if (!found.ok() && any_tag) return found;
  if (!found.ok()) return true;
  const check::OutstandingRequests::Request& request = requests_.awaited().front();
  // The line is the same for both ends of a message to oneself.
  event.action = request.sends() ? v1::WAIT_SEND : v1::WAIT_RECV;
  if (!any_tag) return true;
  // Trace files have no other wait for such a receive.
  event = format::Event();
  event.action = v1::WAIT;
  event.count = requests_.count() - 1 - request.number;
  return true;
}

absl::Status Requests::tell_apart(const format::Event& event, int32_t line) {
  const bool send = format::is_send(event.action) && event.peer == kTiProcNull;
  const bool receive = event.action == v1::IRECV && event.peer == kTiProcNull;
  if (send && first_to_nobody_ == 0) first_to_nobody_ = line;
  if (receive && first_from_any_ == 0) first_from_any_ = line;
  if (!(send || receive) || first_to_nobody_ == 0 || first_from_any_ == 0) return absl::OkStatus();
  return absl::UnimplementedError(
      fmt::format("the receive from {} in line {} can be of any source or from MPI_PROC_NULL, where this rank sends to "
                  "in line {}: SMPI writes the same of both; call MPI only for ranks that there are, or record with "
                  "libfabrictwin-record.so",
                  kTiProcNull, first_from_any_, first_to_nobody_));
}

absl::Status Requests::follow_nobody(const format::Event& event) {
  if (format::action_shape(event.action).starts) ++to_nobody_[event.tag];
  if (event.action != v1::WAIT_SEND) return absl::OkStatus();
  const auto found = to_nobody_.find(event.tag);
  if (found == to_nobody_.end()) {
    return absl::InvalidArgumentError(fmt::format(
        "waits for a send to MPI_PROC_NULL ({}) with tag {}, but there is no such request", kTiProcNull, event.tag));
  }
  if (--found->second == 0) to_nobody_.erase(found);
  return absl::OkStatus();
}

}  // namespace fabrictwin::trace::ti
