// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The sending end of a channel: turns words, credits and other records into records in stamp order.
#pragma once

#include <cstdint>
#include <deque>

#include "cosim/base/fifo.h"
#include "cosim/link/channel.h"
#include "cosim/link/record.h"
#include "cosim/link/ring.h"
#include "cosim/link/word_faults.h"

namespace fabrictwin::link {

class ChannelReceiver;

/// Collects the words, credits and other records that an element sends, and puts them on the ring in the order
/// of their stamps, each as soon as nothing earlier can follow. The grouping of words into bursts carries no meaning. A
/// full ring is back-pressure: records that do not fit wait in the sender, in order. Used by one thread at a time.
class ChannelSender {
 public:
  /// `ring` outlives the sender.
  ChannelSender(ChannelSpec spec, RingMemory* ring);

  const ChannelSpec& spec() const { return spec_; }

  /// What `faults` do befalls words and credits from now on; words must then be sent in the order of their slots.
  /// `back` receives the credits of those that are lost. Both outlive the sender.
  void bind_faults(WordFaults& faults, ChannelReceiver& back) {
    faults_ = &faults;
    back_ = &back;
  }

  /// Sends a word in slot `slot` of the word clock. Slots may be given in any order, each at most once, and not before
  /// the last flush: edge(slot + 1) >= until of that flush. `flags`: kStartOfPacket on a header, kEndOfPacket on a
  /// footer.
  void send_word(int64_t slot, uint8_t vc, uint8_t flags, const Word& word);

  /// Returns `count` (1 to 255) words of credit, leaving at `sent`, which is not before the last flush.
  void send_credit(Time sent, uint8_t vc, uint8_t count, uint8_t health = 0);

  /// As send_credit(), for words that have been lost on their way here: no fault befalls it.
  void give_back(Time sent, uint8_t vc, uint8_t count) { add_credit(sent, vc, count, 0); }

  /// Sends a record that is neither of words nor of their credits: of a host port (see HostMessage::encode()), or one
  /// that links of packets carry. Its channel and stamp are set here. It leaves at `sent`, which is not before the last
  /// flush. Records of one time keep the order in which they were given; at the same time credits go before them and
  /// words after them.
  void send_record(Time sent, const Record& record);

  /// Called by the executor when its partition has advanced to `until`: emits everything that leaves before `until`
  /// and promises that nothing will arrive before until + latency, by a record if the channel has such promises.
  /// Returns the number of records pushed to the ring, promises not counted.
  int64_t flush(Time until);

  /// When the first word, credit or other record that has been accepted but not yet flushed leaves; never() if there is
  /// none. It is not yet counted in sent(), so the partition's next event must not be later than this.
  Time next_departure() const;

  /// Retries the records that a full ring held back; true if none are held back any more.
  bool drain();
  bool blocked() const { return !held_.empty(); }
  /// When the first of them left; never() if there is none.
  Time first_held() const { return held_.empty() ? Time::never() : held_.front().time() - spec_.latency; }

  /// Tells the receiver that no record will follow.
  void finish(Time at);

  /// Records (not promises) emitted by flush() so far, including those still held back.
  uint64_t sent() const { return sent_; }

 private:
  struct PendingWord {
    Word word;
    uint8_t vc = 0;
    uint8_t flags = 0;
    bool valid = false;
  };
  struct PendingCredit {
    Time sent;
    uint8_t vc = 0;
    uint8_t count = 0;
    uint8_t health = 0;
  };
  struct PendingRecord {
    Time sent;
    Record record;
  };

  void put_word(int64_t slot, const PendingWord& pending);
  void add_credit(Time sent, uint8_t vc, uint8_t count, uint8_t health);
  void send_with_faults(const WordFaults::Sent& sent);
  void emit_until(Time until);
  void emit_word(int64_t slot, const PendingWord& pending);
  void close_burst();
  void emit_credit(const PendingCredit& credit);
  void emit_record(const PendingRecord& pending);
  void emit(const Record& record);
  void promise(Time time);

  ChannelSpec spec_;
  RingProducer ring_;
  WordFaults* faults_ = nullptr;
  ChannelReceiver* back_ = nullptr;
  std::deque<PendingWord> words_;  ///< Indexed by slot - first_slot_.
  int64_t first_slot_ = 0;
  Fifo<WordFaults::Sent> delayed_;  ///< Words that wait for the end of a fault, in the order of their slots.
  Fifo<PendingCredit> credits_;     ///< Sorted by (time, vc).
  Fifo<PendingRecord> records_;     ///< Sorted by time, in the order given.
  Record burst_{};                  ///< The burst being grown; count 0 if none.
  int64_t burst_next_slot_ = 0;
  Fifo<Record> held_;  ///< Records that a full ring held back.
  Time promised_;
  uint64_t sent_ = 0;
};

}  // namespace fabrictwin::link
