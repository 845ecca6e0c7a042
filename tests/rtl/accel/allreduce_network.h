// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Allreduce accelerators of several boards, each with a host that begins operations, joined by a network that delays
// and may damage packets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "models/nic/reduction.h"

namespace fabrictwin::test {

using Word128 = std::array<uint32_t, 4>;

/// The pins of an accelerator.
class AllreduceDevice {
 public:
  virtual ~AllreduceDevice() = default;
  struct Access {
    bool valid = false;
    bool write = false;
    uint32_t address = 0;  ///< In bytes.
    uint64_t data = 0;
  };
  struct Answer {
    bool error = false;
    uint64_t data = 0;
  };
  struct Incoming {
    bool valid = false;
    bool sop = false;
    bool eop = false;
    Word128 data{};
  };
  struct Outgoing {
    bool valid = false;
    Word128 data{};
  };
  /// Sets the inputs of the next edge; returns the answer to the access, which is there at once.
  virtual Answer set(const Access& access, const Incoming& incoming, bool tx_ready) = 0;
  virtual Outgoing outgoing() const = 0;  ///< After set().
  virtual bool event() const = 0;
  virtual bool idle() const = 0;
  virtual void edge() = 0;
};

/// What a host begins, and what it saw at the end.
struct AllreduceCall {
  nic::ReduceOperation operation = nic::ReduceOperation::kSum;
  nic::ReduceType type = nic::ReduceType::kInt32;
  std::vector<std::byte> vector;
  int64_t at = 0;  ///< Not before this cycle.
  bool done = false;
  uint32_t code = 0;
  uint32_t culprit = 0;
  std::vector<std::byte> result;
  int64_t begun = 0;  ///< Cycles of the command and of the event.
  int64_t ended = 0;
};

class AllreduceNetwork {
 public:
  struct Weather {
    unsigned stall = 0;  ///< Chance in percent that a link does not take or bring a word.
    int64_t delay = 1;   ///< Least cycles of a packet on its way,
    int64_t more = 0;    ///< and how many more it may take.
  };
  AllreduceNetwork(int ranks, const Weather& weather, uint32_t seed);

  static uint32_t node_of(int rank) { return static_cast<uint32_t>(rank); }

  /// Writes the groups and addresses of all ranks.
  void configure(uint32_t timeout = 0);
  /// One access, alone.
  AllreduceDevice::Answer access(int rank, bool write, uint32_t address, uint64_t data = 0);
  uint64_t status(int rank) { return access(rank, false, 0x100).data; }

  /// Adds an operation of a rank.
  void call(int rank, AllreduceCall call) { hosts_[static_cast<size_t>(rank)].calls.push_back(std::move(call)); }
  /// Adds the same operation to all ranks, with operands of `key`.
  void call_all(nic::ReduceOperation operation, nic::ReduceType type, uint64_t key, size_t bytes);
  /// Runs until all calls have ended and nothing is on its way; false if that takes more than `cycles`.
  bool run(int64_t cycles);
  void edge();

  const AllreduceCall& result(int rank, size_t call) const { return hosts_[static_cast<size_t>(rank)].calls[call]; }
  int64_t now() const { return now_; }
  int ranks() const { return static_cast<int>(devices_.size()); }
  /// All calls have ended and nothing is on its way.
  bool idle() const;
  /// An accelerator says that nothing happens without input; all do.
  bool device_idle(int rank) const { return devices_[static_cast<size_t>(rank)]->idle(); }
  bool devices_idle() const;
  /// Ends of operations that were told to hosts which waited for none.
  int stray_events() const { return stray_events_; }

  /// Is shown each packet, and may change, double or remove it.
  std::function<void(int source, std::vector<std::vector<Word128>>& packets)> damage;
  /// May make an access where the host of a rank waits for the end of an operation, and is told the answer.
  std::function<AllreduceDevice::Access(int rank)> intrude;
  std::function<void(const AllreduceDevice::Access& access, const AllreduceDevice::Answer& answer)> intruded;
  /// Brings a packet to a rank.
  void inject(int rank, const std::vector<Word128>& packet) {
    paths_[static_cast<size_t>(rank)].push_back({now_, packet});
  }

 private:
  enum class Step : uint8_t { kWait, kVector, kCommand, kEvent, kStatus, kResult };
  struct Host {
    std::vector<AllreduceCall> calls;
    size_t call = 0;
    Step step = Step::kWait;
    size_t at = 0;
  };
  struct Packet {
    int64_t time = 0;
    std::vector<Word128> words;
  };

  AllreduceDevice::Access next_access(Host& host);
  void take_answer(Host& host, const AllreduceDevice::Answer& answer);
  AllreduceDevice::Incoming next_word(size_t rank);
  void take_word(size_t rank, const Word128& word);
  void route(size_t rank, const std::vector<Word128>& packet);
  bool chance(unsigned percent) { return random_() % 100 < percent; }

  Weather weather_;
  std::mt19937 random_;
  std::vector<std::unique_ptr<AllreduceDevice>> devices_;
  std::vector<Host> hosts_;
  std::vector<std::deque<Packet>> paths_;  ///< To each rank.
  std::vector<size_t> words_in_;           ///< Words so far of the packet that comes in.
  std::vector<std::vector<Word128>> going_out_;
  int stray_events_ = 0;
  int64_t now_ = 0;
};

/// Words of a packet by its header.
size_t packet_words(const Word128& header);
/// Sets the CRC of a packet.
void seal(std::vector<Word128>& packet);

}  // namespace fabrictwin::test
