// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/goal_export.h"

#include <deque>
#include <map>
#include <tuple>
#include <vector>

#include "fmt/format.h"
#include "workloads/trace/output_folder.h"

namespace fabrictwin {
namespace {

constexpr int64_t kNanosecond = 1'000'000;
constexpr size_t kBufferBytes = 1u << 16;

// Writes the schedule of one rank. An operation must wait for the completion of the last blocking one, for the start of
// the last one that does not block, and for what was waited for.
class RankSchedule {
 public:
  RankSchedule(uint32_t rank, OutputFolder& folder) : folder_(folder) { text_ = fmt::format("rank {} {{\n", rank); }

  // False if the event has no form.
  bool add(const TraceEvent& event) {
    switch (event.action) {
      case v1::COMPUTE:
        compute(event.duration);
        return true;
      case v1::SEND:
        block(send(event.peer, event.tag, event_bytes(event)));
        return true;
      case v1::ISEND:
        open(true, event, send(event.peer, event.tag, event_bytes(event)));
        return true;
      // Nobody waits until it has left.
      case v1::BSEND:
        send(event.peer, event.tag, event_bytes(event));
        return true;
      case v1::IBSEND:
        send(event.peer, event.tag, event_bytes(event));
        open(true, event, kNobody);
        return true;
      case v1::RECV:
      case v1::IRECV: {
        if (event.peer == kAnySource) return false;
        const uint64_t label = receive(event.peer, event.tag, event_bytes(event));
        if (event.action == v1::RECV) {
          block(label);
        } else {
          open(false, event, label);
        }
        return true;
      }
      case v1::SENDRECV: {
        const std::vector<Dependency> before = after_;
        const uint64_t received = receive(event.receive_peer, event.tag, event_receive_bytes(event));
        after_ = before;
        const uint64_t sent = send(event.peer, event.tag, event_bytes(event));
        after_ = {{received, false}, {sent, false}};
        return true;
      }
      case v1::WAIT_SEND:
      case v1::WAIT_RECV:
        wait(event);
        return true;
      case v1::WAITALL:
        for (auto& [key, labels] : open_) {
          for (const uint64_t label : labels) require(label);
        }
        open_.clear();
        return true;
      case v1::INIT:
      case v1::FINALIZE:
        return true;
      default:
        return false;
    }
  }

  absl::Status write_if_long() { return text_.size() < kBufferBytes ? absl::OkStatus() : write(); }
  absl::Status end() {
    text_ += "}\n";
    return write();
  }

 private:
  struct Dependency {
    uint64_t label = 0;
    bool start = false;  // Of its start only.
  };
  static constexpr uint64_t kNobody = 0;           // No operation has this label.
  using Key = std::tuple<bool, int32_t, int32_t>;  // Send, peer, tag.

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
    // Whatever comes later starts after this; what this had to wait for is waited for.
    after_ = {{label, true}};
    return label;
  }
  uint64_t send(int32_t to, int32_t tag, uint64_t bytes) {
    return add_line(fmt::format("send {}b to {} tag {}", bytes, to, tag));
  }
  uint64_t receive(int32_t from, int32_t tag, uint64_t bytes) {
    return add_line(fmt::format("recv {}b from {} tag {}", bytes, from, tag));
  }
  void require(uint64_t label) {
    if (label != kNobody) after_.push_back({label, false});
  }
  void block(uint64_t label) { after_ = {{label, false}}; }
  void compute(Time duration) {
    // Rounding must not add up.
    left_ += duration.fs();
    const int64_t ns = left_ / kNanosecond;
    left_ -= ns * kNanosecond;
    if (ns > 0) block(add_line(fmt::format("calc {}", ns)));
  }
  void open(bool send, const TraceEvent& event, uint64_t label) {
    open_[{send, event.peer, event.tag}].push_back(label);
  }
  void wait(const TraceEvent& event) {
    const auto found = open_.find({event.action == v1::WAIT_SEND, event.peer, event.tag});
    if (found == open_.end()) return;
    require(found->second.front());
    found->second.pop_front();
    if (found->second.empty()) open_.erase(found);
  }

  OutputFolder& folder_;
  std::string text_;
  uint64_t labels_ = 0;
  int64_t left_ = 0;
  std::vector<Dependency> after_;
  std::map<Key, std::deque<uint64_t>> open_;
};

absl::Status export_rank(const TraceSource& trace, uint32_t rank, OutputFolder& folder) {
  const std::unique_ptr<EventSource> source = trace.rank(rank);
  RankSchedule schedule(rank, folder);
  TraceEvent event;
  for (uint64_t number = 0;; ++number) {
    absl::StatusOr<bool> more = source->next(event);
    if (!more.ok()) return more.status();
    if (!*more) return schedule.end();
    if (!schedule.add(event)) {
      return absl::UnimplementedError(fmt::format("{}: rank {}, event {}: a GOAL schedule has no form for {}{}",
                                                  trace.name(), rank, number, action_name(event.action),
                                                  event.peer == kAnySource ? " from any source" : ""));
    }
    if (absl::Status status = schedule.write_if_long(); !status.ok()) return status;
  }
}

}  // namespace

absl::Status export_goal(const TraceSource& trace, const std::string& out) {
  absl::StatusOr<std::unique_ptr<OutputFolder>> folder = OutputFolder::create(out);
  if (!folder.ok()) return folder.status();
  if (absl::Status status = (*folder)->begin_file("trace.goal"); !status.ok()) return status;
  if (absl::Status status = (*folder)->write(fmt::format("num_ranks {}\n", trace.ranks())); !status.ok()) return status;
  for (uint32_t rank = 0; rank < trace.ranks(); ++rank) {
    if (absl::Status status = export_rank(trace, rank, **folder); !status.ok()) return status;
  }
  return (*folder)->finish();
}

}  // namespace fabrictwin
