// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Encodes records from rings into the bytes of a stream message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cosim/base/time.h"
#include "cosim/link/record.h"
#include "cosim/link/ring.h"

namespace fabrictwin::bridges::protocol {

/// A channel whose records travel in blobs.
struct BlobChannel {
  uint32_t id = 0;  ///< The channel of the run.
  std::string name;
  link::RingMemory* ring = nullptr;  ///< Read by an encoder, written by a decoder.
  bool passing = false;  ///< For an encoder: records from another stream, which are collected without a limit.
};

/// Takes records off the rings of a place's channels. Only the last promise of each channel goes into a blob, so an
/// idle period costs 64 bytes however long it is. Used by one thread at a time.
class BlobEncoder {
 public:
  /// The rings must outlive the encoder.
  explicit BlobEncoder(std::vector<BlobChannel> channels);

  size_t channels() const { return channels_.size(); }
  const BlobChannel& channel(size_t index) const { return channels_[index].description; }

  /// Takes records off the rings until the blob has `max_bytes`; `passing` channels have no limit. Returns the number
  /// of records taken, without promises.
  size_t collect(size_t max_bytes = SIZE_MAX);

  /// Promises that no record beyond those collected will arrive on a channel (by index) before `time`.
  void raise_promise(size_t index, Time time) {
    Channel& channel = channels_[index];
    if (time > channel.promise) channel.promise = time;
  }

  /// True if the last collect() found a full ring, whose producer probably has more records to write.
  bool found_full() const { return found_full_; }
  /// True if records wait to be sent.
  bool has_records() const { return !blob_.empty(); }
  size_t bytes() const { return blob_.size(); }
  /// The number of records (without promises and ends) collected so far on a channel.
  uint64_t records(size_t index) const { return channels_[index].records; }
  /// The newest promise on a channel, and the one in the last finished blob.
  Time promise(size_t index) const { return channels_[index].promise; }
  Time told(size_t index) const { return channels_[index].told; }
  /// The stamp of the first record on a channel that is not yet in a finished blob; never() if there is none.
  Time first_unsent(size_t index) const { return channels_[index].first_unsent; }

  /// Adds the promises that have changed, and replaces `blob` by the complete message.
  void finish(std::string& blob);

 private:
  struct Channel {
    BlobChannel description;
    link::RingConsumer ring;
    uint64_t records = 0;
    Time promise = {};
    Time told = {};
    Time last_stamp = {};  ///< The stamp of the last record collected; never() for an end.
    Time first_unsent = Time::never();
  };

  void append(const link::Record& record);

  std::vector<Channel> channels_;
  std::string blob_;
  bool found_full_ = false;
};

}  // namespace fabrictwin::bridges::protocol
