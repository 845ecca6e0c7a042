// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The receive unit of the RDMA unit: writes cells to memory and acknowledges or refuses whole blocks.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <deque>
#include <unordered_map>

#include "models/nic/exanet/context.h"
#include "models/nic/exanet/memory.h"

namespace fabrictwin::nic::exanet {

/// Implements docs/models/exanet-rdma.md, with an unlimited history. Not thread-safe.
class RdmaReceiver {
 public:
  RdmaReceiver(Context& context, Memory& memory, int32_t contexts)
      : context_(context), memory_(memory), max_contexts_(contexts) {}

  /// A cell or a notification has arrived.
  void arrived(const RdmaPacket& packet);

  uint64_t cells() const { return cells_; }      ///< Cells written.
  uint64_t refused() const { return refused_; }  ///< Blocks answered with a nack.
  uint64_t queued() const { return queued_; }    ///< Blocks that had to wait for a context.

 private:
  static constexpr size_t kMaxCells = 80;
  static constexpr size_t kMaxWaiting = 64;
  static constexpr size_t kTranslations = 64;

  struct Block {
    bool live = false;
    /// kFaulting: a page was missing, and writes are in progress; kRefused: they have ended, and the sender has been
    /// told.
    enum class State : uint8_t { kActive, kNotifying, kComplete, kFaulting, kRefused } state = State::kActive;
    int32_t written = 0;  ///< Cells written to memory.
    int32_t writes = 0;   ///< Writes in progress.
    int32_t unknown = 0;  ///< Those of cells to pages that may be missing.
    int32_t total = 0;    ///< Cells; zero until the last has arrived.
    bool torn = false;    ///< Its first cells found no context, or were lost; with its last cell it is asked for again.
    bool notify = false, notified = false;
    std::bitset<kMaxCells> seen;
    std::bitset<kMaxCells> landed;  ///< Cells written, in this attempt or earlier ones.
    RdmaPacket like;                ///< Its latest cell or notification, whose fields the answer repeats.
    Notification notification;
  };
  struct Transfer {
    uint16_t number = 0;
    int32_t writes = 0;
    std::array<Block, 2> blocks;
  };

  static uint64_t key_of(const RdmaPacket& packet) {
    return uint64_t{packet.source} << 11 | uint64_t{packet.channel} << 1 | uint64_t{packet.served};
  }
  bool has_space() const { return transfers_.size() < static_cast<size_t>(max_contexts_); }
  /// Puts a block without a context, or without its first cells, into the queue, if there is space.
  void enqueue(const RdmaPacket& packet);
  void give_turns();
  /// Rank, protection domain and number of the page that a cell goes to.
  static uint64_t page_of(const RdmaPacket& packet);
  bool knows(uint64_t page) const;
  void learn(uint64_t page, bool present);
  /// What an answer that belongs to no particular cell repeats.
  static RdmaPacket block_of(RdmaPacket packet);
  void take(uint64_t key, Transfer& transfer, Block& block, const RdmaPacket& packet);
  void write(uint64_t key, const RdmaPacket& packet, bool again);
  /// Memory has completed the write of cell `index`, or of the notification.
  void written(uint64_t key, uint32_t side, int32_t index, bool done);
  static constexpr int32_t kNotification = -1;
  static bool newer(uint8_t attempt, uint8_t than) { return attempt != than && ((attempt - than) & 8) == 0; }
  /// `responded`: memory has just responded; otherwise a packet has arrived.
  void check_complete(uint64_t key, uint32_t side, bool responded);
  void complete(uint64_t key, uint32_t side);
  /// Answers with the fields of `packet`.
  void answer(const RdmaPacket& packet, RdmaReason reason);

  Context& context_;
  Memory& memory_;
  int32_t max_contexts_;
  std::unordered_map<uint64_t, Transfer> transfers_;  ///< By node, channel and direction.
  std::unordered_map<uint64_t, uint16_t> history_;    ///< By node, channel and direction: the last complete transfer.
  std::deque<RdmaPacket> waiting_;                    ///< The last cells of blocks that wait for a context.
  std::deque<uint64_t> pages_;  ///< The translation cache: pages known to be present, the oldest first.
  uint64_t cells_ = 0, refused_ = 0, queued_ = 0;
};

}  // namespace fabrictwin::nic::exanet
