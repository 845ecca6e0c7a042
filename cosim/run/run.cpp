// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/run.h"

#include <algorithm>
#include <utility>

#include "cosim/run/add_hosts_report.h"
#include "cosim/run/goodput_recovery.h"
#include "cosim/run/window_goodputs.h"
#include "fmt/format.h"

namespace fabrictwin::run {

Run::Run(experiment::Experiment experiment, system::Plan plan, Registry registry, RunOptions options)
    : experiment_(std::move(experiment)),
      plan_(std::move(plan)),
      registry_(std::move(registry)),
      options_(std::move(options)),
      counters_(static_cast<size_t>(plan_.graph.channel_count())),
      sampled_counters_(static_cast<size_t>(plan_.graph.channel_count())) {
  if (const auto& spec = experiment_.statistics.packet_trace; spec.has_value())
    packet_trace_ = std::make_unique<observe::PacketTrace>(*spec, experiment_.seed);
}

// The executor's pump belongs to the connector, and everything is in the run's memory: destroy them in the reverse
// order of wiring.
Run::~Run() {
  executor_.reset();
  runtime_.reset();
  connector_.reset();
}

absl::StatusOr<std::unique_ptr<Run>> Run::create(experiment::Experiment experiment, Registry registry,
                                                 ConnectorFactory connector, RunOptions options) {
  absl::StatusOr<system::SystemGraph> graph = registry.topology(experiment);
  if (!graph.ok()) return graph.status();
  absl::StatusOr<system::Plan> plan = system::make_plan(experiment, *std::move(graph));
  if (!plan.ok()) return plan.status();
  std::unique_ptr<Run> run(new Run(std::move(experiment), *std::move(plan), std::move(registry), std::move(options)));
  if (run->plan_.places.size() > 1) {
    if (!connector) return absl::UnimplementedError("this process cannot reach other places than its own");
    const observe::MessageLog* const log = run->options_.messages;
    run->connector_ = connector({run->options_.executable, run->options_.waves, run->options_.security,
                                 log != nullptr ? log->limit() : 0, run->options_.name});
  }
  return run;
}

absl::Status Run::wire(const std::stop_token& stop) {
  if (connector_) {
    if (absl::Status status = connector_->connect(experiment_, plan_, stop); !status.ok()) return status;
  }
  const bool shared = std::any_of(plan_.places.begin(), plan_.places.end(), [](const system::Place& place) {
    return place.transport == system::Transport::kShm;
  });
  absl::StatusOr<std::unique_ptr<RunMemory>> memory =
      shared ? RunMemory::create_shared(plan_) : RunMemory::create_heap(plan_);
  if (!memory.ok()) return memory.status();
  memory_ = *std::move(memory);
  std::vector<bool> sharing;
  for (size_t place = 0; place < plan_.places.size(); ++place)
    sharing.push_back(place == 0 || plan_.places[place].transport == system::Transport::kShm);
  absl::StatusOr<std::unique_ptr<PlaceRuntime>> runtime =
      PlaceRuntime::create(experiment_, plan_, 0, registry_, *memory_, sharing, options_.waves,
                           {packet_trace_.get(), options_.messages, options_.metrics}, options_.threads);
  refused_ = !runtime.ok();
  if (refused_) return runtime.status();
  runtime_ = *std::move(runtime);
  // Other places build their partitions after this one has built its own successfully.
  if (connector_) {
    if (absl::Status status = connector_->attach(*memory_); !status.ok()) return status;
  }

  engine::ExecutorOptions options;
  // More threads would have nothing to do, and would take cores from partitions that use several threads themselves.
  options.threads = std::clamp(options_.threads, 1, std::max(1, static_cast<int>(runtime_->local_partitions().size())));
  threads_used_ = options.threads;
  options.pin = options_.pin;
  options.idle_jump = options_.idle_jump;
  options.busy_peers = connector_ ? connector_->local_threads() : 0;
  options.limit = experiment_.stop_after;
  options.watchdog = options_.watchdog;
  // Packets may be on their way in other partitions when the hosts of one are done.
  options.others_work = plan_.hosts_apart();
  options.ends_together = plan_.ends_together(experiment_);
  std::vector<link::Doorbell*> peers;
  for (size_t place = 1; place < plan_.places.size(); ++place) {
    if (plan_.places[place].transport == system::Transport::kShm)
      peers.push_back(&memory_->doorbell(static_cast<int32_t>(place)));
  }
  executor_ =
      std::make_unique<engine::Executor>(memory_->table(), runtime_->local_partitions(), options, memory_->doorbell(0),
                                         std::move(peers), connector_ ? connector_->pump() : nullptr);
  return absl::OkStatus();
}

// The error of a stalled run also says how far the partitions of other places have come, as last reported.
absl::Status Run::add_remote_times(const absl::Status& status) const {
  std::string message(status.message());
  for (int32_t p = 0; p < static_cast<int32_t>(plan_.partitions.size()); ++p) {
    const system::PartitionPlan& partition = plan_.partitions[p];
    if (partition.place == 0) continue;
    message += fmt::format("\n  {} stands at {}", plan_.name_with_place(partition), to_string(memory_->table().now(p)));
  }
  return absl::Status(status.code(), message);
}

absl::Status Run::execute(std::stop_token stop) {
  absl::Status status = wire(stop);
  start_ = std::chrono::steady_clock::now();
  if (status.ok()) {
    running_.store(true, std::memory_order_release);
    status = executor_->run(std::move(stop));
    const std::chrono::duration<double> simulated = std::chrono::steady_clock::now() - start_;
    simulation_seconds_.store(simulated.count(), std::memory_order_release);
    if (absl::IsDeadlineExceeded(status)) status = add_remote_times(status);
  }
  if (runtime_) {
    const absl::Status closed = runtime_->close_files();
    if (status.ok()) status = closed;
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start_;
  make_report(status, wall.count());
  // This follows the report of partitions, because some of them update their counters for it.
  if (runtime_) {
    const std::span<link::LinkCounters> own = runtime_->mutable_link_counters();
    for (size_t i = 0; i < counters_.size(); ++i) {
      counters_[i].words.set(own[i].words.get());
      counters_[i].packets.set(own[i].packets.get());
      counters_[i].credit_stall_cycles.set(own[i].credit_stall_cycles.get());
    }
  }
  std::vector<v1::HostsReport> hosts;
  if (connector_) {
    const absl::Status ending = connector_->finish(counters_, report_, hosts);
    if (status.ok() && !ending.ok()) status = ending;
    status = add_hosts(hosts, std::move(status));
  }
  if (const absl::Status merged = merge_parts(hosts); status.ok()) status = merged;
  if (const absl::Status merged = merge_records(hosts); status.ok()) status = merged;
  merge_links(hosts);
  finish_digests();
  finish_links();
  if (runtime_) report_word_faults(experiment_, plan_, report_);
  const std::string failed =
      runtime_ ? failed_links(experiment_, plan_, Time::from_fs(report_.simulated_fs())) : std::string();
  if (!status.ok()) status = absl::Status(status.code(), std::string(status.message()) + failed);
  if (status.ok() && !report_.complete()) {
    // The limit was reached before the end of the workload, so the run is as requested but incomplete.
    report_.set_reason("stopped by stop.after_simulated before the workload ended" + failed);
  } else if (!status.ok()) {
    report_.set_complete(false);
    report_.set_reason(std::string(status.message()));
  }
  add_goodputs(report_);
  add_window_goodputs(report_);
  add_goodput_recoveries(report_);
  warn_about_waves();
  if (status.ok()) warn_about_faults();
  wall_seconds_.store(wall.count(), std::memory_order_relaxed);
  state_.store(report_.complete() ? RunState::kComplete : RunState::kEndedEarly, std::memory_order_release);
  return status;
}

}  // namespace fabrictwin::run
