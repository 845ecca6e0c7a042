// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/mpi_workload.h"

#include <algorithm>
#include <utility>

#include "workloads/mpi/copy_cost.h"
#include "workloads/mpi/rank_replay.h"
#include "workloads/mpi/wait_circles.h"

namespace fabrictwin {
namespace {

// The events of a rank of a trace file.
class ReaderProgram final : public RankProgram {
 public:
  ReaderProgram(std::shared_ptr<const TraceReader> reader, uint32_t rank) : cursor_(std::move(reader), rank) {}
  absl::StatusOr<bool> next(Time, TraceEvent& event) override {
    absl::StatusOr<std::optional<TraceEvent>> read = cursor_.next();
    if (!read.ok()) return read.status();
    if (!read->has_value()) return false;
    event = **std::move(read);
    return true;
  }

 private:
  RankCursor cursor_;
};

}  // namespace

MpiWorkload::MpiWorkload(std::shared_ptr<const TraceReader> reader, const MpiTraceSpec& spec, const HostSpec& host)
    : reader_(std::move(reader)), spec_(spec), host_(host) {}

absl::StatusOr<std::unique_ptr<HostProcess>> MpiWorkload::make_process(int32_t node, EndpointDigest* digest) {
  if (node < 0 || static_cast<uint32_t>(node) >= reader_->ranks()) return std::unique_ptr<HostProcess>();
  RankEngine::Options options;
  options.costs.rank = node;
  options.costs.ranks = static_cast<int32_t>(reader_->ranks());
  options.costs.compute_scale = spec_.compute_scale * compute_stretch(host_);
  options.costs.send_overhead = host_.send_overhead;
  options.costs.eager_limit = static_cast<uint64_t>(spec_.eager_limit.count);
  options.costs.copy = CopyCost::of_host(host_);
  options.receive_overhead = host_.receive_overhead;
  options.match_overhead = host_.match_overhead;
  options.events = reader_->rank(static_cast<uint32_t>(node)).events;
  auto program = std::make_unique<ReaderProgram>(reader_, static_cast<uint32_t>(node));
  auto engine = std::make_shared<RankEngine>(options, std::move(program), digest);
  engines_.push_back(engine);
  return std::make_unique<RankReplay>(node, std::move(engine));
}

double MpiWorkload::done() const {
  uint64_t replayed = 0;
  uint64_t total = 0;
  for (const std::shared_ptr<const RankEngine>& engine : engines_) {
    replayed += engine->totals().events.get();
    total += engine->options().events;
  }
  return total == 0 ? 1 : static_cast<double>(replayed) / static_cast<double>(total);
}

std::vector<std::string> MpiWorkload::waits() const {
  std::vector<const RankEngine*> engines(reader_->ranks(), nullptr);
  for (const std::shared_ptr<const RankEngine>& engine : engines_)
    engines[static_cast<size_t>(engine->options().costs.rank)] = engine.get();
  return wait_circles(engines);
}

void MpiWorkload::report(v1::Report& report) const {
  for (const std::shared_ptr<const RankEngine>& engine : engines_) {
    const RankEngine::Totals& totals = engine->totals();
    // A rank that has not finished has lived until its last decision; a computation that it has begun may reach beyond
    // that.
    const double end = (engine->finished() ? engine->finish_time() : std::max(engine->now(), totals.compute)).seconds();
    v1::Rank& rank = *report.add_ranks();
    rank.set_rank(engine->options().costs.rank);
    rank.set_finish_seconds(end);
    rank.set_compute_seconds(totals.compute.seconds());
    rank.set_communication_seconds(std::max(0.0, end - totals.compute.seconds()));
    rank.set_messages_sent(totals.messages_sent);
    rank.set_bytes_sent(totals.bytes_sent);
    rank.set_events_replayed(totals.events.get());
    rank.set_events_total(engine->options().events);
  }
}

}  // namespace fabrictwin
