// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/tools/cut.h"

#include <utility>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "workloads/trace/check/outstanding_requests.h"
#include "workloads/trace/check/trace_match_check.h"
#include "workloads/trace/format/communicator_table.h"

namespace fabrictwin::trace::tools {
namespace {

constexpr int32_t kLeftOut = -2;
// The label of requests to and from ranks that are dropped.
constexpr uint64_t kOfLeftOut = std::numeric_limits<uint64_t>::max();

struct Cut {
  std::shared_ptr<const format::Source> source;
  CutOptions options;
  std::vector<int32_t> new_rank;  ///< By old rank; kLeftOut if it is dropped.
  std::vector<uint32_t> old_rank;
};

class CutEvents final : public format::EventSource {
 public:
  CutEvents(std::shared_ptr<const Cut> cut, uint32_t rank)
      : cut_(std::move(cut)),
        rank_(cut_->old_rank[rank]),
        source_(cut_->source->rank(rank_)),
        communicators_(static_cast<int32_t>(rank_), static_cast<int32_t>(cut_->source->ranks())),
        requests_(static_cast<int32_t>(rank_)) {}

  absl::StatusOr<bool> next(format::Event& event) override {
    while (true) {
      absl::StatusOr<bool> more = source_->next(event);
      if (!more.ok()) return more;
      if (!*more) return end();
      ++number_;
      absl::Status status = communicators_.follow(event);
      status.Update(requests_.follow(event));
      if (!status.ok()) return error(absl::StatusCode::kInvalidArgument, std::string(message_of(status)));
      const bool begun = inside(event);
      if (begun) {
        absl::StatusOr<bool> kept = keep(event);
        if (!kept.ok()) return kept;
        if (*kept) {
          if (requests_.started() != nullptr) requests_.started()->label = ++kept_requests_;
          return true;
        }
        if (requests_.started() != nullptr) requests_.started()->label = kOfLeftOut;
      }
    }
  }

 private:
  // Checks the part at the end of a rank: a part behind it would be empty, and one that ends there shorter than
  // requested.
  absl::StatusOr<bool> end() const {
    const uint64_t first = cut_->options.first_collective;
    const uint64_t end = cut_->options.end_collective;
    const bool begins = first == 0 || first < collectives_;
    if (begins && (end == CutOptions().end_collective || end <= collectives_)) return false;
    return absl::InvalidArgumentError(
        fmt::format("{}: rank {} calls {} collectives of all ranks, so there is none of number {} (from 0)",
                    cut_->source->name(), rank_, collectives_, begins ? end - 1 : first));
  }

  bool inside(const format::Event& event) {
    const CutOptions& options = cut_->options;
    if (format::action_shape(event.action).collective && event.communicator == 0) {
      const uint64_t collective = collectives_++;
      return collective >= options.first_collective && collective < options.end_collective;
    }
    if (event.action == v1::INIT || event.action == v1::FINALIZE || event.action == v1::COMM_CREATE ||
        event.action == v1::COMM_FREE) {
      return true;
    }
    // The last collective that is kept ends the part.
    return collectives_ == 0 ? options.first_collective == 0
                             : collectives_ > options.first_collective && collectives_ < options.end_collective;
  }

  absl::Status error(absl::StatusCode code, const std::string& reason) const {
    return absl::Status(code,
                        fmt::format("{}: rank {}, event {}: {}", cut_->source->name(), rank_, number_ - 1, reason));
  }

  absl::StatusOr<bool> keep(format::Event& event) {
    if (event.action == v1::WAIT) return keep_wait(event);
    if (cut_->options.ranks.empty()) return true;
    const format::ActionShape& shape = format::action_shape(event.action);
    if (shape.collective) {
      keep_collective(shape, event);
      return true;
    }
    if (event.action == v1::COMM_CREATE) keep_members(event.send_counts);
    if (shape.peers == 0) return true;
    if (event.peer == format::kAnySource) {
      return error(
          absl::StatusCode::kUnimplemented,
          fmt::format("a {} from any source cannot be told to be from a rank that is left out; leave this rank "
                      "out, too, or cut by collectives only, without ranks",
                      event.action == v1::PROBE ? "probe" : "receive"));
    }
    event.peer = cut_->new_rank[event.peer];
    if (shape.peers == 1) return event.peer != kLeftOut;
    return keep_exchange(event);
  }

  // Keeps the halves of a sendrecv whose peers are kept.
  bool keep_exchange(format::Event& event) const {
    event.receive_peer = cut_->new_rank[event.receive_peer];
    if (event.peer != kLeftOut && event.receive_peer != kLeftOut) return true;
    if (event.peer == kLeftOut && event.receive_peer == kLeftOut) return false;
    const bool sends = event.peer != kLeftOut;
    event.action = sends ? v1::SEND : v1::RECV;
    if (!sends) {
      event.peer = event.receive_peer;
      event.count = event.receive_count;
      event.datatype = event.receive_datatype;
    }
    event.receive_peer = 0;
    event.receive_count = 0;
    event.receive_datatype = v1::BYTE;
    return true;
  }

