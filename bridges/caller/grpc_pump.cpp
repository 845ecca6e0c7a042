// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/caller/grpc_pump.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "bridges/protocol/backoff.h"
#include "bridges/protocol/plan_config.h"

namespace fabrictwin::bridges::caller {
namespace {

using SystemClock = std::chrono::system_clock;

// Polling the queue costs a system call, so it is done rarely if only the end of a peer can arrive.
constexpr uint32_t kIdlePolls = 256;
// Other processes and threads cannot interrupt a wait for gRPC, nor can gRPC interrupt a wait for them, so waits are
// short.
constexpr std::chrono::microseconds kShortWait{50};
constexpr std::chrono::microseconds kStreamWait{200};
constexpr std::chrono::microseconds kRingWait{1000};

/// True if a ring has records for its consumer.
bool has_records(const link::RingMemory* ring) {
  const uint64_t next = ring->consumed.load(std::memory_order_acquire);
  auto& slot = const_cast<link::Record&>(ring->slot[next & (ring->slots - 1)]);
  const uint64_t stamp = std::atomic_ref<uint64_t>(slot.stamp).load(std::memory_order_acquire);
  return ((stamp & link::Record::kOwnershipBit) != 0) == ((next & ring->slots) == 0);
}

}  // namespace

GrpcPump::GrpcPump(const system::Plan& plan, run::RunMemory& memory, Obituary obituary)
    : memory_(memory), obituary_(std::move(obituary)) {
  for (const protocol::BlobChannel& channel : protocol::channels_into(plan, 0, memory).channels)
    inbound_.push_back(channel.ring);
  doorbells_.push_back(&memory.doorbell(0));
  for (size_t place = 1; place < plan.places.size(); ++place) {
    if (plan.places[place].transport != system::Transport::kShm) continue;
    doorbells_.push_back(&memory.doorbell(static_cast<int32_t>(place)));
    shared_ = true;
    for (const int32_t partition : protocol::partitions_at(plan, static_cast<int32_t>(place)))
      promises_.push_back({partition, Time::zero()});
  }
}

GrpcPump::~GrpcPump() {
  closing_ = true;
  for (const auto& peer : peers_) peer->cancel();
  // Each operation starts the next one until its stream has ended, and a queue that is shut down accepts none.
  // Cancelled operations end at once, whether the other side answers or not.
  const auto quiet = [](const auto& peer) { return peer->quiet(); };
  while (!std::all_of(peers_.begin(), peers_.end(), quiet)) take_events(SystemClock::now() + kStreamWait);
  queue_.Shutdown();
  void* tag = nullptr;
  bool ok = false;
  while (queue_.Next(&tag, &ok)) handle(tag, ok);
}

void GrpcPump::add(std::unique_ptr<PumpPeer> peer) {
  polled_ += peer->polled() ? 1 : 0;
  peer->start(queue_);
  peers_.push_back(std::move(peer));
}

bool GrpcPump::expecting() const {
  return std::any_of(peers_.begin(), peers_.end(), [](const auto& peer) { return peer->expecting(); });
}

// Promises of places that share memory are in the sync table.
bool GrpcPump::waiting_in_memory() const {
  const auto promises = [this](const Promise& known) {
    return memory_.table().promised(known.partition) != known.time;
  };
  return std::any_of(inbound_.begin(), inbound_.end(), has_records) ||
         std::any_of(promises_.begin(), promises_.end(), promises);
}

void GrpcPump::handle(void* tag, bool ok) {
  const auto& event = *static_cast<PumpPeer::Tag*>(tag);
  PumpPeer& peer = *event.peer;
  absl::StatusOr<bool> moved = peer.on_event(event.operation, ok);
  if (closing_) return;
  if (moved.ok() && peer.ended()) moved = obituary_(peer);
  if (moved.ok()) {
    moved_ = moved_ || *moved;
  } else if (failure_.ok()) {
    failure_ = moved.status();
  }
}

bool GrpcPump::take_polled() {
  bool any = false;
  if (polled_ == 0) return any;
  for (const auto& peer : peers_) {
    while (const std::optional<StreamEvent> event = peer->poll()) {
      handle(event->tag, event->ok);
      any = true;
    }
  }
  return any;
}

// gRPC cannot wait for streams of others, nor these for gRPC: with both, they are looked at in turn.
bool GrpcPump::take_events(SystemClock::time_point deadline) {
  if (polled_ == 0) return take_queued(deadline);
  protocol::Backoff backoff;
  while (true) {
    const bool polled = take_polled();
    const bool queued = polled_ < peers_.size() && take_queued(SystemClock::time_point());
    if (polled || queued) return true;
    if (SystemClock::now() >= deadline) return false;
    backoff.wait();
  }
}

bool GrpcPump::take_queued(SystemClock::time_point deadline) {
  void* tag = nullptr;
  bool ok = false;
  bool any = false;
  while (queue_.AsyncNext(&tag, &ok, deadline) == grpc::CompletionQueue::GOT_EVENT) {
    handle(tag, ok);
    any = true;
    deadline = SystemClock::time_point();
  }
  return any;
}

void GrpcPump::ring_all() {
  for (link::Doorbell* doorbell : doorbells_) doorbell->ring();
}

absl::StatusOr<bool> GrpcPump::poll(const engine::Lookahead& lookahead) {
  // The next round sees at least these.
  for (Promise& promise : promises_) promise.time = memory_.table().promised(promise.partition);
  // This never waits: the executor decides whether to wait, and then calls wait().
  if (expecting() || ++polls_ % kIdlePolls == 0) take_events(SystemClock::time_point());
  if (!failure_.ok()) return failure_;
  for (const auto& peer : peers_) {
    absl::StatusOr<bool> moved = peer->advance(lookahead);
    if (!moved.ok()) return failure_ = moved.status();
    moved_ = moved_ || *moved;
  }
  if (moved_) ring_all();
  return std::exchange(moved_, false);
}

void GrpcPump::wait(std::chrono::nanoseconds at_most) {
  if (expecting()) {
    const auto most = std::min<std::chrono::nanoseconds>(at_most, shared_ ? kShortWait : kStreamWait);
    take_events(SystemClock::now() + std::chrono::duration_cast<SystemClock::duration>(most));
    return;
  }
  link::Doorbell& bell = memory_.doorbell(0);
  const uint32_t ticket = bell.prepare();
  if (!waiting_in_memory()) bell.sleep(ticket, std::min<std::chrono::nanoseconds>(at_most, kRingWait));
  bell.done();
  take_events(SystemClock::time_point());
}

void GrpcPump::close(std::chrono::milliseconds at_most) {
  closing_ = true;
  for (const auto& peer : peers_) peer->close();
  const auto deadline = SystemClock::now() + at_most;
  const auto all_ended = [&] {
    return std::all_of(peers_.begin(), peers_.end(), [](const auto& peer) { return peer->ended(); });
  };
  while (!all_ended() && take_events(deadline)) {
  }
  for (const auto& peer : peers_) {
    if (!peer->ended()) peer->cancel();
  }
}

}  // namespace fabrictwin::bridges::caller
