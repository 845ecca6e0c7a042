// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/rank_host.h"

#include <algorithm>
#include <utility>

#include "cosim/base/random.h"
#include "fmt/format.h"
#include "models/nic/message_body.h"
#include "workloads/mpi/protocol/mpi_header.h"

namespace fabrictwin::mpi {
namespace {

constexpr int kDestinationShift = 58;
constexpr int kSourceShift = 52;
constexpr uint64_t kSlotMask = JobLayout::kMaxSlots - 1;
/// The bits of the second word of an envelope other than slots.
constexpr uint64_t kRestMask = (uint64_t{1} << kSourceShift) - 1;

/// Distinguishes the bodies of jobs, whose ranks have equal numbers. Those of the first job are as if it ran alone.
uint64_t salt_of(int32_t job) { return job == 0 ? 0 : mix64(static_cast<uint64_t>(job)); }

}  // namespace

RankHost::RankHost(int32_t node, std::shared_ptr<RankSystem> system, std::optional<Loopback> loopback,
                   std::optional<ComputeChannel> memory)
    : HostProcess(node), system_(std::move(system)), loopback_(std::move(loopback)), memory_(std::move(memory)) {
  for (const JobLayout::Seat& seat : system_->layout.seats(node)) {
    const JobState& job = system_->jobs[static_cast<size_t>(seat.job)];
    const auto slot = static_cast<int32_t>(ranks_.size());
    ranks_.push_back({seat, job.engines[static_cast<size_t>(seat.rank)]});
    if (!memory_.has_value() || !job.shares_memory) continue;
    ranks_.back().engine->share_memory(
        [this, slot](Time alone, uint64_t bytes) { memory_->start(now(), slot, alone, bytes); });
  }
}

bool RankHost::finished() const {
  return std::all_of(ranks_.begin(), ranks_.end(),
                     [&](const Rank& rank) { return job_of(rank).background || rank.engine->finished(); });
}

Time RankHost::finish_time() const {
  Time end;
  for (const Rank& rank : ranks_) {
    if (!job_of(rank).background) end = std::max(end, rank.engine->finish_time());
  }
  return end;
}

std::string RankHost::named(const Rank& rank, const std::string& text) const {
  return system_->jobs.size() == 1 || text.empty() ? text : fmt::format("{}: {}", job_of(rank).name, text);
}

std::string RankHost::waits_for() const {
  std::string all;
  for (const Rank& rank : ranks_) {
    const std::string one = named(rank, rank.engine->waits_for());
    if (!one.empty()) all += (all.empty() ? "" : "\n") + one;
  }
  return all;
}

std::string RankHost::failure() const {
  if (!failure_.empty()) return failure_;
  for (const Rank& rank : ranks_) {
    if (!rank.engine->failure().empty()) return named(rank, rank.engine->failure());
  }
  return {};
}

void RankHost::begin() {
  for (const Rank& rank : ranks_) {
    if (job_of(rank).reduce_hosts.empty()) continue;
    nic::OutgoingMessage message;
    message.destination = node();
    message.reduction = {.hosts = &job_of(rank).reduce_hosts, .rank = rank.seat.rank, .configure = true};
    send(message);
  }
  decide();
}

void RankHost::on_message(const nic::IncomingMessage& message) {
  const uint64_t word = message.envelope.user[1];
  const auto slot = static_cast<size_t>(word >> kDestinationShift);
  const std::span<const JobLayout::Seat> senders = system_->layout.seats(message.source);
  const auto sender = static_cast<size_t>(word >> kSourceShift & kSlotMask);
  if (slot >= ranks_.size() || sender >= senders.size() || senders[sender].job != ranks_[slot].seat.job) {
    if (failure_.empty())
      failure_ = fmt::format(
          "host[{}] at {}: a message from slot {} of host[{}] is for slot {}, which has no rank of "
          "its job",
          node(), to_string(now()), sender, message.source, slot);
    return;
  }
  nic::IncomingMessage inner = message;
  inner.source = senders[sender].rank;
  inner.envelope.user[1] = word & kRestMask;
  inner.envelope.payload_key ^= salt_of(senders[sender].job);
  deliver(static_cast<int32_t>(slot), inner);
}

void RankHost::on_sent(uint64_t cookie) {
  // A message without a cookie is not reported.
  if (cookie != 0) tell_sent(static_cast<int32_t>(cookie % JobLayout::kMaxSlots), cookie / JobLayout::kMaxSlots);
}

// Only background jobs need this count, and with them hosts are not simulated in parallel.
void RankHost::count_flights(JobState& job, int change) const {
  if (!system_->background) return;
  job.under_way += change;
  ++job.moves;
}

void RankHost::count_waiting(Rank& rank) const {
  if (!system_->background) return;
  const bool waiting = rank.engine->finished() || rank.engine->stuck();
  if (waiting == rank.waiting) return;
  rank.waiting = waiting;
  job_of(rank).waiting += waiting ? 1 : -1;
}

void RankHost::deliver(int32_t slot, const nic::IncomingMessage& message) {
  Rank& rank = ranks_[static_cast<size_t>(slot)];
  count_flights(job_of(rank), -1);
  rank.engine->on_message(message);
  rank.due = true;
}

void RankHost::tell_sent(int32_t slot, uint64_t cookie) {
  Rank& rank = ranks_[static_cast<size_t>(slot)];
  count_flights(job_of(rank), -1);
  rank.engine->on_sent(cookie);
  rank.due = true;
}

void RankHost::route(const nic::OutgoingMessage& message) {
  const Rank& rank = ranks_[static_cast<size_t>(deciding_)];
  const bool reduces = protocol::MpiHeader::decode(message.envelope.user).kind == protocol::MpiMessageKind::kReduction;
  const JobLayout::HostSlot slot = system_->layout.slot_of(rank.seat.job, message.destination);
  count_flights(job_of(rank), message.cookie == 0 ? 1 : 2);
  const uint64_t key = message.envelope.payload_key ^ salt_of(rank.seat.job);
  if (slot.host == node() && loopback_.has_value() && !reduces) {
    nic::IncomingMessage local;
    local.source = rank.seat.rank;
    local.envelope = message.envelope;
    // The hash covers the bytes that a network would have carried.
    nic::Envelope carried = message.envelope;
    carried.payload_key = key;
    local.body_hash = nic::hash_of_body(carried);
    if (!loopback_->send(now(), deciding_, slot.slot, local, message.cookie) && failure_.empty()) {
      failure_ = named(
          rank,
          fmt::format(
              "host[{}] at {}: a message of {} bytes from rank {} to rank {} takes longer "
              "through its memory than simulated time can; raise loopback_rate or copy_rate, or lower loopback_latency",
              node(), to_string(now()), message.envelope.bytes, rank.seat.rank, message.destination));
    }
    return;
  }
  nic::OutgoingMessage outer = message;
  outer.destination = slot.host;
  outer.envelope.payload_key = key;
  if (reduces) outer.reduction.hosts = &job_of(rank).reduce_hosts;
  outer.envelope.user[1] |= static_cast<uint64_t>(slot.slot) << kDestinationShift | static_cast<uint64_t>(deciding_)
                                                                                        << kSourceShift;
  if (message.cookie != 0) outer.cookie = message.cookie * JobLayout::kMaxSlots + static_cast<uint64_t>(deciding_);
  send(outer);
}

void RankHost::end_loopbacks() {
  Loopback::Event event;
  while (loopback_.has_value() && loopback_->take(now(), event)) {
    if (event.arrives) {
      deliver(event.slot, event.message);
    } else {
      tell_sent(event.slot, event.cookie);
    }
  }
}

void RankHost::end_computations() {
  int32_t slot = 0;
  while (memory_.has_value() && memory_->take_ended(now(), slot)) {
    Rank& rank = ranks_[static_cast<size_t>(slot)];
    rank.engine->on_computed(now());
    rank.due = true;
  }
}

// A message between two ranks that takes no time is handled in another pass of the same time.
void RankHost::decide() {
  do {
    end_loopbacks();
    end_computations();
    for (size_t slot = 0; slot < ranks_.size(); ++slot) {
      Rank& rank = ranks_[slot];
      if (!rank.due && rank.wake > now()) continue;
      rank.due = false;
      deciding_ = static_cast<int32_t>(slot);
      rank.wake = rank.engine->decide(now(), [this](const nic::OutgoingMessage& message) { route(message); });
      count_waiting(rank);
    }
  } while (next_loopback() <= now());
  Time next = next_loopback();
  if (memory_.has_value() && !memory_->idle()) {
    const Time end = memory_->next_end();
    if (end.is_never() && failure_.empty()) {
      failure_ = fmt::format("host[{}] at {}: computations that share the memory last longer than simulated time can",
                             node(), to_string(now()));
    }
    next = std::min(next, end);
  }
  for (const Rank& rank : ranks_) next = std::min(next, rank.wake);
  if (!next.is_never()) wake_at(next);
}

}  // namespace fabrictwin::mpi
