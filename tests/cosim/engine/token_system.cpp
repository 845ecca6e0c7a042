// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/cosim/engine/token_system.h"

#include <algorithm>
#include <atomic>
#include <map>

#include "cosim/base/random.h"

namespace fabrictwin {

// A token arrives as a credit whose count is its remaining hops; it rests for a time hashed from its history and moves
// on through a channel chosen likewise.
class TokenSystem::TokenPartition : public engine::Partition {
 public:
  TokenPartition(const TokenOptions& options, int32_t id)
      : options_(options), id_(id), state_(mix64(options.seed + static_cast<uint64_t>(id))) {
    if (!options.foreground.empty()) foreground_left_ = options.foreground[static_cast<size_t>(id)];
    if (foreground_left_ == 0) foreground_end_ = Time::zero();
    for (int32_t i = 0; i < options.tokens_each; ++i) {
      rest(Time::zero(), options.hops, mix64(options.seed ^ static_cast<uint64_t>(id * 100 + i)));
    }
  }

  absl::Status advance(Time until) override {
    steps_.fetch_add(1, std::memory_order_relaxed);
    while (true) {
      // Arrivals of a time come before departures, and in channel order: ties must not depend on who polled first.
      Time next = resting_.empty() ? Time::never() : resting_.begin()->first;
      for (const link::ChannelReceiver* receiver : local->receivers) {
        if (const link::Record* front = receiver->front()) next = std::min(next, front->time());
      }
      if (next >= until) {
        reached_ = until;
        return absl::OkStatus();
      }
      for (link::ChannelReceiver* receiver : local->receivers) {
        for (const link::Record* front = receiver->front(); front != nullptr && front->time() == next;
             front = receiver->front()) {
          state_ = mix64(state_ ^ mix64(static_cast<uint64_t>(next.fs()) ^ front->count) ^ receiver->spec().id);
          events_.add(1);
          if (foreground_left_ > 0 && --foreground_left_ == 0) {
            foreground_end_ = next + Time::from_fs(1);
            if (!options_.foreground.empty()) until = std::min(until, foreground_end_);
          }
          if (options_.endless || front->count > 1) rest(next, options_.endless ? 2 : front->count - 1, state_);
          receiver->pop();
        }
      }
      while (!resting_.empty() && resting_.begin()->first == next) {
        const Token token = resting_.begin()->second;
        resting_.erase(resting_.begin());
        if (local->senders.empty()) continue;
        link::ChannelSender& sender = *local->senders[token.random % local->senders.size()];
        // Decided now, on its way later, as words are that wait for their slots: nothing of it shows in next_event().
        const Time leaves = next + Time::from_ns(static_cast<int64_t>(token.random >> 40 & 3) * 300);
        sender.send_credit(leaves, static_cast<uint8_t>(token.random >> 32 & 1), static_cast<uint8_t>(token.hops));
      }
    }
  }

  Time reached(Time /*until*/) const override { return reached_; }
  engine::Foreground foreground() const override {
    using State = engine::Foreground::State;
    if (!foreground_end_.is_never()) return {.state = State::kOver, .end = foreground_end_};
    return {.state = options_.waits ? State::kWaits : State::kRuns};
  }
  Time next_event() const override { return resting_.empty() ? Time::never() : resting_.begin()->first; }
  uint64_t events() const override { return events_.get(); }
  bool done() const override { return false; }
  std::vector<std::string> waits() const override {
    return {"partition " + std::to_string(id_) + " waits for a token"};
  }

  uint64_t state() const { return state_; }
  Time foreground_end() const { return foreground_end_; }
  Time reached() const { return reached_; }
  uint64_t steps() const { return steps_.load(std::memory_order_relaxed); }
  const engine::LocalPartition* local = nullptr;

