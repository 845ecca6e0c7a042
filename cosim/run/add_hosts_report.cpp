// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/add_hosts_report.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace fabrictwin::run {
namespace {

/// Each place has all jobs, with the ranks that are there.
void add_jobs(const v1::Report& part, v1::Report& report) {
  for (int i = 0; i < part.jobs_size(); ++i) {
    const v1::JobReport& there = part.jobs(i);
    if (i >= report.jobs_size()) {
      *report.add_jobs() = there;
      continue;
    }
    v1::JobReport& job = *report.mutable_jobs(i);
    job.set_finish_seconds(std::max(job.finish_seconds(), there.finish_seconds()));
    job.set_completions(std::min(job.completions(), there.completions()));
  }
}

void add_ranks(const v1::Report& part, v1::Report& report) {
  report.mutable_ranks()->MergeFrom(part.ranks());
  std::sort(report.mutable_ranks()->begin(), report.mutable_ranks()->end(),
            [](const v1::Rank& a, const v1::Rank& b) { return a.rank() < b.rank(); });
}

/// What network interfaces have counted. The rest of the message is that of the first partition.
void add_control(const v1::Report& part, v1::Report& report) {
  if (!part.has_control()) return;
  if (!report.has_control()) {
    *report.mutable_control() = part.control();
    return;
  }
  v1::ControlReport& control = *report.mutable_control();
  control.set_marks(control.marks() + part.control().marks());
  control.set_acknowledgements(control.acknowledgements() + part.control().acknowledgements());
  control.set_notices(control.notices() + part.control().notices());
  control.set_bytes(control.bytes() + part.control().bytes());
}

void add_warnings(const v1::Report& part, v1::Report& report) {
  for (const std::string& warning : part.warnings()) {
    if (std::find(report.warnings().begin(), report.warnings().end(), warning) == report.warnings().end())
      report.add_warnings(warning);
  }
}

/// All hosts are at one place: what is reported of flows, queues and benchmarks as a whole is that of the place. Fields
/// that add_report() adds up are left to it.
void copy_of_whole(const v1::Report& part, v1::Report& report) {
  v1::Report whole = part;
  whole.clear_packets_delivered();
  whole.clear_bytes_delivered();
  whole.clear_simulated_fs();
  whole.clear_violations();
  whole.clear_ranks();
  whole.clear_jobs();
  whole.clear_control();
  whole.clear_warnings();
  report.MergeFrom(whole);
}

uint64_t bytes_sent(const v1::JobReport& job, const v1::Report& report) {
  uint64_t bytes = 0;
  for (const v1::Rank& rank : report.ranks()) {
    if (rank.rank() >= job.first_rank() && rank.rank() < job.first_rank() + job.ranks()) bytes += rank.bytes_sent();
  }
  return bytes;
}

/// What all flows have received counts over the time of the run: flows that repeat have no first start. Flows that
/// have not begun have no goodput yet.
void add_goodput_of_flows(v1::Report& report) {
  if (report.flows_size() == 0 || report.simulated_seconds() <= 0) return;
  double bytes = 0;
  std::optional<double> least;
  for (const v1::FlowReport& flow : report.flows()) {
    bytes += static_cast<double>(flow.bytes_received());
    if (flow.start_seconds() >= report.simulated_seconds() && flow.bytes_received() == 0) continue;
    least = std::min(least.value_or(flow.goodput_gbps()), flow.goodput_gbps());
  }
  report.mutable_flow_summary()->set_goodput_gbps(bytes * 8e-9 / report.simulated_seconds());
  report.mutable_flow_summary()->set_least_goodput_gbps(least.value_or(0));
}

}  // namespace

void add_hosts_report(const v1::HostsReport& hosts, std::span<observe::EndpointDigest> digests, v1::Report& report) {
  for (int i = 0; i < std::min({hosts.hosts_size(), hosts.timing_size(), hosts.payload_size()}); ++i) {
    const auto host = static_cast<size_t>(hosts.hosts(i));
    if (host < digests.size()) digests[host] = observe::EndpointDigest(hosts.timing(i), hosts.payload(i));
  }
  if (static_cast<size_t>(hosts.hosts_size()) == digests.size()) copy_of_whole(hosts.report(), report);
  add_report(hosts.report(), report);
}

void add_report(const v1::Report& part, v1::Report& report) {
  report.set_packets_delivered(report.packets_delivered() + part.packets_delivered());
  report.set_bytes_delivered(report.bytes_delivered() + part.bytes_delivered());
  report.set_simulated_fs(std::max(report.simulated_fs(), part.simulated_fs()));
  report.mutable_violations()->MergeFrom(part.violations());
  add_ranks(part, report);
  add_jobs(part, report);
  add_control(part, report);
  add_warnings(part, report);
}

void drop_late(const google::protobuf::RepeatedPtrField<v1::WorkloadPart>& parts, Time end,
               std::span<observe::EndpointDigest> digests, v1::Report& report) {
  std::vector<bool> restored(digests.size());
  for (const v1::WorkloadPart& part : parts) {
    for (const v1::LateArrivalPart& late : part.late()) {
      const auto host = static_cast<size_t>(late.host());
      if (late.at_fs() <= end.fs() || host >= digests.size()) continue;
      report.set_packets_delivered(report.packets_delivered() - 1);
      report.set_bytes_delivered(report.bytes_delivered() - late.bytes());
      // The first one of a host knows what came before all of them.
      if (!restored[host]) digests[host] = observe::EndpointDigest(late.timing(), digests[host].payload());
      restored[host] = true;
    }
  }
}

void add_goodputs(v1::Report& report) {
  add_goodput_of_flows(report);
  std::vector<uint64_t> received(static_cast<size_t>(report.jobs_size()));
  for (const v1::FlowReport& flow : report.flows()) {
    if (flow.has_job() && flow.job() < report.jobs_size())
      received[static_cast<size_t>(flow.job())] += flow.bytes_received();
  }
  for (int i = 0; i < report.jobs_size(); ++i) {
    v1::JobReport& job = *report.mutable_jobs(i);
    const bool flows = job.ranks() == 0;
    // Flows that have not ended go on until the end of the run.
    const bool whole = job.background() || (flows && job.completions() == 0);
    const double seconds = whole ? report.simulated_seconds() : job.finish_seconds();
    if (seconds <= 0) continue;
    const uint64_t bytes = flows ? received[static_cast<size_t>(i)] : bytes_sent(job, report);
    job.set_goodput_gbps(static_cast<double>(bytes) * 8e-9 / seconds);
  }
}

}  // namespace fabrictwin::run
