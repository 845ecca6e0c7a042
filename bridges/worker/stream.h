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
#include "bridges/protocol/blob_decoder.h"
#include "bridges/protocol/blob_encoder.h"
#include "bridges/protocol/sync_rows.h"
#include "cosim/engine/executor.h"
#include "cosim/run/run_memory.h"
#include "cosim/system/plan.h"
#include "fabrictwin/v1/bridge.pb.h"

namespace fabrictwin::bridges::worker {

/// Turns each request of a Run stream into its response. Used by one thread at a time.
class Stream {
 public:
  /// All arguments must outlive the stream.
  Stream(const system::Plan& plan, int32_t place, run::RunMemory& memory, engine::Executor& executor);

  /// Takes the records of `request` (its blob is moved out), simulates as far as they allow, and fills `response` with
  /// the results. Errors: a request out of order or with invalid records (DataLoss), and those of partitions.
  absl::Status answer(v1::RunRequest& request, v1::RunResponse& response);

 private:
  /// A partition at another place that sends to this one.
  struct Neighbour {
    int32_t partition = 0;
    std::vector<std::pair<size_t, int32_t>>
        channels;                    ///< Index in the decoder, index among the neighbour's outbound channels.
    std::vector<uint64_t> consumed;  ///< All zero.
    std::vector<uint64_t> sent;
  };

  void publish_neighbours();
  bool blocked() const;

  engine::SyncTable& table_;
  engine::Executor& executor_;
  std::vector<int32_t> inbound_;  ///< For each channel of the decoder, its index in the sync table.
  protocol::BlobDecoder decoder_;
  protocol::BlobEncoder encoder_;
  protocol::RowWriter rows_;
  std::vector<Neighbour> neighbours_;
  uint64_t last_ = 0;
};

}  // namespace fabrictwin::bridges::worker
