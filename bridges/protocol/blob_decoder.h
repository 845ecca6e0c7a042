// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Decodes the bytes of a stream message into rings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bridges/protocol/blob_encoder.h"
#include "cosim/base/time.h"
#include "cosim/link/ring.h"

namespace fabrictwin::bridges::protocol {

/// Checks the records of blobs from one peer and writes them to the rings of their channels. Records that do not fit
/// wait in the decoder. Used by one thread at a time.
class BlobDecoder {
 public:
  /// `peer` names the sender in errors; `channels` are all that it may send on. The rings must outlive the decoder.
  BlobDecoder(std::string peer, std::vector<BlobChannel> channels);

  /// Starts to decode a blob; the previous one must be done(). DataLoss if its size is no multiple of 64.
  absl::Status start(std::string blob);

  /// Writes records to rings until all are written or a ring is full. Returns the number of records moved, promises
  /// included. DataLoss for a record that breaks the protocol: a channel that is not the peer's, an unknown kind, a set
  /// ownership bit, time that goes backwards, anything after an end. The decoder must not be used after that.
  absl::StatusOr<size_t> push();

  /// True if all records have been written to rings.
  bool done() const { return position_ == blob_.size(); }

  size_t channels() const { return channels_.size(); }
  /// The number of records (without promises and ends) written to the ring of a channel (by index) so far.
  uint64_t records(size_t index) const { return channels_[index].records; }
  /// The time before which no record beyond those will arrive.
  Time promise(size_t index) const { return channels_[index].promise; }

 private:
  struct Channel {
    BlobChannel description;
    link::RingProducer ring;
    uint64_t records = 0;
    Time promise = {};
    bool ended = false;
  };

  absl::Status check(const link::Record& record) const;
  absl::Status broken(const link::Record& record, const std::string& what) const;

  std::string peer_;
  std::vector<Channel> channels_;
  std::vector<int32_t> index_;  ///< For each channel id the index into channels_, or -1.
  std::string blob_;
  size_t position_ = 0;
};

}  // namespace fabrictwin::bridges::protocol
