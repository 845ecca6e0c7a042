// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The bytes of a stream message into rings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bridges/blob_encoder.h"
#include "cosim/base/time.h"
#include "cosim/link/ring.h"

namespace fabrictwin {

/// Checks the records of blobs from one peer and puts them into the rings of their channels. What a full ring does not
/// take waits in the decoder. Used by one thread at a time.
class BlobDecoder {
 public:
  /// `peer` names the sender in errors; `channels` are all that it may send on. The rings outlive the decoder.
  BlobDecoder(std::string peer, std::vector<BlobChannel> channels);

  /// Takes a blob over; the one before must be done(). DataLoss if its size is no multiple of 64.
  absl::Status start(std::string blob);

  /// Puts records into rings until all are there or a ring is full. Returns the number of records moved, promises
  /// included. DataLoss for a record that breaks the protocol: a channel that is not the peer's, an unknown kind, a set
  /// ownership bit, time that goes backwards, anything after an end. The decoder is then of no further use.
  absl::StatusOr<size_t> push();

  /// True if nothing waits.
  bool done() const { return position_ == blob_.size(); }

  size_t channels() const { return channels_.size(); }
  /// Records (promises and ends not counted) put into the ring of a channel (by index) so far.
  uint64_t records(size_t index) const { return channels_[index].records; }
  /// No record beyond those will arrive before this.
  Time promise(size_t index) const { return channels_[index].promise; }

 private:
  struct Channel {
    BlobChannel description;
    RingProducer ring;
    uint64_t records = 0;
    Time promise = {};
    bool ended = false;
  };

  absl::Status check(const Record& record) const;
  absl::Status broken(const Record& record, const std::string& what) const;

  std::string peer_;
  std::vector<Channel> channels_;
  std::vector<int32_t> index_;  ///< By channel id: index into channels_, or -1.
  std::string blob_;
  size_t position_ = 0;
};

}  // namespace fabrictwin