  // Adjusts the age of a wait: fewer requests have been started since.
  bool keep_wait(format::Event& event) const {
    const uint64_t label = requests_.awaited().front().label;
    event.count = kept_requests_ - (label == kOfLeftOut ? 0 : label);
    return label != kOfLeftOut;
  }

  // Keeps only the members that are kept, with their new numbers.
  void keep_members(std::vector<uint64_t>& members) const {
    std::vector<uint64_t> kept;
    for (const uint64_t member : members) {
      if (cut_->new_rank[member] != kLeftOut) kept.push_back(static_cast<uint64_t>(cut_->new_rank[member]));
    }
    members = std::move(kept);
  }

  void keep_collective(const format::ActionShape& shape, format::Event& event) {
    const format::Communicator& communicator = communicators_.of(event);
    // The first kept member replaces a root that is not kept; this rank is kept.
    int32_t root = kLeftOut;
    std::vector<int32_t> kept;
    for (int32_t number = 0; number < communicator.size(); ++number) {
      const int32_t rank = cut_->new_rank[static_cast<size_t>(communicator.member(number))];
      if (rank == kLeftOut) continue;
      if (root == kLeftOut) root = rank;
      kept.push_back(number);
    }
    if (shape.peers == 1) event.peer = cut_->new_rank[event.peer] == kLeftOut ? root : cut_->new_rank[event.peer];
    for (std::vector<uint64_t>* counts : {&event.send_counts, &event.receive_counts}) {
      if (counts->empty()) continue;
      for (size_t i = 0; i < kept.size(); ++i) (*counts)[i] = (*counts)[static_cast<size_t>(kept[i])];
      counts->resize(kept.size());
    }
  }

  std::shared_ptr<const Cut> cut_;
  uint32_t rank_;
  std::unique_ptr<format::EventSource> source_;
  uint64_t number_ = 0;
  uint64_t collectives_ = 0;
  format::CommunicatorTable communicators_;
  check::OutstandingRequests requests_;  ///< Labels: kept requests have numbers from 1; 0 if begun outside the part.
  uint64_t kept_requests_ = 0;
};

class CutTrace final : public format::Source {
 public:
  explicit CutTrace(std::shared_ptr<const Cut> cut) : cut_(std::move(cut)), info_(cut_->source->info()) {
    info_.ranks = static_cast<uint32_t>(cut_->old_rank.size());
    info_.source += "; cut";
  }
  const format::Info& info() const override { return info_; }
  std::string name() const override { return cut_->source->name(); }
  std::unique_ptr<format::EventSource> rank(uint32_t rank) const override {
    return std::make_unique<CutEvents>(cut_, rank);
  }

 private:
  std::shared_ptr<const Cut> cut_;
  format::Info info_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const format::Source>> cut_trace(std::shared_ptr<const format::Source> source,
                                                                const CutOptions& options) {
  const uint32_t ranks = source->ranks();
  auto cut = std::make_shared<Cut>();
  cut->new_rank.assign(ranks, kLeftOut);
  cut->old_rank = options.ranks;
  if (options.ranks.empty()) {
    for (uint32_t rank = 0; rank < ranks; ++rank) cut->old_rank.push_back(rank);
  }
  for (size_t i = 0; i < cut->old_rank.size(); ++i) {
    const uint32_t rank = cut->old_rank[i];
    if (rank >= ranks || (i > 0 && rank <= cut->old_rank[i - 1])) {
      return absl::InvalidArgumentError(fmt::format(
          "{}: rank {}: ranks must be 0 to {}, each once and in ascending order", source->name(), rank, ranks - 1));
    }
    cut->new_rank[rank] = static_cast<int32_t>(i);
  }
  if (options.first_collective >= options.end_collective) {
    return absl::InvalidArgumentError(fmt::format("{}: nothing is between collective {} and collective {}",
                                                  source->name(), options.first_collective, options.end_collective));
  }
  cut->source = std::move(source);
  cut->options = options;
  auto trace = std::make_shared<const CutTrace>(std::move(cut));
  const absl::StatusOr<check::MatchReport> report = check::check_matching(*trace);
  if (!report.ok()) return report.status();
  if (!report->ok()) {
    return absl::InvalidArgumentError(
        fmt::format("{}: it cannot be cut there, messages are under way or the trace has faults; in the part, {}",
                    trace->name(), report->faults[0].text));
  }
  return trace;
}

}  // namespace fabrictwin::trace::tools
