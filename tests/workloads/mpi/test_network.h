// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A network without a network: engines of all ranks joined by delays.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cosim/base/random.h"
#include "tests/workloads/trace_helpers.h"
#include "workloads/mpi/rank_engine.h"

namespace fabrictwin {

/// What one rank does, from a list; keeps when it was asked for each event.
class ListProgram final : public mpi::RankProgram {
 public:
  explicit ListProgram(std::vector<trace::format::Event> events, std::vector<Time>* times = nullptr)
      : events_(std::move(events)), times_(times) {}
  absl::StatusOr<bool> next(Time now, trace::format::Event& event) override {
    if (times_ != nullptr) times_->push_back(now);
    if (next_ == events_.size()) return false;
    event = events_[next_++];
    return true;
  }

 private:
  std::vector<trace::format::Event> events_;
  std::vector<Time>* times_;
  size_t next_ = 0;
};

/// Runs a program on one engine for each rank. Messages of a pair arrive in order after a delay; the last word of a
/// message leaves after a delay.
class TestNetwork {
 public:
  struct Options {
    uint64_t eager_limit = 32;
    uint64_t seed = 0;  ///< 0: equal delays; else random ones.
    double compute_scale = 1.0;
    Time send_overhead = Time::from_ns(400);
    Time receive_overhead = Time::from_ns(400);
    Time match_overhead;
    Bandwidth copy_rate;
  };

  TestNetwork(const Program& program, const Options& options)
      : options_(options), random_(options.seed, 0, RandomPurpose::kTest) {
    const size_t ranks = program.size();
    digests_.resize(ranks);
    last_arrival_.assign(ranks * ranks, Time::zero());
    for (size_t rank = 0; rank < ranks; ++rank) {
      mpi::RankEngine::Options engine;
      engine.costs = {.rank = static_cast<int32_t>(rank),
                      .ranks = static_cast<int32_t>(ranks),
                      .compute_scale = options.compute_scale,
                      .send_overhead = options.send_overhead};
      engine.receive_overhead = options.receive_overhead;
      engine.match_overhead = options.match_overhead;
      experiment::HostSpec host;
      host.copy_rate = options.copy_rate;
      engine.costs.copy = mpi::protocol::CopyCost::of_host(host);
      engine.costs.eager_limit = options.eager_limit;
      engine.events = program[rank].size();
      engines_.push_back(
          std::make_unique<mpi::RankEngine>(engine, std::make_unique<ListProgram>(program[rank]), &digests_[rank]));
    }
  }

  /// Runs until nothing happens any more. True if all ranks have finished.
  bool run() {
    for (size_t rank = 0; rank < engines_.size(); ++rank) decide(rank);
    while (!pending_.empty()) {
      const Time now = std::min_element(pending_.begin(), pending_.end(), [](const Event& a, const Event& b) {
                         return a.time < b.time;
                       })->time;
      now_ = now;
      std::vector<bool> touched(engines_.size());
      std::vector<Event> due;
      std::erase_if(pending_, [&](const Event& event) {
        if (event.time == now) due.push_back(event);
        return event.time == now;
      });
      // What shares a time comes in any order.
      if (options_.seed != 0) {
        for (size_t i = due.size(); i > 1; --i) std::swap(due[i - 1], due[random_.next_below(i)]);
      }
      for (const Event& event : due) {
        if (event.kind == Kind::kMessage) engines_[event.rank]->on_message(event.message);
        if (event.kind == Kind::kSent) engines_[event.rank]->on_sent(event.cookie);
        touched[event.rank] = true;
      }
      for (size_t rank = 0; rank < engines_.size(); ++rank) {
        if (touched[rank]) decide(rank);
      }
    }
    return std::all_of(engines_.begin(), engines_.end(), [](const auto& engine) { return engine->finished(); });
  }

  const mpi::RankEngine& engine(size_t rank) const { return *engines_[rank]; }
  mpi::RankEngine& engine(size_t rank) { return *engines_[rank]; }
  std::string payload() const { return observe::combine_payload(digests_); }
  std::string failures() const {
    std::string all;
    for (const auto& engine : engines_) all += engine->failure();
    return all;
  }
  std::string waits() const {
    std::string all;
    for (const auto& engine : engines_) all += engine->waits_for() + "\n";
    return all;
  }
  uint64_t messages() const { return messages_; }

 private:
  enum class Kind { kMessage, kSent, kWake };
  struct Event {
    Time time;
    Kind kind;
    size_t rank;
    uint64_t cookie = 0;
    nic::IncomingMessage message;
  };

  Time delay() {
    return options_.seed == 0 ? Time::from_ns(500)
                              : Time::from_ns(100 * static_cast<int64_t>(1 + random_.next_below(20)));
  }

  void decide(size_t rank) {
    const Time next =
        engines_[rank]->decide(now_, [this, rank](const nic::OutgoingMessage& message) { transmit(rank, message); });
    if (!next.is_never()) pending_.push_back({.time = next, .kind = Kind::kWake, .rank = rank, .message = {}});
  }

  void transmit(size_t rank, const nic::OutgoingMessage& message) {
    ++messages_;
    const size_t to = static_cast<size_t>(message.destination);
    Time& last = last_arrival_[rank * engines_.size() + to];
    last = std::max(last + Time::from_fs(1), now_ + delay());
    nic::IncomingMessage incoming;
    incoming.source = static_cast<int32_t>(rank);
    incoming.envelope = message.envelope;
    incoming.body_hash = mix64(message.envelope.payload_key ^ message.envelope.bytes);
    pending_.push_back({.time = last, .kind = Kind::kMessage, .rank = to, .message = incoming});
    nic::IncomingMessage none;
    none.source = -1;
    pending_.push_back(
        {.time = now_ + delay(), .kind = Kind::kSent, .rank = rank, .cookie = message.cookie, .message = none});
  }

  Options options_;
  RandomStream random_;
  Time now_;
  std::vector<observe::EndpointDigest> digests_;
  std::vector<std::unique_ptr<mpi::RankEngine>> engines_;
  std::vector<Time> last_arrival_;
  std::vector<Event> pending_;
  uint64_t messages_ = 0;
};

}  // namespace fabrictwin
