// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The outstanding requests of a rank.
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/recorder/handle_table.h"

namespace fabrictwin::recorder {

/// Maps handles to starts of requests. A library may reuse a handle for several completed requests, so a handle has a
/// queue of them. Starts are numbered from 1; 0 is a request that moves nothing (its peer is MPI_PROC_NULL). Not
/// thread-safe.
class RequestTable {
 public:
  void add(uint64_t handle, uint64_t start) {
    const uint32_t node = new_node(start);
    Queue& queue = queues_[handle];
    if (queue.tail != 0) {
      nodes_[queue.tail].next = node;
    } else {
      queue.head = node;
    }
    queue.tail = node;
  }
  /// Removes the oldest start of `handle`; false if there is none.
  bool take(uint64_t handle, uint64_t& start) {
    Queue* const queue = queues_.find(handle);
    if (queue == nullptr) return false;
    const uint32_t node = queue->head;
    start = nodes_[node].start;
    queue->head = nodes_[node].next;
    nodes_[node].next = free_;
    free_ = node;
    if (queue->head == 0) queues_.erase(handle);
    return true;
  }

 private:
  struct Queue {
    uint32_t head = 0;
    uint32_t tail = 0;
  };
  struct Node {
    uint64_t start = 0;
    uint32_t next = 0;
  };

  uint32_t new_node(uint64_t start) {
    if (free_ == 0) {
      nodes_.push_back({.start = start});
      return static_cast<uint32_t>(nodes_.size() - 1);
    }
    const uint32_t node = free_;
    free_ = nodes_[node].next;
    nodes_[node] = {.start = start};
    return node;
  }

  HandleTable<Queue> queues_;
  std::vector<Node> nodes_ = std::vector<Node>(1);  ///< The first is unused: 0 ends a queue.
  uint32_t free_ = 0;
};

}  // namespace fabrictwin::recorder
