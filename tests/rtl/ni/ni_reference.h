// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What packetizer and mailbox may do, seen from the packets that pass and from what the hosts do. Reports what is not
// allowed through GoogleTest.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "tests/rtl/ni/ni_host.h"

namespace fabrictwin::test {

/// The sending and the receiving half of one device. Messages all go to the other one.
class NiReference {
 public:
  explicit NiReference(int device) : device_(device) {}

  // The host.
  void packetizer_enabled(int interface_number, int pdid, int rank) { senders_[at(interface_number)] = {pdid, rank}; }
  void mailbox_configured(int interface_number, int pdid, bool enabled) {
    boxes_[at(interface_number)] = {pdid, enabled, {}};
  }
  /// The interface, which has been configured, has a ring of 2^bits entries in the host's memory.
  void ring_placed(int interface_number, int bits) {
    boxes_[at(interface_number)].in_memory = true;
    boxes_[at(interface_number)].depth = 1 << bits;
  }
  void rung(int channel, int to_interface, int rank, const std::vector<uint8_t>& data);
  void state_read(int channel, uint64_t value, int retry_limit);
  void head_issued(int interface_number, int head) { boxes_[at(interface_number)].head_issued = head; }
  void head_written(int interface_number, int head) { boxes_[at(interface_number)].head_written = head; }
  void entry_read(int interface_number, const NiEntry& entry) { boxes_[at(interface_number)].read.push_back(entry); }

  // The network.
  void sent(const NiPacket& packet);
  void delivered(const NiPacket& packet);

  /// Everything has come to rest; `other` is the device at the other end. Compares both with the counters.
  void finish(NiNetwork& network, const NiReference& other);

  struct Channel {
    bool used = false;
    uint32_t sequence = 0;
    NiPacket packet;  ///< Of the message that is or was ongoing.
    int copies = 0;
    int state = kIdle;  ///< As the host last read it.
    bool ack = false, nack = false;
  };
  const Channel& channel(int c) const { return channels_[static_cast<size_t>(c)]; }
  int64_t late_answers() const { return late_answers_; }
  int64_t skipped() const { return skipped_; }
  int64_t full_nacks() const { return full_nacks_; }
  int64_t wraps() const { return wraps_; }
  int64_t memory_entries() const { return memory_entries_; }

 private:
  struct Sender {
    int pdid = -1;
    int rank = 0;
  };
  struct Box {
    int pdid = -1;
    bool enabled = false;
    std::vector<NiEntry> accepted{}, read{};
    bool in_memory = false;
    int depth = kNiMailboxDepth;
    int64_t tail = 0;
    int64_t head_issued = 0;  ///< The head is between these two.
    int64_t head_written = 0;
  };
  struct Waiting {
    NiPacket packet;
    int64_t head_low;  ///< Of its mailbox when its last word went in.
  };
  struct Verdict {
    uint32_t sequence = 0;
    int verdict = kVerdictNone;
  };
  static size_t at(int interface_number) { return static_cast<size_t>(interface_number); }
  void answered(const NiPacket& answer);
  Waiting take_waiting(const NiPacket& answer);
  bool in_memory(const NiPacket& message) const { return boxes_[at(static_cast<int>(message.va >> 12))].in_memory; }

  int device_;
  std::array<Sender, 64> senders_{};
  std::array<Box, 64> boxes_{};
  std::array<Channel, 256> channels_{};
  std::deque<Waiting> waiting_;          ///< Messages delivered whose answer has not come out.
  std::array<Verdict, 256> verdicts_{};  ///< By the other device's channel.
  int64_t sent_ = 0, late_answers_ = 0, skipped_ = 0, duplicates_ = 0, accepted_ = 0, full_nacks_ = 0, wraps_ = 0,
          memory_entries_ = 0;
  int64_t good_answers_ = 0;
};

}  // namespace fabrictwin::test