 private:
  struct Token {
    int32_t hops;
    uint64_t random;
  };
  void rest(Time from, int32_t hops, uint64_t random) {
    // Mostly short rests on a coarse grid, so that ties are common, and now and then a very long one.
    const uint64_t draw = mix64(random);
    const Time pause =
        draw % 16 == 0
            ? Time::from_fs(static_cast<int64_t>(draw / 16 % static_cast<uint64_t>(options_.longest_pause.fs() + 1)))
            : Time::from_ns(static_cast<int64_t>(draw / 16 % 8) * 10);
    resting_.emplace(from + pause, Token{hops, mix64(draw)});
  }

  const TokenOptions& options_;
  int32_t id_;
  uint64_t state_;
  uint64_t foreground_left_ = 0;
  Time foreground_end_ = Time::never();
  Time reached_;
  std::multimap<Time, Token> resting_;
  link::Counter events_;
  std::atomic<uint64_t> steps_{0};
};

TokenSystem::TokenSystem(TokenOptions options) : options_(std::move(options)) {
  std::vector<engine::SyncChannel> channels;
  for (size_t i = 0; i < options_.channels.size(); ++i) {
    const TokenChannel& channel = options_.channels[i];
    channels.push_back({static_cast<int32_t>(i), channel.source, channel.target, channel.latency});
  }
  const size_t bytes = engine::SyncTable::bytes(options_.partitions, channels.size()) + 64;
  table_memory_.resize(bytes);
  void* memory = table_memory_.data();
  size_t space = bytes;
  std::align(64, bytes - 64, memory, space);
  table_ = std::make_unique<engine::SyncTable>(memory, options_.partitions, channels);
  for (const engine::SyncChannel& channel : channels) {
    rings_.push_back(std::make_unique<TestRing>(options_.ring_slots));
    link::ChannelSpec spec{static_cast<uint32_t>(channel.id), "channel " + std::to_string(channel.id), channel.latency,
                           Clock(Frequency{1'000'000'000})};
    // With both kinds in one system, as where some processes share memory.
    spec.promises = options_.promises || channel.id % 3 == 2;
    senders_.push_back(std::make_unique<link::ChannelSender>(spec, rings_.back()->get()));
    receivers_.push_back(std::make_unique<link::ChannelReceiver>(spec, rings_.back()->get()));
  }
  for (int32_t p = 0; p < options_.partitions; ++p) {
    partitions_.push_back(std::make_unique<TokenPartition>(options_, p));
    engine::LocalPartition local;
    local.id = p;
    local.name = "partition " + std::to_string(p);
    local.partition = partitions_.back().get();
    for (const int32_t c : table_->inbound(p)) local.receivers.push_back(receivers_[c].get());
    for (const int32_t c : table_->outbound(p)) local.senders.push_back(senders_[c].get());
    local_.push_back(local);
  }
  for (int32_t p = 0; p < options_.partitions; ++p) partitions_[p]->local = &local_[p];
}

TokenSystem::~TokenSystem() = default;

absl::Status TokenSystem::run(engine::ExecutorOptions options, std::stop_token stop) {
  executor_ =
      std::make_unique<engine::Executor>(*table_, local_, options, doorbell_, std::vector<link::Doorbell*>{}, nullptr);
  return executor_->run(stop);
}

std::vector<uint64_t> TokenSystem::histories() const {
  std::vector<uint64_t> states;
  for (const auto& partition : partitions_) states.push_back(partition->state());
  return states;
}

std::vector<Time> TokenSystem::foreground_ends() const {
  std::vector<Time> ends;
  for (const auto& partition : partitions_) ends.push_back(partition->foreground_end());
  return ends;
}

std::vector<Time> TokenSystem::times() const {
  std::vector<Time> times;
  for (const auto& partition : partitions_) times.push_back(partition->reached());
  return times;
}

uint64_t TokenSystem::steps() const {
  uint64_t steps = 0;
  for (const auto& partition : partitions_) steps += partition->steps();
  return steps;
}

}  // namespace fabrictwin
