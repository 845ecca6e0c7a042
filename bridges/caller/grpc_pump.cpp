// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/grpc_pump.h"

#include <algorithm>
#include <utility>

#include "bridges/plan_config.h"

namespace fabrictwin {
namespace {

using SystemClock = std::chrono::system_clock;

// Looking at the queue costs a system call, so it is done seldom where nothing but the end of a peer can come.
constexpr uint32_t kIdlePolls = 256;
// Other processes and threads cannot interrupt a wait for gRPC, nor gRPC one for them.
constexpr std::chrono::microseconds kShortWait{50};
constexpr std::chrono::microseconds kStreamWait{200};
constexpr std::chrono::microseconds kRingWait{1000};

/// True if the consumer of a ring has something to take.
bool has_records(const RingMemory* ring) {
  const uint64_t next = ring->consumed.load(std::memory_order_acquire);
  auto& slot = const_cast<Record&>(ring->slot[next & (ring->slots - 1)]);
  const uint64_t stamp = std::atomic_ref<uint64_t>(slot.stamp).load(std::memory_order_acquire);
  return ((stamp & Record::kOwnershipBit) != 0) == ((next & ring->slots) == 0);
}

}  // namespace

GrpcPump::GrpcPump(const Plan& plan, RunMemory& memory, Obituary obituary)
    : memory_(memory), obituary_(std::move(obituary)) {
  for (const BlobChannel& channel : channels_into(plan, 0, memory).channels) inbound_.push_back(channel.ring);
  doorbells_.push_back(&memory.doorbell(0));
  for (size_t place = 1; place < plan.places.size(); ++place) {
    if (plan.places[place].transport != Transport::kShm) continue;
    doorbells_.push_back(&memory.doorbell(static_cast<int32_t>(place)));
    shared_ = true;
  }
}

GrpcPump::~GrpcPump() {
  closing_ = true;
  for (const auto& peer : peers_) peer->cancel();
  queue_.Shutdown();
  void* tag = nullptr;
  bool ok = false;
  while (queue_.Next(&tag, &ok)) handle(tag, ok);
}

void GrpcPump::add(std::unique_ptr<PumpPeer> peer) {
  peer->start(queue_);
  peers_.push_back(std::move(peer));
}

bool GrpcPump::expecting() const {
  return std::any_of(peers_.begin(), peers_.end(), [](const auto& peer) { return peer->expecting(); });
}

bool GrpcPump::waiting_in_rings() const { return std::any_of(inbound_.begin(), inbound_.end(), has_records); }

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

bool GrpcPump::take_events(SystemClock::time_point deadline) {
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
  for (Doorbell* doorbell : doorbells_) doorbell->ring();
}

absl::StatusOr<bool> GrpcPump::poll(const Lookahead& lookahead) {
  // Never waits: whether there is a core to spare for that is the executor's to know, which then calls wait().
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
  Doorbell& bell = memory_.doorbell(0);
  const uint32_t ticket = bell.prepare();
  if (!waiting_in_rings()) bell.sleep(ticket, std::min<std::chrono::nanoseconds>(at_most, kRingWait));
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
  void* tag = nullptr;
  bool ok = false;
  while (!all_ended() && queue_.AsyncNext(&tag, &ok, deadline) == grpc::CompletionQueue::GOT_EVENT) handle(tag, ok);
  for (const auto& peer : peers_) {
    if (!peer->ended()) peer->cancel();
  }
}

}  // namespace fabrictwin
