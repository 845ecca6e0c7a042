// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The barrier interface of the TNIs of a node: docs/models/tofu-barrier.md.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "cosim/base/time.h"

namespace fabrictwin::nic {

/// The ranks of a node order barriers at barrier channels (BCH), and barrier gates (BG) of all nodes pass signals on:
/// recursive doubling, in which each relay gate waits for a signal of its node and for one of another. A signal carries
/// a value, and what ends is the sum of those of all ranks. Independent of the network, which keeps the time; events of
/// one time have one order. Source: Ajima et al., "The Tofu Interconnect D" (CLUSTER 2018). Not thread-safe.
class TofuBarrier {
 public:
  /// The most elements of a reduction: integers, and floating-point numbers.
  static constexpr uint64_t kMaxIntegers = 8;
  static constexpr uint64_t kMaxReals = 3;
  /// Barrier channels of a TNI: ranks of a node that can use it.
  static constexpr int32_t kChannels = 16;

  struct Costs {
    int32_t tnis = 0;    ///< Those that the ranks of a node use in turn; 0: there is no barrier interface.
    Time start;          ///< From the order until the start gate's signal. The TNI starts one after the other.
    Time end;            ///< From the last gate's signal until the processor sees the end.
    Time relay;          ///< From the later of its two signals until a gate sends its own.
    int32_t packet = 0;  ///< Bytes of a signal on a link, without a vector.
  };
  /// What goes from a gate to one of another rank, which may be on the same node.
  struct Signal {
    int32_t host = 0;  ///< Where `rank` is.
    int32_t rank = 0;
    int32_t tni = 0;  ///< By which it leaves.
    uint32_t number = 0;
    uint32_t stage = 0;
    uint32_t bytes = 0;  ///< How long the vector is.
    uint64_t value = 0;
  };
  /// A barrier of a rank of this node is over.
  struct End {
    uint64_t cookie = 0;
    uint64_t value = 0;
  };
  /// What happens at the times at which advance() is called.
  struct Actions {
    std::vector<Signal> signals;  ///< To other nodes.
    std::vector<End> ends;
    std::string failure;  ///< What is wrong with a signal, or nothing.
  };

  TofuBarrier(int32_t node, const Costs& costs) : node_(node), costs_(costs) {}

  /// Prepares the circuit of `rank` of a job whose ranks are on `hosts`, which outlives it.
  void configure(int32_t rank, const std::vector<int32_t>& hosts);
  /// `rank`, which is configured and has no barrier under way, orders one. `cookie` is that of its End.
  void order(Time now, int32_t rank, uint64_t cookie, uint64_t value, uint32_t bytes);
  /// A signal for a rank of this node has come. What is wrong with it, or nothing.
  std::string arrive(Time now, const Signal& signal);

  /// When advance() is next to be called, or never().
  Time next_event() const { return events_.empty() ? Time::never() : std::get<0>(events_.begin()->first); }
  /// Adds what happens up to `now`.
  void advance(Time now, Actions& actions);

 private:
  /// Stages of a rank: the rank beyond the largest power of two has signalled; one for each exchange; it is told.
  static constexpr uint32_t kFoldIn = 30, kFoldOut = 31;

  struct Input {
    Time time;
    uint64_t value = 0;
  };
  struct Rank {
    const std::vector<int32_t>* hosts = nullptr;
    int32_t tni = 0;
    uint32_t number = 0;  ///< The barrier that is under way or comes next has it.
    bool active = false;
    uint32_t stage = 0;
    uint64_t cookie = 0;
    uint64_t value = 0;
    uint32_t bytes = 0;
    Time ready;                                 ///< When the gate before had its signal.
    absl::flat_hash_map<uint64_t, Input> come;  ///< Signals by barrier and stage.
  };
  enum class What : uint8_t { kSignal, kEnd };
  struct Event {
    What what = What::kSignal;
    Signal signal;
    End end;
  };

  static uint64_t input_key(uint32_t number, uint32_t stage) { return uint64_t{number} << 8 | stage; }
  void run(int32_t number, Rank& rank);
  void enter(int32_t number, Rank& rank);
  void send(int32_t number, const Rank& rank, int32_t peer, uint32_t stage);
  void finish(int32_t number, Rank& rank);

  int32_t node_;
  Costs costs_;
  std::map<int32_t, Rank> ranks_;                                ///< By number.
  std::vector<Time> free_;                                       ///< By TNI: when it can start the next barrier.
  std::map<std::tuple<Time, int32_t, uint32_t>, Event> events_;  ///< By time, rank and stage.
};

}  // namespace fabrictwin::nic
