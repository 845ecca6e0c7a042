// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/job/mpi_workload.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "workloads/mpi/protocol/copy_cost.h"
#include "workloads/mpi/repeating_program.h"
#include "workloads/mpi/wait_circles.h"

namespace fabrictwin::job {
namespace {

constexpr int kMaxWaits = 20;

}  // namespace

MpiWorkload::MpiWorkload(std::vector<PlacedJob> jobs, experiment::HostSpec host, const experiment::NicCapabilities& nic,
                         int32_t hosts, bool background, Time limit)
    : host_(std::move(host)),
      nic_(nic),
      limit_(limit),
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

bool MpiWorkload::takes_part(int32_t node) const { return !system_->layout.seats(node).empty(); }

absl::StatusOr<std::unique_ptr<host::HostProcess>> MpiWorkload::make_process(int32_t node,
                                                                             observe::EndpointDigest* digest) {
  const std::span<const mpi::JobLayout::Seat> seats = system_->layout.seats(node);
  if (seats.empty()) return std::unique_ptr<host::HostProcess>();
  const auto cores = static_cast<int32_t>(seats.size());
  const mpi::protocol::CopyCost copy = mpi::protocol::CopyCost::of_host(host_, cores);
  std::optional<mpi::ComputeChannel> memory;
  if (const auto shared = mpi::ComputeChannel::config_of(host_)) memory.emplace(*shared, cores);
  for (const mpi::JobLayout::Seat& seat : seats) {
    mpi::JobState& job = system_->jobs[static_cast<size_t>(seat.job)];
    const JobSpec& spec = specs_[static_cast<size_t>(seat.job)];
    const mpi::JobCosts costs = spec.kind->costs(spec.work, host_);
    const double slowdown = job.shares_memory ? 1.0 : mpi::protocol::compute_slowdown(host_, cores);
    mpi::RankEngine::Options options;
    options.costs.rank = seat.rank;
    options.costs.ranks = job.program->ranks();
    options.costs.compute_scale = costs.compute_scale * slowdown;
    options.costs.send_overhead = host_.send_overhead;
    options.costs.eager_limit = static_cast<uint64_t>(costs.eager_limit.count);
    options.costs.copy = copy;
    options.costs.request_overhead = host_.collectives.request;
    options.costs.reduce_overhead = host_.collectives.reduction;
    options.costs.buffer_overhead = host_.collectives.buffer;
    options.costs.local = mpi::protocol::CopyCost::of_rate(host_.collectives.rate);
    options.costs.accelerator = !job.reduce_hosts.empty();
    if (nic_.reduces) {
      options.costs.accelerated_barrier = true;
      options.costs.most_integers = nic_.most_integers;
      options.costs.most_reals = nic_.most_reals;
    }
    options.receive_overhead = host_.receive_overhead;
    options.match_overhead = host_.match_overhead;
    options.limit = limit_;
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
    const mpi::protocol::CopyCost through_memory =
        host_.loopback_rate.bits_per_second > 0 ? mpi::protocol::CopyCost::of_rate(host_.loopback_rate) : copy;
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

}  // namespace fabrictwin::job
