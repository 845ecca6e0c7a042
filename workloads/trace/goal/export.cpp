// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/goal/export.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "workloads/trace/check/outstanding_requests.h"
#include "workloads/trace/format/output_folder.h"

namespace fabrictwin::trace::goal {
namespace {

constexpr int64_t kNanosecond = 1'000'000;
constexpr size_t kBufferBytes = 1u << 16;

// Writes the schedule of one rank. An operation must wait for the completion of the last blocking one, for the start of
// the last nonblocking one, and for what was waited for.
class RankSchedule {
 public:
  RankSchedule(uint32_t rank, format::OutputFolder& folder) : folder_(folder), requests_(static_cast<int32_t>(rank)) {
    text_ = fmt::format("rank {} {{\n", rank);
  }

  // Unimplemented if the format cannot express the event.
  absl::Status add(const format::Event& event) {
    if (event.communicator != 0) return absl::UnimplementedError("a GOAL schedule has no communicators");
    if (absl::Status status = requests_.follow(event); !status.ok()) return status;
    switch (event.action) {
      case v1::INIT:
      case v1::FINALIZE:
      case v1::COMM_CREATE:
      case v1::COMM_FREE:
        return absl::OkStatus();
      case v1::COMPUTE:
        compute(event.duration);
        return absl::OkStatus();
      case v1::SEND:
        block(send(event.peer, event.tag, format::event_bytes(event)));
        return absl::OkStatus();
      case v1::ISEND:
        open(send(event.peer, event.tag, format::event_bytes(event)));
        return absl::OkStatus();
      // A buffered send does not wait until it has left.
      case v1::BSEND:
      case v1::IBSEND:
        send(event.peer, event.tag, format::event_bytes(event));
        return absl::OkStatus();
      case v1::RECV:
        block(receive(event.peer, event.tag, format::event_bytes(event)));
        return absl::OkStatus();
      case v1::IRECV:
        open(receive(event.peer, event.tag, format::event_bytes(event)));
        return absl::OkStatus();
      case v1::SENDRECV: {
        const std::vector<Dependency> before = after_;
        const uint64_t received = receive(event.receive_peer, event.tag, format::event_receive_bytes(event));
        after_ = before;
        const uint64_t sent = send(event.peer, event.tag, format::event_bytes(event));
        after_ = {{received, false}, {sent, false}};
        return absl::OkStatus();
      }
      case v1::WAIT:
      case v1::WAIT_SEND:
      case v1::WAIT_RECV:
      case v1::WAITALL:
        for (const check::OutstandingRequests::Request& request : requests_.awaited()) {
          if (request.label != kNobody) after_.push_back({request.label, false});
        }
        return absl::OkStatus();
      default:
        return absl::UnimplementedError(
            fmt::format("a GOAL schedule has no form for {}", format::action_name(event.action)));
    }
  }

  absl::Status write_if_long() { return text_.size() < kBufferBytes ? absl::OkStatus() : write(); }
  absl::Status end() {
    // Without a last operation, the last waits would be lost.
    const auto message = [this](const Dependency& each) { return !each.start && each.label != last_compute_; };
    if (std::any_of(after_.begin(), after_.end(), message)) add_line("calc 0");
    text_ += "}\n";
    return write();
  }

 private:
  struct Dependency {
    uint64_t label = 0;
    bool start = false;  // Waits for its start only.
  };
  static constexpr uint64_t kNobody = 0;  // No operation has this label.

  absl::Status write() {
    const absl::Status status = folder_.write(text_);
    text_.clear();
    return status;
  }
  uint64_t add_line(const std::string& operation) {
    const uint64_t label = ++labels_;
    text_ += fmt::format("l{}: {}\n", label, operation);
    for (const Dependency& each : after_)
      text_ += fmt::format("l{} {} l{}\n", label, each.start ? "irequires" : "requires", each.label);
    // All later operations start after this one, which has waited for its own dependencies.
    after_ = {{label, true}};
    return label;
  }
  uint64_t send(int32_t to, int32_t tag, uint64_t bytes) {
    return add_line(fmt::format("send {}b to {} tag {}", bytes, to, tag));
  }
  uint64_t receive(int32_t from, int32_t tag, uint64_t bytes) {
    return add_line(fmt::format("recv {}b from {} tag {}", bytes, from, tag));
  }
  void block(uint64_t label) { after_ = {{label, false}}; }
  void compute(Time duration) {
    // Rounding errors must not accumulate.
    left_ += duration.fs();
    const int64_t ns = left_ / kNanosecond;
    left_ -= ns * kNanosecond;
    if (ns == 0) return;
    last_compute_ = add_line(fmt::format("calc {}", ns));
    block(last_compute_);
  }
  void open(uint64_t label) { requests_.started()->label = label; }

  format::OutputFolder& folder_;
  std::string text_;
  uint64_t labels_ = 0;
  uint64_t last_compute_ = kNobody;
  int64_t left_ = 0;
  std::vector<Dependency> after_;
  check::OutstandingRequests requests_;  // The labels are those of their operations.
};

absl::Status export_rank(const format::Source& trace, uint32_t rank, format::OutputFolder& folder) {
  const std::unique_ptr<format::EventSource> source = trace.rank(rank);
  RankSchedule schedule(rank, folder);
  format::Event event;
  for (uint64_t number = 0;; ++number) {
    absl::StatusOr<bool> more = source->next(event);
    if (!more.ok()) return more.status();
    if (!*more) return schedule.end();
    if (absl::Status status = schedule.add(event); !status.ok()) {
      return absl::Status(status.code(),
                          fmt::format("{}: rank {}, event {}: {}", trace.name(), rank, number, message_of(status)));
    }
    if (absl::Status status = schedule.write_if_long(); !status.ok()) return status;
  }
}

}  // namespace

absl::Status export_goal(const format::Source& trace, const std::string& out) {
  absl::StatusOr<std::unique_ptr<format::OutputFolder>> folder = format::OutputFolder::create(out);
  if (!folder.ok()) return folder.status();
  if (absl::Status status = (*folder)->begin_file("trace.goal"); !status.ok()) return status;
  if (absl::Status status = (*folder)->write(fmt::format("num_ranks {}\n", trace.ranks())); !status.ok()) return status;
  for (uint32_t rank = 0; rank < trace.ranks(); ++rank) {
    if (absl::Status status = export_rank(trace, rank, **folder); !status.ok()) return status;
  }
  return (*folder)->finish();
}

}  // namespace fabrictwin::trace::goal
