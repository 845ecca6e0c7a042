// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/engine/executor.h"

#include <sched.h>

#include <algorithm>
#include <exception>
#include <thread>
#include <utility>

#include "cosim/base/relax.h"
#include "cosim/engine/executor_state.h"
#include "cosim/engine/pin_thread.h"
#include "cosim/engine/waiting.h"
#include "fmt/format.h"

namespace fabrictwin::engine {
namespace {

using SteadyClock = std::chrono::steady_clock;

}  // namespace

Executor::Executor(SyncTable& table, std::vector<LocalPartition> partitions, ExecutorOptions options,
                   link::Doorbell& self, std::vector<link::Doorbell*> peers, Pump* pump)
    : table_(table),
      partitions_(std::move(partitions)),
      options_(options),
      self_(self),
      peers_(std::move(peers)),
      pump_(pump),
      single_(std::make_unique<Worker>(table)) {
  for (const LocalPartition& local : partitions_) {
    auto state = std::make_unique<State>();
    state->local = &local;
    state->consumed.resize(local.receivers.size());
    state->sent.resize(local.senders.size());
    // Two processes that advance by a whole lookahead at a time wait for each other at every step. Advancing by half of
    // it lets either be ahead of the other by the other half. If they share cores, shorter steps would only cost more
    // switches.
    if (!peers_.empty() && !oversubscribed()) {
      for (const auto& channels : {table.inbound(local.id), table.outbound(local.id)}) {
        for (const int32_t channel : channels) {
          const Time half = Time::from_fs(std::max<int64_t>(1, table.channels()[channel].latency.fs() / 2));
          state->longest_advance = std::min(state->longest_advance, half);
        }
      }
    }
    find_sources(*state);
    publish(*state);
    states_.push_back(std::move(state));
  }
}

Executor::~Executor() = default;

void Executor::find_sources(State& state) const {
  const LocalPartition& local = *state.local;
  const auto inbound = table_.inbound(local.id);
  for (size_t i = 0; i < local.receivers.size(); ++i) {
    state.source_of.push_back(-1);
    if (local.receivers[i]->spec().promises) continue;
    const int32_t source = table_.channels()[inbound[i]].source;
    const auto known = std::ranges::find(state.sources, source, &State::Source::partition);
    state.source_of.back() = static_cast<int32_t>(known - state.sources.begin());
    if (known == state.sources.end()) state.sources.push_back({source, Time::zero()});
  }
}

void Executor::publish(State& state) {
  const LocalPartition& local = *state.local;
  Time promised = state.until;
  Time next = local.partition->next_event();
  for (size_t i = 0; i < local.receivers.size(); ++i) {
    if (const link::Record* front = local.receivers[i]->front()) next = std::min(next, front->time());
    state.consumed[i] = local.receivers[i]->received();
  }
  for (size_t i = 0; i < local.senders.size(); ++i) {
    // Something that was decided but departs later is a future action, even if the partition itself has nothing left to
    // do.
    next = std::min(next, local.senders[i]->next_departure());
    state.sent[i] = local.senders[i]->sent();
    promised = std::min(promised, local.senders[i]->first_held());
  }
  if (options_.ends_together) state.foreground = local.partition->foreground();
  table_.publish(local.id, state.until, next, state.consumed, state.sent, state.foreground);
  // What a full ring has held back is in no ring yet.
  table_.promise(local.id, promised);
}

// An exception of a library, or exhausted memory, must end the run with an error and not the process without one.
absl::Status Executor::advance(const State& state, Time until) {
  try {
    return state.local->partition->advance(until);
  } catch (const std::exception& error) {
    return absl::InternalError(
        fmt::format("{}, not before {}: {}", state.local->name, to_string(state.until), error.what()));
  } catch (...) {
    return absl::InternalError(
        fmt::format("{}, not before {}: an exception without a text", state.local->name, to_string(state.until)));
  }
}

Time Executor::next_action(const LocalPartition& local) {
  Time next = local.partition->next_event();
  for (const link::ChannelReceiver* receiver : local.receivers) {
    if (const link::Record* front = receiver->front()) next = std::min(next, front->time());
  }
  return next;
}

absl::StatusOr<Executor::Step> Executor::step(State& state, const Lookahead& lookahead) {
  const LocalPartition& local = *state.local;
  bool acted = false;
  bool free = false;
  Time until = options_.limit;
  const auto inbound = table_.inbound(local.id);
  // Before the rings: what is promised now is in them.
  for (State::Source& source : state.sources) source.promised = table_.promised(source.partition);
  for (size_t i = 0; i < local.receivers.size(); ++i) {
    link::ChannelReceiver& receiver = *local.receivers[i];
    const uint64_t before = receiver.received();
    if (absl::Status status = receiver.poll(); !status.ok()) return status;
    acted |= receiver.received() != before;
    if (const int32_t source = state.source_of[i]; source >= 0)
      receiver.raise_horizon(state.sources[static_cast<size_t>(source)].promised + receiver.spec().latency);
    if (receiver.received() >= lookahead.sent(inbound[i])) receiver.raise_horizon(lookahead.arrival_bound(inbound[i]));
    until = std::min(until, receiver.horizon());
  }
  // Nothing bounds a partition that nothing can come to but its own events. It advances in short steps so that it can
  // be stopped.
  if (inbound.empty() || until.is_never()) {
    Time next = next_action(local);
    for (const link::ChannelSender* sender : local.senders) next = std::min(next, sender->next_departure());
    until = std::min(until, next + state.free_advance.length());
    free = true;
  }
  // The foreground work of others may end at any time; its own ends advance().
  if (state.foreground.state == Foreground::State::kOver)
    until = std::min(until, std::max({told_end_, table_.runs_until(), lookahead.runs_until()}));

  bool blocked = false;
  for (link::ChannelSender* sender : local.senders) {
    if (!sender->blocked()) continue;
    acted |= sender->drain();
    blocked |= sender->blocked();
  }
  // Back-pressure stops the partition at its present time. Its promises are those of this time, or in the sync table of
  // the first record that is held back.
  if (blocked || until <= state.until || until.is_never()) {
    if (!acted) return Step::kNothing;
    publish(state);
    // Peers that wait for a partition to consume their records read its row.
    for (link::Doorbell* peer : peers_) peer->ring();
    if (options_.threads > 1) self_.ring();
    return Step::kActed;
  }

  const Time next = next_action(local);
  const bool busy = next < until;
  if (busy) until = std::min(until, std::max(state.until, next) + state.longest_advance);
  // Others may take what it sends before its row says so.
  if (busy && state.foreground.state == Foreground::State::kWaits) table_.rouse(local.id);
  const auto start = busy ? SteadyClock::now() : SteadyClock::time_point{};
  if (absl::Status status = advance(state, until); !status.ok()) return status;
  if (options_.ends_together) until = local.partition->reached(until);
  state.counters.rounds.add(1);
  state.until = until;
  state.now.store(until.fs(), std::memory_order_relaxed);
  for (link::ChannelSender* sender : local.senders) {
    const int64_t records = sender->flush(until);
    state.counters.records_out.add(static_cast<uint64_t>(records));
    acted |= records > 0;
  }
  if (busy) {
    const std::chrono::nanoseconds took = SteadyClock::now() - start;
    state.counters.busy_ns.add(static_cast<uint64_t>(took.count()));
    if (free) state.free_advance.took(took);
    acted = true;
  }
  publish(state);
  uint64_t received = 0;
  for (const uint64_t count : state.consumed) received += count;
  state.counters.records_in.set(received);
  for (link::Doorbell* peer : peers_) peer->ring();
  if (options_.threads > 1) self_.ring();
  return acted ? Step::kActed : Step::kPromised;
}

absl::StatusOr<Executor::Step> Executor::round(Worker& worker) {
  Step most = Step::kNothing;
  const size_t count = states_.size();
  for (size_t i = 0; i < count; ++i) {
    State& state = *states_[(worker.first + i) % count];
    if (state.local->first_thread_only && worker.index != 0) continue;
    if (state.wanted.load(std::memory_order_relaxed)) continue;
    if (state.claimed.exchange(true, std::memory_order_acquire)) continue;
    absl::StatusOr<Step> step = this->step(state, worker.lookahead);
    state.claimed.store(false, std::memory_order_release);
    if (!step.ok()) return step;
    most = std::max(most, *step);
  }
  if (worker.index == 0 && pump_ != nullptr) {
    absl::StatusOr<bool> moved = pump_->poll(worker.lookahead);
    if (!moved.ok()) return moved.status();
    if (*moved) most = Step::kActed;
  }
  return most;
}

absl::StatusOr<bool> Executor::run_once() {
  absl::StatusOr<Step> step = round(*single_);
  if (!step.ok()) return step.status();
  if (*step != Step::kActed && options_.idle_jump) {
    single_->lookahead.update();
    if (*step == Step::kNothing) step = round(*single_);
    if (!step.ok()) return step.status();
  }
  return *step != Step::kNothing;
}

bool Executor::at_limit() const {
  const bool here = std::all_of(states_.begin(), states_.end(), [this](const auto& state) {
    return state->now.load(std::memory_order_relaxed) >= options_.limit.fs();
  });
  return here && (!options_.others_work || others_at_limit_.load(std::memory_order_relaxed) ||
                  table_.least_now() >= options_.limit);
}

bool Executor::all_act_later(const Lookahead& lookahead) const {
  for (int32_t partition = 0; partition < table_.partitions(); ++partition) {
    if (lookahead.earliest_action(partition) < options_.limit) return false;
  }
  return true;
}

bool Executor::all_at_end() const {
  if (!table_.foreground_over()) return false;
  return table_.least_now() >= table_.runs_until();
}

absl::Status Executor::look_for_deadlock(Worker& worker) {
  // What is looked for lasts, so there is no hurry.
  constexpr uint32_t kRoundsBetween = 1024;
  if (!options_.ends_together || !options_.owns_workload || worker.index != 0 ||
      ++worker.rounds % kRoundsBetween != 0 || !worker.deadlock.look())
    return absl::OkStatus();
  std::string message = fmt::format("at {}: only jobs in the background still run; the others wait for ever:",
                                    to_string(table_.least_now()));
  for (const std::string& line : describe_waits(false)) message += "\n  " + line;
  return absl::DeadlineExceededError(message);
}

uint64_t Executor::times() const {
  uint64_t sum = 0;
  for (int32_t partition = 0; partition < table_.partitions(); ++partition)
    sum += static_cast<uint64_t>(table_.now(partition).fs());
  return sum;
}

bool Executor::finished() const {
  if (!options_.owns_workload) return false;
  bool done =
      std::all_of(states_.begin(), states_.end(), [](const auto& state) { return state->local->partition->done(); });
  if (options_.others_work) done = done && at_rest_.load(std::memory_order_relaxed);
  // At rest with work elsewhere that is not over, others wait for ever, and the process of the run says so.
  if (options_.ends_together) done = all_at_end() || (done && options_.others_work && !table_.foreground_over());
  return done || at_limit();
}

absl::Status Executor::run(std::stop_token stop) {
  std::vector<std::jthread> threads;
  for (int i = 1; i < options_.threads; ++i) threads.emplace_back([this, i, stop] { thread_main(i, stop); });
  thread_main(0, stop);
  ending_.store(true, std::memory_order_release);
  self_.ring();
  threads.clear();
  const std::lock_guard lock(failure_mutex_);
  if (!failure_.ok()) return failure_;
  if (stop.stop_requested() && !finished()) return absl::CancelledError("interrupted");
  return absl::OkStatus();
}

void Executor::thread_main(int index, std::stop_token stop) {
  if (options_.pin) pin_thread(index);
  Worker worker(table_);
  worker.index = index;
  worker.first =
      states_.empty() ? 0 : static_cast<size_t>(index) * states_.size() / static_cast<size_t>(options_.threads);
  while (!stop.stop_requested() && !ending_.load(std::memory_order_acquire)) {
    absl::StatusOr<Step> step = round(worker);
    if (!step.ok()) return fail(step.status());
    if (index == 0 && finished()) return;
    if (absl::Status status = look_for_deadlock(worker); !status.ok()) return fail(std::move(status));
    if (*step != Step::kNothing) {
      worker.idle_rounds = 0;
      activity_.fetch_add(1, std::memory_order_relaxed);
    }
    if (*step == Step::kActed) continue;
    // Nothing but promises moved, and advancing by one latency at a time could take very long, so compute how far
    // nothing can happen.
    const bool knows = options_.idle_jump && worker.lookahead.update() && options_.owns_workload && index == 0;
    // Partitions elsewhere that have nothing to do before the limit need not come to it.
    if (knows && !options_.limit.is_never() && all_act_later(worker.lookahead)) {
      others_at_limit_.store(true, std::memory_order_relaxed);
      if (finished()) return;
    }
    if (knows && worker.lookahead.at_rest()) {
      at_rest_.store(true, std::memory_order_relaxed);
      if (finished()) return;
      // Partitions that end together still come to the end.
      if (options_.limit.is_never() && !(options_.ends_together && table_.foreground_over())) {
        std::string message =
            fmt::format("nothing can happen any more at {}: the workload waits for ever", to_string(slowest_time()));
        for (const std::string& line : describe_waits(false)) message += "\n  " + line;
        return fail(absl::FailedPreconditionError(message));
      }
    }
    if (*step == Step::kNothing && !wait(worker)) return;
  }
}

bool Executor::oversubscribed() const {
  // hardware_concurrency() opens and reads a file of the system, so it is called only once.
  static const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  return static_cast<unsigned>(options_.threads + options_.busy_peers) > cores;
}

bool Executor::wait(Worker& worker) {
  const bool crowded = oversubscribed();
  const Waiting waiting = Waiting::of(crowded);
  // The pump belongs to the first thread.
  const bool in_kernel = worker.index == 0 && pump_ != nullptr && pump_->waits_in_kernel();
  const int yields = crowded && in_kernel ? 0 : waiting.yields;
  ++worker.idle_rounds;
  if (worker.idle_rounds < waiting.spins) {
    relax();
    return true;
  }
  if (worker.idle_rounds < waiting.spins + yields) {
    sched_yield();
    return true;
  }
  // What others do in memory that they share with this process is seen by their times only.
  const uint64_t activity =
      activity_.load(std::memory_order_relaxed) + (options_.others_work && worker.index == 0 ? times() : 0);
  const std::chrono::nanoseconds still = worker.stillness.look(activity, SteadyClock::now());
  if (worker.index == 0 && options_.watchdog.count() > 0 && still > options_.watchdog) {
    std::string message =
        fmt::format("nothing moved for {} ms at {}", options_.watchdog.count(), to_string(slowest_time()));
    for (const std::string& line : describe_waits(true)) message += "\n  " + line;
    fail(absl::DeadlineExceededError(message));
    return false;
  }
  if (worker.index == 0 && pump_ != nullptr) {
    pump_->wait(Waiting::kSleep);
    return true;
  }
  const uint32_t ticket = self_.prepare();
  // Check once more after announcing the sleep; whatever arrives later rings the doorbell.
  absl::StatusOr<Step> step = round(worker);
  if (step.ok() && *step == Step::kNothing && !ending_.load(std::memory_order_acquire))
    self_.sleep(ticket, Waiting::kSleep);
  self_.done();
  if (!step.ok()) {
    fail(step.status());
    return false;
  }
  if (*step != Step::kNothing) {
    worker.idle_rounds = 0;
    activity_.fetch_add(1, std::memory_order_relaxed);
  }
  return true;
}

void Executor::fail(absl::Status status) {
  {
    const std::lock_guard lock(failure_mutex_);
    if (failure_.ok()) failure_ = std::move(status);
  }
  ending_.store(true, std::memory_order_release);
  self_.ring();
}

Time Executor::now(int32_t local) const { return Time::from_fs(states_[local]->now.load(std::memory_order_relaxed)); }

Time Executor::slowest_time() const {
  Time least = Time::never();
  for (const auto& state : states_) {
    least = std::min(least, Time::from_fs(state->now.load(std::memory_order_relaxed)));
  }
  return states_.empty() ? Time::zero() : least;
}

const PartitionCounters& Executor::counters(int32_t local) const { return states_[local]->counters; }

}  // namespace fabrictwin::engine
