// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/worker/session.h"

#include <algorithm>
#include <utility>

#include "bridges/protocol/plan_config.h"
#include "fmt/format.h"

namespace fabrictwin::bridges::worker {
namespace {

int64_t steady_ns() { return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1); }

}  // namespace

absl::StatusOr<std::unique_ptr<Session>> Session::create(const v1::ConfigureRequest& request,
                                                         const run::Registry& registry, int max_threads) {
  if (request.run_id().empty()) return absl::InvalidArgumentError("the run has no id");
  std::unique_ptr<Session> session(new Session);
  session->run_id_ = request.run_id();
  session->place_ = request.place();
  session->threads_ = std::clamp(request.threads(), 1, std::max(1, max_threads));
  session->registry_ = &registry;
  session->waves_ = protocol::waves_of(request);
  if (request.logged_messages() > 0) session->messages_.emplace(request.logged_messages());
  // Mostly the workload runs at the caller. Where hosts are here, its files are looked for when it is made.
  experiment::Overrides overrides;
  overrides.check_files = false;
  absl::StatusOr<experiment::Experiment> experiment =
      experiment::parse_experiment(request.experiment(), request.experiment_file(), registry.tenants, overrides);
  if (!experiment.ok()) return experiment.status();
  session->experiment_ = *std::move(experiment);
  if (request.has_calibration() && !session->experiment_.calibration.emplace().ParseFromString(request.calibration()))
    return absl::InvalidArgumentError("the calibration of the run is not a ModelCalibration");
  absl::StatusOr<system::SystemGraph> graph = registry.topology(session->experiment_);
  if (!graph.ok()) return graph.status();
  absl::StatusOr<system::Plan> plan = system::make_plan(session->experiment_, *std::move(graph));
  if (!plan.ok()) return plan.status();
  session->plan_ = *std::move(plan);
  if (request.plan_fingerprint() != 0 && request.plan_fingerprint() != protocol::plan_fingerprint(session->plan_)) {
    return absl::FailedPreconditionError(
        "the worker makes another plan of the experiment than the caller; use the same version of fabrictwin on both");
  }
  if (request.place() < 1 || static_cast<size_t>(request.place()) >= session->plan_.places.size()) {
    return absl::InvalidArgumentError(fmt::format("the plan has no place {} for a worker", request.place()));
  }
  for (const int32_t p : protocol::partitions_at(session->plan_, session->place_)) {
    const system::PartitionPlan& partition = session->plan_.partitions[p];
    const bool able = partition.implementation == v1::MODEL ? static_cast<bool>(registry.model)
                                                            : partition.implementation == v1::RTL && registry.rtl;
    if (!able) {
      return absl::UnimplementedError(fmt::format("{}: this worker cannot build {} elements", partition.name,
                                                  v1::Implementation_Name(partition.implementation)));
    }
  }
  return session;
}

absl::Status Session::connect(const v1::ConnectRequest& request, int fd) {
  const bool shared = request.transport() == v1::BRIDGE_TRANSPORT_SHARED_MEMORY;
  absl::StatusOr<std::unique_ptr<run::RunMemory>> memory =
      shared ? run::RunMemory::attach(fd, plan_) : run::RunMemory::create_heap(plan_);
  if (!memory.ok()) return memory.status();
  memory_ = *std::move(memory);
  transport_ = request.transport();
  std::vector<bool> sharing(plan_.places.size(), false);
  for (const int32_t place : request.doorbells()) {
    if (place < 0 || static_cast<size_t>(place) >= plan_.places.size())
      return absl::InvalidArgumentError(fmt::format("the plan has no place {} to ring", place));
    sharing[static_cast<size_t>(place)] = shared;
  }
  sharing[static_cast<size_t>(place_)] = true;
  absl::StatusOr<std::unique_ptr<run::PlaceRuntime>> runtime =
      run::PlaceRuntime::create(experiment_, plan_, place_, *registry_, *memory_, sharing, waves_,
                                {.messages = messages_.has_value() ? &*messages_ : nullptr});
  if (!runtime.ok()) return runtime.status();
  runtime_ = *std::move(runtime);

  engine::ExecutorOptions options;
  options.threads = shared ? threads_ : 1;
  options.busy_peers = request.busy_peers();
  options.limit = experiment_.stop_after;
  options.owns_workload = false;
  options.ends_together = plan_.ends_together(experiment_);
  std::vector<link::Doorbell*> peers;
  for (const int32_t place : request.doorbells()) peers.push_back(&memory_->doorbell(place));
  executor_ = std::make_unique<engine::Executor>(memory_->table(), runtime_->local_partitions(), options,
                                                 memory_->doorbell(place_),
                                                 shared ? std::move(peers) : std::vector<link::Doorbell*>(), nullptr);
  return absl::OkStatus();
}

Stream& Session::start_stream() {
  start_ns_.store(steady_ns(), std::memory_order_relaxed);
  stream_ = std::make_unique<Stream>(plan_, place_, *memory_, *executor_);
  return *stream_;
}

absl::Status Session::run_shared(std::stop_token stop) {
  start_ns_.store(steady_ns(), std::memory_order_relaxed);
  const absl::Status status = executor_->run(std::move(stop));
  end_ns_.store(steady_ns(), std::memory_order_relaxed);
  return absl::IsCancelled(status) ? absl::OkStatus() : status;
}

void Session::wake() { memory_->doorbell(place_).ring(); }

const observe::MetricReports& Session::look() {
  if (auto metrics = runtime_->look(*executor_); metrics.has_value()) metrics_ = *std::move(metrics);
  return metrics_;
}

void Session::measure(google::protobuf::RepeatedPtrField<v1::ChannelCounters>& channels,
                      google::protobuf::RepeatedPtrField<v1::PartitionReport>& partitions) const {
  const std::span<const link::LinkCounters> counters = std::as_const(*runtime_).link_counters();
  for (size_t channel = 0; channel < counters.size(); ++channel) {
    const int32_t source = plan_.source_partition(static_cast<int32_t>(channel));
    if (plan_.partitions[source].place != place_) continue;
    v1::ChannelCounters& out = *channels.Add();
    out.set_channel(static_cast<uint32_t>(channel));
    out.set_words(counters[channel].words.get());
    out.set_packets(counters[channel].packets.get());
    out.set_credit_stall_cycles(counters[channel].credit_stall_cycles.get());
  }
  measure(partitions);
}

void Session::measure(google::protobuf::RepeatedPtrField<v1::PartitionReport>& partitions) const {
  const int64_t start = start_ns_.load(std::memory_order_relaxed);
  const int64_t end = end_ns_.load(std::memory_order_relaxed);
  const double wall = start == 0 ? 0 : static_cast<double>((end == 0 ? steady_ns() : end) - start) * 1e-9;
  v1::Report report;
  runtime_->report_partitions(*executor_, wall, report);
  partitions.Swap(report.mutable_partitions());
}

}  // namespace fabrictwin::bridges::worker
