// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One port of the element behind a shell: what has arrived at it and the board has not been sent, by edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "bridges/board/config.h"
#include "bridges/board/shell/record.h"
#include "cosim/base/clock.h"
#include "cosim/base/time.h"
#include "cosim/link/channel.h"
#include "cosim/link/link_type.h"
#include "cosim/link/word_contract.h"
#include "cosim/link/word_serializer.h"

namespace fabrictwin::bridges::board::shell {

inline constexpr int64_t kNeverEdge = std::numeric_limits<int64_t>::max();

/// Used by one thread.
class Port {
 public:
  /// `clock` is that of the element, of whose VCs a record of credits has `vc_bits`. What `config` points to outlives
  /// this.
  Port(const PortConfig& config, const Clock& clock, int vc_bits)
      : config_(config),
        clock_(clock),
        vc_bits_(vc_bits),
        serializer_(clock, config.word_clock),
        word_sampler_(clock),
        credit_sampler_(clock) {}

  const PortConfig& config() const { return config_; }
  /// Watches what comes and leaves from now on, for an element that nobody here has written. Words that leave may have
  /// had a credit that came later than they left.
  void watch(const link::LinkType& words) { contract_.emplace(words, config_.initial_credits); }

  /// Takes what arrives before `until`, and finds the edges that sample it. DataLoss, with the name of the link, if a
  /// record is neither of words nor of credits, or breaks a contract that is watched.
  absl::Status receive(Time until);

  /// The edges of the next words and credits, or kNeverEdge.
  int64_t next_word() const { return words_.next_edge(); }
  int64_t next_credit() const { return credits_.next_edge(); }
  /// Takes as many of the next words, or credits, as fit into a record and are sampled before `end`; there must be one.
  /// The record has no port.
  Slot take_words(int64_t end);
  Slot take_credits(int64_t end);

  /// True if the slot after the last word that the element has sent is past at `time`.
  bool rests_at(Time time) const { return serializer_.last_slot() + 1 < config_.word_clock.edge_at_or_after(time); }
  /// Sends what the element has sent: a record from the board of words or of credits. DataLoss, with the name of the
  /// link, if the link cannot have taken a word at the edge that the record says, or if it breaks a contract that is
  /// watched.
  absl::Status send(const Slot& slot);

 private:
  struct Arrival {
    int64_t edge;
    link::Word word;  ///< What a record of words carries.
    uint8_t vc;
    uint8_t count;  ///< What a record of credits carries.
    uint8_t flags;
  };
  /// Arrivals in the order of their edges; taken from the front.
  class Arrivals {
   public:
    void push(const Arrival& arrival) { entries_.push_back(arrival); }
    bool empty() const { return head_ == entries_.size(); }
    const Arrival& front(size_t ahead = 0) const { return entries_[head_ + ahead]; }
    size_t size() const { return entries_.size() - head_; }
    void pop(size_t count);
    int64_t next_edge() const { return empty() ? kNeverEdge : front().edge; }

   private:
    std::vector<Arrival> entries_;
    size_t head_ = 0;
  };

  absl::Status send_words(const Slot& slot);
  absl::Status send_credits(const Slot& slot);
  absl::Status broken(Time at, const link::ChannelSpec& link, const std::string& what) const;

  PortConfig config_;
  Clock clock_;
  int vc_bits_;
  std::optional<link::WordContract> contract_;
  link::WordSerializer serializer_;
  link::ArrivalSampler word_sampler_;
  link::ArrivalSampler credit_sampler_;
  Arrivals words_;
  Arrivals credits_;
};

}  // namespace fabrictwin::bridges::board::shell
