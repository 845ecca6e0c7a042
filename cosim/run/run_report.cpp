// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The progress of a run and its report at the end.
#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "cosim/base/version.h"
#include "cosim/engine/lookahead.h"
#include "cosim/experiment/congestion_text.h"
#include "cosim/observe/digest.h"
#include "cosim/observe/link_series.h"
#include "cosim/run/add_hosts_report.h"
#include "cosim/run/link_sampler.h"
#include "cosim/run/run.h"
#include "fmt/format.h"

namespace fabrictwin::run {
namespace {

/// What hosts of other places wait for, in lines of an error.
constexpr int kMostWaits = 32;

// Links are counted only at their sending side, so a report adds up the counters of all places.
void report_links(const system::SystemGraph& graph, std::span<const link::LinkCounters> counters,
                  double simulated_seconds, v1::Report& report) {
  report.mutable_links()->Reserve(graph.channel_count());
  for (int32_t channel = 0; channel < graph.channel_count(); ++channel) {
    const system::Link& link = graph.channel_link(channel);
    const link::LinkCounters& counted = counters[channel];
    v1::LinkReport& line = *report.add_links();
    line.set_name(graph.channel_name(channel));
    line.set_bytes(counted.words.get() * static_cast<uint64_t>(link.word_bits / 8));
    line.set_packets(counted.packets.get());
    line.set_credit_stall_seconds(static_cast<double>(counted.credit_stall_cycles.get()) *
                                  graph.router_clock.period().seconds());
    const auto words = static_cast<double>(counted.words.get());
    const double capacity = static_cast<double>(link.rate.bits_per_second) * simulated_seconds;
    const double used = words * link.word_bits;
    // A word that starts at the very end counts in full, so a link that was never idle has sent one word more.
    const bool full = used > capacity && used <= capacity + link.word_bits;
    line.set_utilization(capacity <= 0 ? 0 : full ? 1 : used / capacity);
    line.set_stall_to_flit(words > 0 ? static_cast<double>(counted.credit_stall_cycles.get()) / words : 0);
  }
}

uint64_t nanoseconds_of(double seconds) { return static_cast<uint64_t>(std::llround(seconds * 1e9)); }

}  // namespace

void Run::make_report(const absl::Status& status, double wall_seconds) {
  report_.Clear();
  v1::RunInfo& info = *report_.mutable_run();
  info.set_version(kVersion);
  info.set_experiment(experiment_.file);
  info.set_topology(plan_.graph.topology);
  info.set_seed(experiment_.seed);
  if (plan_.graph.router_count() > 0) {
    info.set_router_model(v1::RouterModel_Name(experiment_.router.model));
    info.set_routing(plan_.graph.routing.substr(0, plan_.graph.routing.find(',')));
  }
  info.set_congestion(experiment::congestion_text(experiment_));
  report_.set_wall_seconds(wall_seconds);
  if (!runtime_ || !executor_) return;
  info.set_threads(threads_used_);

  const bool done = runtime_->done();
  Time simulated = executor_->slowest_time();
  runtime_->report(report_);
  // A completed workload knows its end; otherwise, the time that all partitions have reached is used.
  if (done) simulated = Time::from_fs(report_.simulated_fs());
  report_.set_simulated_fs(simulated.fs());
  report_.set_simulated_seconds(simulated.seconds());
  report_.set_complete(status.ok() && done);
  runtime_->report_partitions(*executor_, wall_seconds, report_);
  runtime_->measure(false, *report_.mutable_metrics());
}

void Run::warn_about_waves() {
  // A run that has not begun has no end to compare with.
  if (!running_.load(std::memory_order_acquire)) return;
  const Time end = Time::from_fs(report_.simulated_fs());
  for (const WaveRequest& wave : options_.waves) {
    if (wave.from < end || wave.from == Time::zero()) continue;
    report_.add_warnings(
        fmt::format("the waveform of {} begins at {}, and the run ended at {}, so nothing changes in it; write an "
                    "earlier time behind @ in --wave",
                    wave.select, to_string(wave.from), to_string(end)));
  }
}

void Run::warn_about_faults() {
  const Time end = Time::from_fs(report_.simulated_fs());
  for (const experiment::FaultSpec& fault : experiment_.faults) {
    if (fault.at < end || fault.at == Time::zero()) continue;
    report_.add_warnings(
        fmt::format("the fault of {} begins at {}, and the run ended at {}, so it changed nothing; write an earlier at",
                    fault.link, to_string(fault.at), to_string(end)));
  }
}

absl::Status Run::add_hosts(std::span<const v1::HostsReport> hosts, absl::Status status) {
  if (!runtime_ || hosts.empty()) return status;
  std::string waits;
  int lines = 0;
  bool done = true;
  for (const v1::HostsReport& place : hosts) {
    if (place.hosts().empty()) continue;
    add_hosts_report(place, runtime_->digests(), report_);
    done = done && place.done();
    for (const std::string& line : place.waits()) {
      if (lines++ < kMostWaits) waits += "\n  " + line;
    }
  }
  if (lines > kMostWaits) waits += fmt::format("\n  and {} more", lines - kMostWaits);
  if (!done) {
    // Hosts that are not done have no end; the time that all partitions have reached counts, as in one process. At a
    // limit, those of other places need not have come to it, if they have nothing to do before.
    const bool limited = status.ok() && !experiment_.stop_after.is_never();
    const Time reached = limited ? experiment_.stop_after : memory_->table().least_now();
    report_.set_simulated_fs(std::max(report_.simulated_fs(), reached.fs()));
  }
  report_.set_simulated_seconds(Time::from_fs(report_.simulated_fs()).seconds());
  const bool rested = status.ok() && report_.complete() && experiment_.stop_after.is_never();
  report_.set_complete(report_.complete() && done);
  if (absl::IsFailedPrecondition(status) || absl::IsDeadlineExceeded(status))
    return absl::Status(status.code(), std::string(status.message()) + waits);
  // This place has come to rest with its own hosts done, so those of others wait for ever.
  if (!done && rested) {
    return absl::FailedPreconditionError(fmt::format("nothing can happen any more at {}: the workload waits for ever{}",
                                                     to_string(Time::from_fs(report_.simulated_fs())), waits));
  }
  return status;
}

absl::Status Run::merge_parts(std::span<const v1::HostsReport> hosts) {
  if (!runtime_ || !registry_.merge_parts || !plan_.hosts_apart()) return absl::OkStatus();
  google::protobuf::RepeatedPtrField<v1::WorkloadPart> parts;
  runtime_->report_parts(parts);
  for (const v1::HostsReport& place : hosts) parts.MergeFrom(place.parts());
  if (parts.empty()) return absl::OkStatus();
  const bool complete = report_.complete();
  if (complete) drop_late(parts, Time::from_fs(report_.simulated_fs()), runtime_->digests(), report_);
  if (absl::Status status = registry_.merge_parts(experiment_, plan_.graph, parts, report_); !status.ok())
    return status;
  if (!complete || report_.complete()) return absl::OkStatus();
  // Every partition has done its own, but not all that was sent between them has arrived.
  const Time reached = memory_->table().least_now();
  if (!experiment_.stop_after.is_never()) {
    report_.set_simulated_fs(std::min(reached, experiment_.stop_after).fs());
    report_.set_simulated_seconds(Time::from_fs(report_.simulated_fs()).seconds());
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(fmt::format(
      "nothing can happen any more at {}: what hosts of different partitions have sent to each other has not "
      "all arrived",
      to_string(Time::from_fs(report_.simulated_fs()))));
}

void Run::merge_links(std::span<const v1::HostsReport> places) {
  if (!runtime_ || experiment_.statistics.link_interval == Time::zero()) return;
  google::protobuf::RepeatedPtrField<v1::LinkSeriesPart> parts;
  runtime_->report_links(parts);
  for (const v1::HostsReport& place : places) parts.MergeFrom(place.link_series());
  *report_.mutable_link_series() = observe::merge_link_series(
      parts, channel_rates(plan_.graph), Time::from_fs(report_.simulated_fs()), plan_.graph.words.word_bits);
}

absl::Status Run::merge_records(std::span<const v1::HostsReport> places) {
  if (!runtime_) return absl::OkStatus();
  absl::Status status;
  // A partition alone writes into the records of the run.
  if (plan_.partitions.size() > 1) {
    v1::HostsReport records;
    runtime_->report_records(records);
    for (const v1::HostsReport& place : places) {
      records.mutable_packets()->MergeFrom(place.packets());
      records.mutable_messages()->MergeFrom(place.messages());
    }
    if (packet_trace_)
      status = packet_trace_->merge(records.packets(), plan_.graph.channel_count(), plan_.graph.host_count());
    if (options_.messages != nullptr) status.Update(options_.messages->merge(records.messages()));
  }
  report_packet_trace();
  return status;
}

void Run::finish_digests() {
  if (!runtime_) return;
  const std::span<observe::EndpointDigest> digests = runtime_->digests();
  // Hosts add a flow when all of it has arrived. Of one that its stop or the end of the run has cut, only the report of
  // all places knows how much that is.
  for (int number = 0; number < report_.flows_size(); ++number) {
    const v1::FlowReport& flow = report_.flows(number);
    const bool whole = flow.bytes() > 0 && flow.bytes_received() >= flow.bytes();
    if (whole || flow.bytes_received() == 0) continue;
    const uint64_t facts[] = {static_cast<uint64_t>(number), static_cast<uint64_t>(flow.source()),
                              flow.bytes_received()};
    digests[static_cast<size_t>(flow.destination())].add_message(observe::hash_values(facts));
  }
  report_.set_timing_digest(observe::combine_timing(digests));
  report_.set_payload_digest(observe::combine_payload(digests));
}

void Run::report_packet_trace() {
  if (!packet_trace_) return;
  v1::PacketTraceReport& report = *report_.mutable_packet_trace();
  report.set_packets(packet_trace_->finished().size());
  report.set_unfinished(packet_trace_->unfinished());
  report.set_file(experiment_.statistics.packet_trace->file);
}

void Run::finish_links() { report_links(plan_.graph, counters_, report_.simulated_seconds(), report_); }

// This is not the partition with the least time: one that only waits stays at its last action, and no other waits for
// it.
std::string Run::waited_for() const {
  if (plan_.partitions.size() < 2) return {};
  engine::Lookahead lookahead(memory_->table());
  if (!lookahead.update()) return {};
  int32_t first = 0;
  bool alone = true;
  for (int32_t p = 1; p < static_cast<int32_t>(plan_.partitions.size()); ++p) {
    const Time acts = lookahead.earliest_action(p);
    const Time least = lookahead.earliest_action(first);
    if (acts == least) alone = false;
    if (acts >= least) continue;
    first = p;
    alone = true;
  }
  if (!alone) return {};
  const system::PartitionPlan& partition = plan_.partitions[first];
  return partition.place == 0 ? partition.name : plan_.name_with_place(partition);
}

RunLook Run::look() const {
  RunLook look;
  if (!running_.load(std::memory_order_acquire)) return look;
  const double seconds = simulation_seconds_.load(std::memory_order_acquire);
  look.ended = seconds >= 0;
  const engine::SyncTable& table = memory_->table();
  engine::Lookahead lookahead(table);
  look.waits_known = !look.ended && lookahead.update();
  look.partitions.resize(plan_.partitions.size());
  for (size_t p = 0; p < look.partitions.size(); ++p) {
    PartitionLook& partition = look.partitions[p];
    partition.now = table.now(static_cast<int32_t>(p));
    if (look.waits_known && partition.now < experiment_.stop_after)
      partition.waits_for = lookahead.waits_for(static_cast<int32_t>(p));
  }
  for (size_t i = 0; i < executor_->partitions().size(); ++i) {
    const auto local = static_cast<size_t>(executor_->partitions()[i].id);
    look.partitions[local].busy_ns = executor_->counters(static_cast<int32_t>(i)).busy_ns.get();
  }
  // Last, so that no partition has been busy for longer than this.
  look.wall_seconds =
      look.ended ? seconds : std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  return look;
}

RunLook Run::ask() const {
  std::vector<v1::PartitionReport> answers;
  if (connector_ && running_.load(std::memory_order_acquire)) connector_->ask_partitions(answers);
  // After the answers, so that no partition has been busy for longer than the look says.
  RunLook look = this->look();
  std::map<std::string_view, double> busy;
  for (const v1::PartitionReport& answer : answers) busy[answer.name()] = answer.busy_seconds();
  for (size_t p = 0; p < look.partitions.size(); ++p) {
    // Only other places answer, and they may say anything.
    const auto answer = busy.find(plan_.partitions[p].name);
    if (answer == busy.end() || look.partitions[p].busy_ns.has_value()) continue;
    if (answer->second >= 0) look.partitions[p].busy_ns = nanoseconds_of(std::min(answer->second, look.wall_seconds));
  }
  return look;
}

RunProgress Run::progress() const {
  RunProgress progress;
  if (!running_.load(std::memory_order_acquire)) return progress;
  progress.simulated = executor_->slowest_time();
  progress.waited_for = waited_for();
  for (const engine::LocalPartition& local : executor_->partitions()) progress.events += local.partition->events();
  progress.done = workload_done();
  return progress;
}

double Run::workload_done() const {
  // All have to be done; those that have no part in it do not know.
  double done = -1;
  for (const engine::LocalPartition& local : executor_->partitions()) {
    const double of_partition = local.partition->workload_done();
    if (of_partition >= 0) done = done < 0 ? of_partition : std::min(done, of_partition);
  }
  // The run ends with whichever ends first.
  if (!experiment_.stop_after.is_never())
    done = std::max(done, std::min(1.0, executor_->slowest_time().seconds() / experiment_.stop_after.seconds()));
  return done;
}

RunSample Run::sample() const {
  RunSample sample;
  // The state comes first: what is read after the end is final.
  sample.state = state_.load(std::memory_order_acquire);
  // A run may end before it has begun, where a place does not answer or a part cannot be built.
  if (!running_.load(std::memory_order_acquire)) return sample;
  // Partitions may stand anywhere beyond the end when they stop; the report says where the run ended.
  sample.simulated =
      sample.state == RunState::kRunning ? executor_->slowest_time() : Time::from_fs(report_.simulated_fs());
  if (sample.state != RunState::kRunning) sample.result = &report_;
  sample.done = workload_done();
  sample.wall_seconds = sample.state == RunState::kRunning
                            ? std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count()
                            : wall_seconds_.load(std::memory_order_relaxed);
  sample.look = look();
  const bool to_the_end = sample.state == RunState::kComplete ||
                          (sample.state == RunState::kEndedEarly && sample.simulated >= experiment_.stop_after);
  if (to_the_end) {
    // A partition with nothing more to do, or in another process, has not told how far it has come.
    for (PartitionLook& partition : sample.look.partitions) partition.now = sample.simulated;
  }
  v1::Report report;
  runtime_->report_partitions(*executor_, sample.wall_seconds, report);
  sample.partitions.assign(report.partitions().begin(), report.partitions().end());
  uint64_t records = 0;
  for (const v1::PartitionReport& partition : sample.partitions) records += partition.records_out();
  if (connector_) {
    sample.transports = connector_->transports();
    connector_->sample(sampled_counters_, sample.partitions, sample.measures);
  }
  const std::span<const link::LinkCounters> own = runtime_->link_counters();
  for (int32_t channel = 0; channel < plan_.graph.channel_count(); ++channel) {
    if (plan_.partitions[plan_.source_partition(channel)].place != 0) continue;
    sampled_counters_[channel].words.set(own[channel].words.get());
    sampled_counters_[channel].packets.set(own[channel].packets.get());
    sampled_counters_[channel].credit_stall_cycles.set(own[channel].credit_stall_cycles.get());
  }
  if (auto measures = runtime_->look(*executor_); measures.has_value()) sampled_measures_ = *std::move(measures);
  sample.measures.MergeFrom(sampled_measures_);
  sample.transports.push_back({"memory", records, 0, records * sizeof(link::Record)});
  return sample;
}

}  // namespace fabrictwin::run
