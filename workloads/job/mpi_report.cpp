// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the ranks of a run report.
#include <algorithm>
#include <string>
#include <utility>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "workloads/job/mpi_workload.h"
#include "workloads/mpi/wait_circles.h"

namespace fabrictwin::job {
namespace {

/// Messages under way beyond which what a place tells is refused.
constexpr int64_t kMostUnderWay = int64_t{1} << 48;

const metric::Gauge kRanks{{.name = "fabrictwin_mpi_ranks",
                            .help = "Ranks of a job",
                            .labels = {"mpi_job"},
                            .order = 390,
                            .in_report = false}};
const metric::Gauge kRanksEnded{{.name = "fabrictwin_mpi_ranks_ended",
                                 .help = "Ranks of a job that have ended",
                                 .labels = {"mpi_job"},
                                 .order = 391,
                                 .in_report = false}};
const metric::Counter kEvents{
    {.name = "fabrictwin_mpi_events_total",
     .help = "Events of their programs (calls, computations) that the ranks of a job have done",
     .labels = {"mpi_job"},
     .order = 392,
     .in_report = false}};
const metric::Counter kMessages{{.name = "fabrictwin_mpi_messages_total",
                                 .help = "Messages that the ranks of a job have sent, steps of collectives included",
                                 .labels = {"mpi_job"},
                                 .order = 393,
                                 .in_report = false}};
const metric::Counter kMessageBytes{{.name = "fabrictwin_mpi_message_bytes_total",
                                     .unit = "bytes",
                                     .help = "Bytes of the messages that the ranks of a job have sent",
                                     .labels = {"mpi_job"},
                                     .order = 394,
                                     .in_report = false}};
const metric::Counter kCompute{{.name = "fabrictwin_mpi_compute_seconds_total",
                                .unit = "seconds",
                                .help = "Simulated time in which the ranks of a job have computed, all together",
                                .labels = {"mpi_job"},
                                .order = 395,
                                .in_report = false}};
const metric::Counter kCommunication{
    {.name = "fabrictwin_mpi_communication_seconds_total",
     .unit = "seconds",
     .help = "Simulated time in which the ranks of a job did not compute: software of MPI and waiting, all together",
     .labels = {"mpi_job"},
     .order = 396,
     .in_report = false}};
const metric::Counter kWait{
    {.name = "fabrictwin_mpi_wait_seconds_total",
     .unit = "seconds",
     .help = "Simulated time in which the ranks of a job were blocked in MPI, without its software, all together",
     .labels = {"mpi_job"},
     .order = 397,
     .in_report = false}};

std::string stuck_warning(const std::string& name, Time since, const std::string& waits) {
  return fmt::format(
      "the background job {} has waited for ever since {} and put no load on the network from then on: {}", name,
      to_string(since), waits);
}

}  // namespace

void MpiWorkload::measure_sums(metric::Sink& sink) const {
  for (const mpi::JobState& job : system_->jobs) {
    uint64_t ranks = 0;
    uint64_t ended = 0;
    uint64_t events = 0;
    uint64_t messages = 0;
    uint64_t bytes = 0;
    double compute = 0;
    double communication = 0;
    double wait = 0;
    for (const std::shared_ptr<mpi::RankEngine>& engine : job.engines) {
      if (!engine) continue;
      const mpi::RankEngine::Totals& totals = engine->totals();
      ++ranks;
      ended += engine->finished() ? 1 : 0;
      events += totals.events.get();
      messages += totals.messages_sent;
      bytes += totals.bytes_sent;
      compute += engine->computed().seconds();
      communication += (engine->ran_until() - engine->computed()).seconds();
      wait += engine->waited().seconds();
    }
    sink.add(kRanks, static_cast<double>(ranks), {job.name});
    sink.add(kRanksEnded, static_cast<double>(ended), {job.name});
    sink.add(kEvents, static_cast<double>(events), {job.name});
    sink.add(kMessages, static_cast<double>(messages), {job.name});
    sink.add(kMessageBytes, static_cast<double>(bytes), {job.name});
    sink.add(kCompute, compute, {job.name});
    sink.add(kCommunication, communication, {job.name});
    sink.add(kWait, wait, {job.name});
  }
}

void MpiWorkload::report_job(const mpi::JobState& job, v1::Report& report) const {
  v1::JobReport& summary = *report.add_jobs();
  const auto index = static_cast<int32_t>(&job - system_->jobs.data());
  double latest = 0;
  bool finished = true;
  for (const std::shared_ptr<mpi::RankEngine>& engine : job.engines) {
    if (!engine) continue;
    const mpi::RankEngine::Totals& totals = engine->totals();
    const double end = engine->ran_until().seconds();
    const double compute = engine->computed().seconds();
    latest = std::max(latest, end);
    finished = finished && engine->finished();
    v1::Rank& rank = *report.add_ranks();
    rank.set_rank(job.first_rank + engine->options().costs.rank);
    rank.set_finish_seconds(end);
    rank.set_compute_seconds(compute);
    rank.set_communication_seconds(std::max(0.0, end - compute));
    rank.set_messages_sent(totals.messages_sent);
    rank.set_bytes_sent(totals.bytes_sent);
    rank.set_events_replayed(totals.events.get());
    rank.set_events_total(engine->options().events > 0 || !engine->finished() ? engine->options().events
                                                                              : totals.events.get());
    rank.set_host(system_->layout.slot_of(index, engine->options().costs.rank).host);
  }
  summary.set_name(job.name);
  summary.set_ranks(job.program->ranks());
  summary.set_first_rank(job.first_rank);
  summary.set_background(job.background);
  summary.set_finish_seconds(job.background ? job.finish.seconds() : latest);
  summary.set_completions(job.background ? job.completions : (finished ? 1 : 0));
  // What is repeated has no results.
  if (!job.background) job.program->report(summary);
}

v1::RoundsPart MpiWorkload::rounds_of(const mpi::JobState& job) {
  v1::RoundsPart rounds;
  rounds.set_completions(job.completions);
  rounds.set_end_fs(job.finish.fs());
  rounds.set_end_before_fs(job.finish_before.fs());
  rounds.set_under_way(job.under_way);
  rounds.set_waits(job.waiting == job.here);
  for (const std::shared_ptr<mpi::RankEngine>& engine : job.engines) {
    if (!engine) continue;
    rounds.set_since_fs(std::max(rounds.since_fs(), engine->now().fs()));
    if (rounds.first_wait().empty()) rounds.set_first_wait(engine->waits_for());
  }
  return rounds;
}

// No other job waits for a background job, so only these report that it has waited for ever.
void MpiWorkload::report_stuck(const std::string& name, std::span<const v1::RoundsPart> parts, v1::Report& report) {
  if (parts.empty() || !std::ranges::all_of(parts, &v1::RoundsPart::waits)) return;
  int64_t under_way = 0;
  int64_t since = 0;
  for (const v1::RoundsPart& part : parts) {
    under_way += part.under_way();
    since = std::max(since, part.since_fs());
  }
  if (under_way != 0) return;
  report.add_warnings(stuck_warning(name, Time::from_fs(since), parts.front().first_wait()));
}

void MpiWorkload::report_stuck(const mpi::JobState& job, v1::Report& report) {
  const auto waits_for_ever = [](const std::shared_ptr<mpi::RankEngine>& engine) {
    return engine && (engine->finished() || engine->stuck());
  };
  if (job.under_way > 0 || !std::all_of(job.engines.begin(), job.engines.end(), waits_for_ever)) return;
  Time since;
  std::vector<const mpi::RankEngine*> engines;
  std::string first;
  for (const std::shared_ptr<mpi::RankEngine>& engine : job.engines) {
    since = std::max(since, engine->now());
    engines.push_back(engine.get());
    if (first.empty()) first = engine->waits_for();
  }
  std::vector<std::string> circles = mpi::wait_circles(engines);
  if (circles.empty()) circles.push_back(first);
  report.add_warnings(stuck_warning(job.name, since, fmt::format("{}", fmt::join(circles, "; "))));
}

void MpiWorkload::report(v1::Report& report) const {
  for (const mpi::JobState& job : system_->jobs) report_job(job, report);
  for (const mpi::JobState& job : system_->jobs) {
    if (job.background) report_stuck(job, report);
  }
  if (activity_.has_value()) activity_->report(activity_->part(system_->jobs), report);
  report_single(report);
}

// If there is a single job, its measurements are those of the run.
void MpiWorkload::report_single(v1::Report& report) {
  if (report.jobs_size() != 1) return;
  if (report.jobs(0).has_osu()) *report.mutable_osu() = report.jobs(0).osu();
  if (report.jobs(0).has_gemm()) *report.mutable_gemm() = report.jobs(0).gemm();
}

bool MpiWorkload::report_part(v1::WorkloadPart& part) const {
  if (activity_.has_value()) *part.mutable_activity() = activity_->part(system_->jobs);
  for (size_t job = 0; job < system_->jobs.size(); ++job) {
    v1::JobPart measured;
    const mpi::JobState& state = system_->jobs[job];
    if (!state.background) state.program->report_part(measured);
    if (state.background && state.here > 0) *measured.mutable_rounds() = rounds_of(state);
    if (measured.ByteSizeLong() == 0) continue;
    measured.set_job(static_cast<int32_t>(job));
    *part.add_jobs() = std::move(measured);
  }
  return part.has_activity() || part.jobs_size() > 0;
}

absl::Status MpiWorkload::add_part(const v1::WorkloadPart& part) {
  const auto fits = [&](const v1::JobPart& job) {
    return job.job() >= 0 && job.job() < static_cast<int32_t>(system_->jobs.size());
  };
  if ((part.has_activity() && (!activity_.has_value() || !activity_->fits(part.activity()))) ||
      !std::ranges::all_of(part.jobs(), fits))
    return absl::DataLossError("what a place tells of its ranks does not fit the jobs of the experiment");
  parts_.MergeFrom(part.activity());
  for (const v1::JobPart& job : part.jobs()) {
    const auto number = static_cast<size_t>(job.job());
    if (job.has_rounds()) {
      const int64_t under_way = job.rounds().under_way();
      if (under_way > kMostUnderWay || under_way < -kMostUnderWay || job.rounds().since_fs() < 0)
        return absl::DataLossError("a place tells of rounds of ranks that cannot be");
      rounds_[number].push_back(job.rounds());
    }
    // What is repeated has no results.
    if (system_->jobs[number].background) continue;
    if (absl::Status status = system_->jobs[number].program->add_part(job); !status.ok()) return status;
  }
  return absl::OkStatus();
}

// A barrier ends each round, so that some partitions have ended at most one round more than others.
void MpiWorkload::report_rounds(std::span<const v1::RoundsPart> parts, v1::JobReport& line) {
  uint64_t completions = parts.empty() ? 0 : parts.front().completions();
  for (const v1::RoundsPart& part : parts) completions = std::min(completions, part.completions());
  Time finish;
  for (const v1::RoundsPart& part : parts)
    finish = std::max(finish, Time::from_fs(part.completions() > completions ? part.end_before_fs() : part.end_fs()));
  line.set_completions(completions);
  line.set_finish_seconds(finish.seconds());
}

// Jobs with ranks have lines of the report, among others, with what the ranks of one place have measured.
void MpiWorkload::report_parts(v1::Report& report) const {
  if (activity_.has_value()) activity_->report(parts_, report);
  for (const mpi::JobState& job : system_->jobs) {
    const auto line = std::ranges::find_if(*report.mutable_jobs(), [&](const v1::JobReport& other) {
      return other.first_rank() == job.first_rank && other.ranks() == job.program->ranks() && other.name() == job.name;
    });
    if (line == report.mutable_jobs()->end()) continue;
    if (job.background) {
      const std::vector<v1::RoundsPart>& rounds = rounds_[static_cast<size_t>(&job - system_->jobs.data())];
      report_rounds(rounds, *line);
      report_stuck(job.name, rounds, report);
    } else {
      job.program->report(*line);
    }
  }
  report_single(report);
}

}  // namespace fabrictwin::job
