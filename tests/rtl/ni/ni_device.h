// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A Verilated small_ni with its assertions switched on, driven pin by pin, and a master at its AXI4-Lite port.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "tests/rtl/ni/ni_packet.h"
#include "tests/rtl/ni/ni_twin.h"

class VSmallNi;

namespace fabrictwin::test {

struct RandomStateContext;

#ifndef NI_MAILBOX_DEPTH
#define NI_MAILBOX_DEPTH 4
#define NI_PEER_BITS 3
#define NI_BUFFER_WORDS 64
#define NI_ANSWER_DEPTH 64
#endif
inline constexpr int kNiMailboxDepth = NI_MAILBOX_DEPTH;
inline constexpr int kNiPeerBits = NI_PEER_BITS;
inline constexpr int kNiBufferWords = NI_BUFFER_WORDS;
inline constexpr int kNiAnswerDepth = NI_ANSWER_DEPTH;

/// Counters of small_ni, by number.
enum NiCounter : int {
  kCountSent,
  kCountRetransmitted,
  kCountAcked,
  kCountNacked,
  kCountTimedOut,
  kCountIgnored,
  kCountRefused,
  kCountAccepted,
  kCountDuplicate,
  kCountNackPdid,
  kCountNackDisabled,
  kCountNackFull,
  kCountNoAnswerRoom,
  kCountClearing,
  kCountStranger,
  kCountFrame,
  kCountLength,
  kCountCrc,
  kCountNode,
  kCountKind,
  kCountStray,
  kCountRdma,
  kCountNackMemory,
  kNiCounters,
};

/// Byte addresses of the registers.
uint32_t ni_channel_address(int channel, int word);
uint32_t ni_entry_address(int interface_number, int slot, int word);
uint32_t ni_tail_address(int interface_number);
uint32_t ni_head_address(int interface_number);
uint32_t ni_packetizer_config_address(int interface_number);
uint32_t ni_mailbox_config_address(int interface_number);
uint32_t ni_ring_address(int interface_number);

/// Bits of the register of a ring in the host's memory, and the value for one of 2^bits entries at `base`.
inline constexpr uint64_t kNiRingInMemory = uint64_t{1} << 63;
inline constexpr uint64_t kNiRingEvents = uint64_t{1} << 62;
inline constexpr uint64_t kNiRingBroken = uint64_t{1} << 61;
constexpr uint64_t ni_ring(uint64_t base, int bits, bool events = false) {
  return kNiRingInMemory | (events ? kNiRingEvents : 0) | static_cast<uint64_t>(bits) << 39 | base;
}
inline constexpr uint32_t kNiStatusAddress = 0xc0000;
inline constexpr uint32_t kNiTimeoutAddress = 0xc0008;
inline constexpr uint32_t kNiForgetAddress = 0xc0010;
inline constexpr uint32_t kNiPendingAddress = 0xc0018;
inline constexpr uint32_t kNiEnableAddress = 0xc0020;
inline constexpr uint32_t kNiModerationAddress = 0xc0028;
inline constexpr uint32_t kNiCounterAddress = 0xc0040;

/// What happened at an edge.
struct NiOutputs {
  std::optional<NiLinkWord> tx;               ///< Word taken from the port.
  std::optional<std::pair<int, int>> credit;  ///< VC, count.
  std::optional<NiLinkWord> rdma;             ///< Word taken from the RDMA port.
  std::optional<int> event;                   ///< Interface whose mailbox has a new entry.
  bool interrupt = false;                     ///< The interrupt is asserted.
  std::array<bool, 2> rdma_taken{};           ///< Word given to the RDMA port was taken, by VC.
  int credit_stall = 0;
};

/// What is driven at an edge.
struct NiInputs {
  std::optional<NiLinkWord> rx;
  std::optional<std::pair<int, int>> credit;
  std::array<std::optional<NiLinkWord>, 2> rdma;  ///< By VC.
  bool tx_ready = true;
  bool rdma_ready = true;
};

/// The host's memory at the port through which rings are written. It takes addresses and words at any time, in any
/// order to one another, and answers in the order of the bursts.
class NiMemory {
 public:
  explicit NiMemory(uint64_t seed) : random_(seed) {}

  struct Burst {
    uint64_t address = 0;
    int words = 0;
    uint32_t user = 0;
  };
  /// Decides whether a burst is refused; may be replaced.
  std::function<bool(const Burst&)> fault = [](const Burst&) { return false; };
  /// Called with each burst when its last word has been taken.
  std::function<void(const Burst&)> on_write = [](const Burst&) {};

  /// Zero where nothing was written. `address` is a multiple of 8.
  uint64_t read(uint64_t address) const;
  void set_free(int percent) { free_ = percent; }
  /// Bursts are taken, but not answered.
  void hold_answers(bool hold) { held_ = hold; }
  size_t unanswered() const { return answers_.size(); }

  void drive(VSmallNi& model);
  void sample(const VSmallNi& model);

 private:
  struct Beat {
    NiWord word;
    bool last = false;
  };
  void take_bursts();
  bool chance(int percent) { return static_cast<int>(random_() % 100) < percent; }

  std::mt19937_64 random_;
  int free_ = 100;
  bool held_ = false;
  std::deque<Burst> addresses_;
  std::deque<Beat> beats_;
  std::deque<bool> answers_;  ///< Whether the burst was refused.
  std::map<uint64_t, uint64_t> words_;
};

class NiDevice {
 public:
  /// Called with the response: data and whether it is an error.
  using Done = std::function<void(uint64_t data, bool error)>;

  NiDevice(uint32_t node, uint64_t seed, int credits = kNiBufferWords);
  ~NiDevice();

  /// One clock cycle.
  NiOutputs cycle(const NiInputs& inputs);
  int64_t now() const { return now_; }
  uint32_t node() const { return node_; }

  /// Queues an access of the host. Each AXI channel stalls in (100 - `axi_free`) percent of the cycles.
  void write(uint32_t address, uint64_t data, Done done = nullptr, int strobe = 0xff);
  void read(uint32_t address, Done done);
  /// Resets; from then on a second device without idle edges is held against this one. `time` is that of the first
  /// edge.
  void start_twin(uint32_t time);
  /// Edges that the second device left out.
  int64_t skipped() const;
  size_t host_queue() const { return accesses_.size(); }
  NiMemory& memory() { return memory_; }
  void set_axi_free(int percent) {
    axi_free_ = percent;
    memory_.set_free(percent);
  }
  /// Cycle of the last doorbell or other write whose data were handed over.
  int64_t last_write_cycle() const { return last_write_cycle_; }

 private:
  struct Access {
    bool write;
    uint32_t address;
    uint64_t data;
    int strobe;
    Done done;
  };
  bool chance(int percent) { return static_cast<int>(random_() % 100) < percent; }
  void reset();
  void drive_axi();
  void sample_axi();

  std::unique_ptr<RandomStateContext> context_;
  std::unique_ptr<VSmallNi> model_;
  std::unique_ptr<NiTwin> twin_;
  uint32_t time_ = 0;
  std::mt19937_64 random_;
  NiMemory memory_;
  uint32_t node_;
  int axi_free_ = 100;
  int64_t now_ = 0;
  int64_t last_write_cycle_ = 0;
  std::deque<Access> accesses_;
  bool address_sent_ = false;
  bool data_sent_ = false;
};

}  // namespace fabrictwin::test
