// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/place_runtime.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "cosim/observe/sum_sink.h"
#include "cosim/run/add_hosts_report.h"
#include "cosim/run/link_sampler.h"
#include "cosim/run/reporter.h"
#include "fmt/format.h"

namespace fabrictwin::run {
namespace {

/// The channels that begin in a partition.
std::vector<int32_t> channels_of(const system::Plan& plan, int32_t partition) {
  std::vector<int32_t> channels;
  for (int32_t channel = 0; channel < plan.graph.channel_count(); ++channel) {
    if (plan.source_partition(channel) == partition) channels.push_back(channel);
  }
  return channels;
}

}  // namespace

PlaceRuntime::PlaceRuntime(const experiment::Experiment& experiment, const system::Plan& plan, int32_t place)
    : plan_(plan),
      place_(place),
      faults_(experiment, plan, place),
      counters_(static_cast<size_t>(plan.graph.channel_count())) {
  digests_.resize(static_cast<size_t>(plan.graph.host_count()));
}

PlaceRuntime::~PlaceRuntime() = default;

absl::StatusOr<std::unique_ptr<PlaceRuntime>> PlaceRuntime::create(const experiment::Experiment& experiment,
                                                                   const system::Plan& plan, int32_t place,
                                                                   const Registry& registry, RunMemory& memory,
                                                                   const std::vector<bool>& sharing,
                                                                   std::vector<WaveRequest> waves,
                                                                   const Observers& observers, int32_t threads) {
  std::unique_ptr<PlaceRuntime> runtime(new PlaceRuntime(experiment, plan, place));
  for (int32_t p = 0; p < static_cast<int32_t>(plan.partitions.size()); ++p) {
    const system::PartitionPlan& planned = plan.partitions[p];
    if (planned.place != place) continue;

    engine::LocalPartition local;
    local.id = p;
    local.name = planned.name;
    // Models that move words use SystemC, whose kernel belongs to one thread.
    local.first_thread_only =
        planned.implementation == v1::MODEL && planned.link_type.content == link::LinkType::Content::kWords;
    PartitionContext context;
    context.experiment = &experiment;
    context.plan = &plan;
    context.partition = p;
    context.link_counters = runtime->counters_;
    context.digests = runtime->digests_;
    context.waves = waves;
    if (planned.implementation == v1::MODEL) context.observers = runtime->observe(experiment, p, observers);
    context.threads = threads;
    context.faults = &runtime->faults_;

    // Channel ends in the order of the sync table, which is that of plan.cut_channels.
    std::vector<std::pair<int32_t, link::ChannelSender*>> senders;
    for (int32_t position : memory.table().outbound(p)) {
      const int32_t channel = plan.cut_channels[position];
      runtime->senders_.push_back(
          std::make_unique<link::ChannelSender>(channel_spec(plan, channel, sharing), memory.ring(position)));
      local.senders.push_back(runtime->senders_.back().get());
      senders.emplace_back(channel, local.senders.back());
    }
    for (int32_t position : memory.table().inbound(p)) {
      const int32_t channel = plan.cut_channels[position];
      runtime->receivers_.push_back(
          std::make_unique<link::ChannelReceiver>(channel_spec(plan, channel, sharing), memory.ring(position)));
      local.receivers.push_back(runtime->receivers_.back().get());
      const system::LinkEnd& end = plan.graph.channel_target(channel);
      const auto sender =
          std::find_if(senders.begin(), senders.end(), [&](const auto& entry) { return entry.first == (channel ^ 1); });
      context.ports.push_back({end.element, end.port, sender->second, local.receivers.back()});
      runtime->bind_faults(context.ports.back());
    }

    const PartitionFactory& factory = planned.implementation == v1::MODEL ? registry.model : registry.rtl;
    if (planned.implementation == v1::BOARD || !factory) {
      return absl::UnimplementedError(
          fmt::format("{}: this process cannot build {} elements; choose another place for it", planned.name,
                      v1::Implementation_Name(planned.implementation)));
    }
    absl::StatusOr<std::unique_ptr<engine::Partition>> partition = factory(context);
    if (!partition.ok()) return partition.status();
    local.partition = partition->get();
    runtime->partitions_.push_back(*std::move(partition));
    if (experiment.statistics.link_interval > Time::zero()) {
      runtime->samplers_.push_back(std::make_unique<LinkSampler>(
          *local.partition, std::vector<const link::ChannelReceiver*>(local.receivers.begin(), local.receivers.end()),
          runtime->counters_,
          observe::LinkSeries(experiment.statistics.link_interval, channel_rates(plan.graph), channels_of(plan, p),
                              plan.graph.words.word_bits),
          experiment.stop_after));
      local.partition = runtime->samplers_.back().get();
    }
    runtime->local_.push_back(std::move(local));
  }
  return runtime;
}

void PlaceRuntime::bind_faults(const CutPort& port) {
  const auto out = static_cast<int32_t>(port.sender->spec().id);
  const auto in = static_cast<int32_t>(port.receiver->spec().id);
  if (link::WordFaults* const faults = faults_.of(out); faults != nullptr && !faults_.at_receiver(out))
    port.sender->bind_faults(*faults, *port.receiver);
  if (link::WordFaults* const faults = faults_.of(in); faults != nullptr && faults_.at_receiver(in))
    port.receiver->bind_faults(*faults, *port.sender);
}

// Where models have several depths, the first ones with hosts are sampled.
bool PlaceRuntime::is_sampled(int32_t partition) const {
  const int32_t hosts = plan_.graph.host_count();
  int32_t first = -1;
  for (int32_t p = 0; p < static_cast<int32_t>(plan_.partitions.size()); ++p) {
    const system::PartitionPlan& planned = plan_.partitions[static_cast<size_t>(p)];
    if (planned.place != place_ || planned.implementation != v1::MODEL) continue;
    // Hosts are the first elements of a graph.
    if (planned.elements.front() < hosts) return p == partition;
    if (first < 0) first = p;
  }
  return first == partition;
}

Observers PlaceRuntime::observe(const experiment::Experiment& experiment, int32_t partition, const Observers& of_run) {
  if (plan_.partitions.size() == 1) return of_run;
  Observers observers{.metrics = is_sampled(partition) ? of_run.metrics : nullptr};
  if (const auto& spec = experiment.statistics.packet_trace; spec.has_value()) {
    packet_traces_.push_back(
        std::make_unique<observe::PacketTrace>(*spec, experiment.seed, observe::PacketTrace::Scope::kPart));
    observers.packet_trace = packet_traces_.back().get();
  }
  if (of_run.messages != nullptr) {
    message_logs_.push_back(
        std::make_unique<observe::MessageLog>(of_run.messages->limit(), observe::MessageLog::Scope::kPart));
    observers.messages = message_logs_.back().get();
  }
  return observers;
}

absl::Status PlaceRuntime::close_files() {
  absl::Status first;
  for (const auto& partition : partitions_) first.Update(partition->close_files());
  return first;
}

std::optional<observe::MetricReports> PlaceRuntime::look(engine::Executor& executor) const {
  constexpr std::chrono::milliseconds kPatience(100);
  observe::SumSink all;
  for (size_t i = 0; i < local_.size(); ++i) {
    if (plan_.partitions[local_[i].id].implementation != v1::MODEL) {
      local_[i].partition->measure(all);
      continue;
    }
    const bool seen = executor.look(static_cast<int32_t>(i), kPatience,
                                    [&](const engine::Partition& partition) { partition.measure(all); });
    if (!seen) return std::nullopt;
  }
  faults_.measure(all);
  observe::MetricReports metrics;
  observe::MetricReporter reporter(metrics, true);
  all.give(reporter);
  return metrics;
}

void PlaceRuntime::measure(bool whole, observe::MetricReports& metrics) const {
  observe::SumSink all;
  for (const auto& partition : partitions_) partition->measure(all);
  faults_.measure(all);
  observe::MetricReporter reporter(metrics, whole);
  all.give(reporter);
}

bool PlaceRuntime::done() const {
  return std::all_of(partitions_.begin(), partitions_.end(), [](const auto& partition) { return partition->done(); });
}

// The first partition with hosts reports for the run, and others add to that.
void PlaceRuntime::report(v1::Report& report) const {
  bool reported = false;
  for (size_t i = 0; i < partitions_.size(); ++i) {
    const auto* reporter = dynamic_cast<const Reporter*>(partitions_[i].get());
    if (reporter == nullptr) continue;
    if (reported) {
      v1::Report part;
      reporter->report(part);
      add_report(part, report);
      continue;
    }
    reporter->report(report);
    // Hosts are the first elements of a graph.
    reported = plan_.partitions[local_[i].id].elements.front() < plan_.graph.host_count();
  }
}

void PlaceRuntime::report_parts(google::protobuf::RepeatedPtrField<v1::WorkloadPart>& parts) const {
  for (const auto& partition : partitions_) {
    if (const auto* reporter = dynamic_cast<const Reporter*>(partition.get()); reporter != nullptr)
      reporter->report_part(parts);
  }
}

bool PlaceRuntime::has_report() const {
  if (!samplers_.empty() || !packet_traces_.empty()) return true;
  const int32_t hosts = plan_.graph.host_count();
  for (int32_t host = 0; host < hosts; ++host) {
    if (plan_.place_of(host) == place_) return true;
  }
  google::protobuf::RepeatedPtrField<v1::WorkloadPart> parts;
  report_parts(parts);
  return !parts.empty();
}

void PlaceRuntime::report_links(google::protobuf::RepeatedPtrField<v1::LinkSeriesPart>& parts) const {
  for (const auto& sampler : samplers_) sampler->report(*parts.Add());
}

void PlaceRuntime::report_records(v1::HostsReport& report) const {
  for (const auto& trace : packet_traces_) trace->report_part(*report.add_packets());
  for (const auto& log : message_logs_) log->report_part(*report.add_messages());
}

void PlaceRuntime::report_hosts(v1::HostsReport& report) const {
  const int32_t hosts = plan_.graph.host_count();
  for (int32_t host = 0; host < hosts; ++host) {
    if (plan_.place_of(host) != place_) continue;
    report.add_hosts(host);
    report.add_timing(digests_[static_cast<size_t>(host)].timing());
    report.add_payload(digests_[static_cast<size_t>(host)].payload());
  }
  this->report(*report.mutable_report());
  report_parts(*report.mutable_parts());
  report_links(*report.mutable_link_series());
  report_records(report);
  report.set_done(done());
  if (report.done()) return;
  for (const auto& partition : partitions_) {
    for (std::string& line : partition->waits()) report.add_waits(std::move(line));
  }
}

void PlaceRuntime::report_partitions(const engine::Executor& executor, double wall_seconds, v1::Report& report) const {
  for (size_t i = 0; i < local_.size(); ++i) {
    const engine::PartitionCounters& counters = executor.counters(static_cast<int32_t>(i));
    v1::PartitionReport& line = *report.add_partitions();
    line.set_name(local_[i].name);
    line.set_kind(v1::Implementation_Name(plan_.partitions[local_[i].id].implementation));
    line.set_place(plan_.places[place_].name);
    line.set_events(local_[i].partition->events());
    const double busy = static_cast<double>(counters.busy_ns.get()) * 1e-9;
    line.set_busy_seconds(busy);
    line.set_wait_seconds(std::max(0.0, wall_seconds - busy));
    line.set_rounds(counters.rounds.get());
    line.set_records_in(counters.records_in.get());
    line.set_records_out(counters.records_out.get());
  }
}

}  // namespace fabrictwin::run
