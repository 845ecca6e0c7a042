// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The receiving end of a channel: delivers records in order, and knows the time before which no more will arrive.
#pragma once

#include <cstdint>

#include "absl/status/status.h"
#include "cosim/base/fifo.h"
#include "cosim/link/channel.h"
#include "cosim/link/record.h"
#include "cosim/link/ring.h"
#include "cosim/link/word_faults.h"

namespace fabrictwin::link {

class ChannelSender;

/// Takes records off the ring, checks them, and keeps them until their partition has reached their time. Used by one
/// thread at a time.
class ChannelReceiver {
 public:
  /// `ring` outlives the receiver.
  ChannelReceiver(ChannelSpec spec, RingMemory* ring);

  const ChannelSpec& spec() const { return spec_; }

  /// What `faults` do befalls the words and credits that are taken off the ring from now on: for a sender that does not
  /// know of them. `back` sends it the credits of those that are lost. Both outlive the receiver.
  void bind_faults(WordFaults& faults, ChannelSender& back) {
    faults_ = &faults;
    back_ = &back;
  }
  /// Lets a credit of words that were lost arrive, which is not before what has been taken from front().
  void add_credit(Time arrival, uint8_t vc, uint8_t count);

  /// Takes everything off the ring. A record that breaks the protocol (stamps that go backwards, unknown kind, VC or
  /// count, a burst off the word clock) is an error that names the channel, the time and the field; the channel then
  /// delivers nothing more.
  absl::Status poll();

  /// The oldest record that has not been taken, or nullptr. For a partition that advances to `until`: take records
  /// while their time is before `until`.
  const Record* front() const { return pending_.empty() ? nullptr : &pending_.front(); }
  void pop() { pending_.pop_front(); }

  /// No record that is still to come will have a stamp before this time.
  Time horizon() const { return horizon_; }
  /// Raises the horizon because of information that did not come through the ring (see SyncTable).
  void raise_horizon(Time time) {
    if (time > horizon_) horizon_ = time;
  }

  /// Records (not promises) taken off the ring so far.
  uint64_t received() const { return received_; }
  bool ended() const { return ended_; }

  /// The word-clock slot in which the first word of `burst` was on the wire. Its word i was in this slot plus i.
  int64_t first_slot(const Record& burst) const;

 private:
  absl::Status check(const Record& record) const;
  void take_with_faults(const Record& record);
  void add_pending(const Record& record);

  ChannelSpec spec_;
  RingConsumer ring_;
  WordFaults* faults_ = nullptr;
  ChannelSender* back_ = nullptr;
  Fifo<Record> pending_;
  Time last_;  ///< Stamp of the last record.
  Time horizon_;
  uint64_t received_ = 0;
  bool ended_ = false;
  absl::Status failure_;
};

}  // namespace fabrictwin::link
