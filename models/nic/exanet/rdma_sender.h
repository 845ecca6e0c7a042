// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The send unit of the RDMA unit: cuts transfers into blocks and cells, and repeats those that are refused.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "models/kernel/round_robin.h"
#include "models/nic/exanet/cca_throttle.h"
#include "models/nic/exanet/context.h"
#include "models/nic/exanet/memory.h"

namespace fabrictwin::nic::exanet {

class Processor;

/// Implements docs/models/exanet-rdma.md: 8 slots for own writes and 8 for reads by other nodes, two blocks of each in
/// progress, cells of all of them in turn. Own reads are not modelled. Not thread-safe.
class RdmaSender {
 public:
  RdmaSender(Context& context, Memory& memory, const CcaSettings& congestion)
      : context_(context), memory_(memory), throttle_(congestion) {}

  /// Binds the processor that polls the state of channels, for timing.accesses(); it outlives the unit's activity.
  void bind_processor(Processor* processor) { processor_ = processor; }

  /// Rings the doorbell of a write channel. False if it is busy or does not exist, or the transfer breaks a rule.
  bool start(int32_t channel, const Transfer& transfer);
  /// An ack or a nack has arrived from the other node's receive unit.
  void answered(const RdmaPacket& answer);
  /// A read request has arrived from another node.
  void requested(const RdmaPacket& request);
  /// A notice has arrived: a cell for `node` has met congestion.
  void noticed(Node node);
  /// A packet of Stream::kRdmaRequests has left; there is space for another cell.
  void sent(const Words& packet);

  Time next_deadline();
  void expire();

  uint64_t repeated() const { return repeated_; }  ///< Blocks sent again.
  uint64_t ignored() const { return ignored_; }    ///< Answers that no block waits for.
  uint64_t notices() const { return notices_; }    ///< Notices that have arrived.

 private:
  static constexpr int kSlots = 16;
  static constexpr int kOwnSlots = 8;
  static constexpr uint64_t kMaxLength = 0xffffffff;  ///< Bytes of a transfer.

  struct Job {
    bool served = false;  ///< A read by another node.
    uint16_t channel = 0, transfer = 0;
    uint16_t pdid = 0;
    uint8_t rank = 0, peer_slot = 0;
    Node node = 0;
    uint64_t source = 0, destination = 0, length = 0;
    std::optional<Notification> notify, local;
  };
  struct Block {
    enum class State : uint8_t { kFree, kSend, kWait, kBack } state = State::kFree;
    uint32_t number = 0;
    uint32_t offset = 0;
    uint8_t index = 0;
    uint8_t attempt = 0;
    int32_t retries = 0;
    uint64_t deadline = 0;  ///< Number of the deadline that is valid.
  };
  struct Slot {
    bool used = false;
    bool over = false;  ///< Everything is acknowledged.
    Job job;
    uint32_t next_block = 0;
    int64_t next_cell = 0;  ///< Cycle before which no cell of it is sent.
    std::array<Block, 2> blocks;
  };
  struct Channel {
    bool busy = false;
    uint16_t transfer = 0;
  };
  struct Deadline {
    Time time;
    int32_t slot;
    int32_t side;
    uint64_t number;
  };

  void admit();
  int32_t free_slot(int32_t first, int32_t count) const;
  void begin(int32_t slot, const Job& job);
  void open(int32_t slot);
  void issue();
  void issue_cell(int32_t slot, int32_t side);
  void read_failed(const RdmaPacket& cell);
  void notify_locally(const Notification& notification, const std::function<void()>& done);
  void send_notification(const Slot& slot, int32_t number, const Block& block);
  RdmaPacket packet_of(int32_t slot, const Block& block) const;
  /// Sends a block again after the back-off; false if no retries are left.
  bool retry(int32_t slot, int32_t side, const char* cause);
  /// The other node is busy; `queued`: it says when a context is free.
  void postpone(int32_t slot, int32_t side, bool queued);
  void turn(int32_t slot, int32_t side, uint8_t attempt);
  void restart(Block& block);
  void give_up(int32_t slot, const std::string& cause);
  void wait_for(std::deque<Deadline>& deadlines, int32_t slot, int32_t side, int64_t cycles);
  static uint32_t blocks_of(const Job& job) { return static_cast<uint32_t>((job.length + 0x3fff) >> 14); }

  Context& context_;
  Memory& memory_;
  CcaThrottle throttle_;
  Processor* processor_ = nullptr;
  std::array<Channel, kNiRdmaChannels> channels_;
  std::array<Slot, kSlots> slots_;
  std::deque<Job> waiting_;  ///< Started transfers without a slot.
  Time firmware_free_;
  kernel::RoundRobin turn_{1};  ///< Among entries (2 * slot + side); after reset, that after entry 0 comes first.
  int32_t cells_ = 0;           ///< Cells being read or waiting to leave.
  Time next_issue_;
  bool issue_asked_ = false;
  std::deque<Deadline> timeouts_, queued_, backoffs_;  ///< Each in time order.
  uint64_t deadlines_ = 0;
  uint64_t repeated_ = 0, ignored_ = 0, notices_ = 0;
};

}  // namespace fabrictwin::nic::exanet
