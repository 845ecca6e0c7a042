// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/job/mpi_workload.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "models/nic/tofu_barrier.h"
#include "workloads/mpi/copy_cost.h"
#include "workloads/mpi/repeating_program.h"
#include "workloads/mpi/wait_circles.h"

namespace fabrictwin::job {
namespace {

constexpr int kMaxWaits = 20;
/// A place tells of no more messages.
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
const metric::Counter kWait{
    {.name = "fabrictwin_mpi_communication_seconds_total",
     .unit = "seconds",
     .help = "Simulated time in which the ranks of a job sent, received and waited, all together",
     .labels = {"mpi_job"},
     .order = 396,
     .in_report = false}};

/// Until when a rank has run. One that has not finished has run until its last decision; a computation that it has
/// begun may end later.
Time end_of(const mpi::RankEngine& engine) {
  return engine.finished() ? engine.finish_time() : std::max(engine.now(), engine.totals().compute);
}

std::string stuck_warning(const std::string& name, Time since, const std::string& waits) {
  return fmt::format(
      "the background job {} has waited for ever since {} and put no load on the network from then on: {}", name,
      to_string(since), waits);
}

}  // namespace

MpiWorkload::MpiWorkload(std::vector<PlacedJob> jobs, experiment::HostSpec host, int32_t hosts, bool background)
    : host_(std::move(host)),
      system_(std::make_shared<mpi::RankSystem>(mpi::RankSystem{mpi::JobLayout(hosts), {}, background})) {
  for (PlacedJob& job : jobs) add_job(std::move(job));
  rounds_.resize(system_->jobs.size());
}

void MpiWorkload::follow(const experiment::StatisticsSpec& statistics) {
  if (!statistics.message_matrix && !statistics.rank_timeline) return;
  const mpi::JobState& last = system_->jobs.back();
  activity_.emplace(statistics, last.first_rank + static_cast<int32_t>(last.engines.size()));
}

void MpiWorkload::add_job(PlacedJob job) {
  mpi::JobLayout& layout = system_->layout;
  mpi::JobState state;
  state.name = job.spec->name;
  state.background = job.spec->background;
  state.shares_memory = job.spec->kind->shares_memory();
  system_->background = system_->background || state.background;
  state.program = std::move(job.program);
  if (!state.background) state.usual_events = state.program->usual_events();
  if (host_.allreduce_accelerator) state.reduce_hosts = job.hosts;
  if (!system_->jobs.empty()) state.first_rank = system_->jobs.back().first_rank + layout.ranks(layout.jobs() - 1);
  state.engines.resize(job.hosts.size());
  system_->jobs.push_back(std::move(state));
  layout.add_job(job.hosts);
  specs_.push_back(*job.spec);
}

absl::StatusOr<std::unique_ptr<mpi::RankProgram>> MpiWorkload::make_program(mpi::JobState& job, int32_t rank) {
  absl::StatusOr<std::unique_ptr<mpi::RankProgram>> program = job.program->make_rank(rank);
  if (!program.ok() || !job.background) return program;
  return std::make_unique<mpi::RepeatingProgram>(job, rank, *std::move(program),
                                                 [this](Time now) { return check_progress(now); });
}

absl::StatusOr<std::unique_ptr<host::HostProcess>> MpiWorkload::make_process(int32_t node,
                                                                             observe::EndpointDigest* digest) {
  const std::span<const mpi::JobLayout::Seat> seats = system_->layout.seats(node);
  if (seats.empty()) return std::unique_ptr<host::HostProcess>();
  const auto cores = static_cast<int32_t>(seats.size());
  const mpi::CopyCost copy = mpi::CopyCost::of_host(host_, cores);
  std::optional<mpi::ComputeChannel> memory;
  if (const auto shared = mpi::ComputeChannel::config_of(host_)) memory.emplace(*shared, cores);
  for (const mpi::JobLayout::Seat& seat : seats) {
    mpi::JobState& job = system_->jobs[static_cast<size_t>(seat.job)];
    const JobSpec& spec = specs_[static_cast<size_t>(seat.job)];
    const mpi::JobCosts costs = spec.kind->costs(spec.work, host_);
    const double stretch = job.shares_memory ? 1.0 : mpi::compute_stretch(host_, cores);
    mpi::RankEngine::Options options;
    options.costs.rank = seat.rank;
    options.costs.ranks = job.program->ranks();
    options.costs.compute_scale = costs.compute_scale * stretch;
    options.costs.send_overhead = host_.send_overhead;
    options.costs.eager_limit = static_cast<uint64_t>(costs.eager_limit.count);
    options.costs.copy = copy;
    options.costs.request_overhead = host_.collectives.request;
    options.costs.reduce_overhead = host_.collectives.reduction;
    options.costs.buffer_overhead = host_.collectives.buffer;
    options.costs.local = mpi::CopyCost::of_rate(host_.collectives.rate);
    options.costs.accelerator = !job.reduce_hosts.empty();
    if (host_.nic == v1::Host::TOFU) {
      options.costs.accelerated_barrier = true;
      options.costs.most_integers = nic::TofuBarrier::kMaxIntegers;
      options.costs.most_reals = nic::TofuBarrier::kMaxReals;
    }
    options.receive_overhead = host_.receive_overhead;
    options.match_overhead = host_.match_overhead;
    options.events = job.background ? 0 : job.program->events(seat.rank);
    absl::StatusOr<std::unique_ptr<mpi::RankProgram>> program = make_program(job, seat.rank);
    if (!program.ok()) {
      return absl::Status(program.status().code(),
                          experiment::format_diagnostic(spec.location, message_of(program.status())));
    }
    auto engine = std::make_shared<mpi::RankEngine>(options, *std::move(program), digest);
    if (activity_.has_value()) engine->follow(activity_->follow(job.first_rank, seat.rank));
    job.engines[static_cast<size_t>(seat.rank)] = std::move(engine);
    ++job.here;
  }
  std::optional<mpi::Loopback> loopback;
  if (!host_.loopback_latency.is_never()) {
    const mpi::CopyCost through_memory =
        host_.loopback_rate.bits_per_second > 0 ? mpi::CopyCost::of_rate(host_.loopback_rate) : copy;
    loopback.emplace(host_.loopback_latency, through_memory, cores);
  }
  return std::make_unique<mpi::RankHost>(node, system_, std::move(loopback), std::move(memory));
}

bool MpiWorkload::independent_hosts() const { return !system_->background; }

std::string_view MpiWorkload::shared_among_hosts() const {
  const bool independent = std::all_of(system_->jobs.begin(), system_->jobs.end(),
                                       [](const mpi::JobState& job) { return job.program->independent_ranks(); });
  return independent ? "" : "what the ranks of a job have measured";
}

bool MpiWorkload::whole() const {
  return std::ranges::all_of(system_->jobs, [](const mpi::JobState& job) { return job.here == job.program->ranks(); });
}

engine::Foreground MpiWorkload::foreground() const {
  engine::Foreground foreground{.state = engine::Foreground::State::kWaits};
  for (const mpi::JobState& job : system_->jobs) {
    if (job.background) continue;
    if (job.waiting < job.here) foreground.state = engine::Foreground::State::kRuns;
    foreground.moves += job.moves;
    foreground.under_way += job.under_way;
  }
  return foreground;
}

// Background jobs would hide a deadlock of the others, as the system never becomes idle. Detects it: nothing has moved
// since an earlier time, nothing is in flight, and all ranks wait.
absl::Status MpiWorkload::check_progress(Time now) {
  if (!whole()) return absl::OkStatus();
  uint64_t moves = 0;
  for (const mpi::JobState& job : system_->jobs) {
    if (!job.background) moves += job.moves;
  }
  const bool moved = moves != moves_ || now == looked_;
  if (moves != moves_) looked_ = now;
  moves_ = moves;
  if (moved) return absl::OkStatus();
  std::string text;
  int lines = 0;
  for (const mpi::JobState& job : system_->jobs) {
    if (job.background) continue;
    if (job.under_way > 0) return absl::OkStatus();
    for (const std::shared_ptr<mpi::RankEngine>& engine : job.engines) {
      if (engine->finished()) continue;
      if (!engine->stuck()) return absl::OkStatus();
      if (lines++ < kMaxWaits) text += fmt::format("\n{}: {}", job.name, engine->waits_for());
    }
  }
  for (const std::string& circle : waits()) text += fmt::format("\n{}", circle);
  if (lines > kMaxWaits) text += fmt::format("\nand {} more", lines - kMaxWaits);
  return absl::DeadlineExceededError(
      fmt::format("at {}: only jobs in the background still run; the others wait for ever:{}", to_string(now), text));
}

double MpiWorkload::done() const {
  uint64_t replayed = 0;
  uint64_t total = 0;
  uint64_t finished = 0;
  uint64_t ranks = 0;
  uint64_t usual = 0;
  bool known = true;
  bool estimated = true;
  for (const mpi::JobState& job : system_->jobs) {
    if (job.background) continue;
    estimated = estimated && job.usual_events > 0;
    for (const std::shared_ptr<mpi::RankEngine>& engine : job.engines) {
      if (!engine) continue;
      replayed += engine->totals().events.get();
      total += engine->options().events;
      known = known && engine->options().events > 0;
      usual += job.usual_events;
      finished += engine->totals().ended.get();
      ++ranks;
    }
  }
  if (known && total > 0) return static_cast<double>(replayed) / static_cast<double>(total);
  // Ranks may have more events than the one whose events were counted.
  if (estimated && usual > 0 && finished < ranks)
    return std::min(0.999, static_cast<double>(replayed) / static_cast<double>(usual));
  return ranks == 0 ? 1 : static_cast<double>(finished) / static_cast<double>(ranks);
}

void MpiWorkload::measure(metric::Sink& sink) const {
  for (const mpi::JobState& job : system_->jobs) {
    uint64_t ranks = 0;
    uint64_t ended = 0;
    uint64_t events = 0;
    uint64_t messages = 0;
    uint64_t bytes = 0;
    double compute = 0;
    double communication = 0;
    for (const std::shared_ptr<mpi::RankEngine>& engine : job.engines) {
      if (!engine) continue;
      const mpi::RankEngine::Totals& totals = engine->totals();
      ++ranks;
      ended += engine->finished() ? 1 : 0;
      events += totals.events.get();
      messages += totals.messages_sent;
      bytes += totals.bytes_sent;
      compute += totals.compute.seconds();
      communication += std::max(0.0, (end_of(*engine) - totals.compute).seconds());
    }
    sink.add(kRanks, static_cast<double>(ranks), {job.name});
    sink.add(kRanksEnded, static_cast<double>(ended), {job.name});
    sink.add(kEvents, static_cast<double>(events), {job.name});
    sink.add(kMessages, static_cast<double>(messages), {job.name});
    sink.add(kMessageBytes, static_cast<double>(bytes), {job.name});
    sink.add(kCompute, compute, {job.name});
    sink.add(kWait, communication, {job.name});
  }
}

std::vector<std::string> MpiWorkload::waits() const {
  std::vector<std::string> lines;
  for (const mpi::JobState& job : system_->jobs) {
    std::vector<const mpi::RankEngine*> engines;
    for (const std::shared_ptr<mpi::RankEngine>& engine : job.engines) engines.push_back(engine.get());
    for (const std::string& circle : mpi::wait_circles(engines))
      lines.push_back(system_->jobs.size() == 1 ? circle : fmt::format("{}: {}", job.name, circle));
  }
  return lines;
}

void MpiWorkload::report_job(const mpi::JobState& job, v1::Report& report) const {
  v1::JobReport& summary = *report.add_jobs();
  const auto index = static_cast<int32_t>(&job - system_->jobs.data());
  double latest = 0;
  bool finished = true;
  for (const std::shared_ptr<mpi::RankEngine>& engine : job.engines) {
    if (!engine) continue;
    const mpi::RankEngine::Totals& totals = engine->totals();
    const double end = end_of(*engine).seconds();
    latest = std::max(latest, end);
    finished = finished && engine->finished();
    v1::Rank& rank = *report.add_ranks();
    rank.set_rank(job.first_rank + engine->options().costs.rank);
    rank.set_finish_seconds(end);
    rank.set_compute_seconds(totals.compute.seconds());
    rank.set_communication_seconds(std::max(0.0, end - totals.compute.seconds()));
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
