// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The loop of a worker whose records travel in a stream: read, simulate, write.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "bridges/blob_decoder.h"
#include "bridges/blob_encoder.h"
#include "bridges/sync_rows.h"
#include "cosim/engine/executor.h"
#include "cosim/run/plan.h"
#include "cosim/run/run_memory.h"
#include "fabrictwin/v1/bridge.pb.h"

namespace fabrictwin {

/// Turns each request of a Run stream into its response. Used by one thread at a time.
class WorkerStream {
 public:
  /// Everything outlives the stream.
  WorkerStream(const Plan& plan, int32_t place, RunMemory& memory, Executor& executor);

  /// Takes over the records of `request` (its blob is moved out), simulates as far as they allow, and puts everything
  /// that came of it into `response`. Errors: a request out of turn or with bad records (DataLoss), and whatever
  /// partitions say.
  absl::Status answer(v1::RunRequest& request, v1::RunResponse& response);

 private:
  /// A partition elsewhere that sends to this place.
  struct Neighbour {
    int32_t partition = 0;
    std::vector<std::pair<size_t, int32_t>>
        channels;                    ///< Index in the decoder, index among the neighbour's outbound channels.
    std::vector<uint64_t> consumed;  ///< Zeros.
    std::vector<uint64_t> sent;
  };

  void publish_neighbours();
  bool blocked() const;

  SyncTable& table_;
  Executor& executor_;
  std::vector<int32_t> inbound_;  ///< Positions of the decoder's channels.
  BlobDecoder decoder_;
  BlobEncoder encoder_;
  RowWriter rows_;
  std::vector<Neighbour> neighbours_;
  uint64_t last_ = 0;
};

}  // namespace fabrictwin
