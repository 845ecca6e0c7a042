// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The operations of one rank of a GOAL schedule.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "workloads/trace/format/event.h"

namespace fabrictwin::trace::goal {

/// Collects operations and their dependencies, and puts them into an order. Not thread-safe.
class Schedule {
 public:
  /// Adds an ISEND, IRECV or COMPUTE; false if the label is in use. The label may be empty.
  bool add(const std::string& label, format::Event event);
  /// Makes `label` wait for `other`, or only for its start; false if one of them does not exist.
  bool require(const std::string& label, const std::string& other, bool start_only);

  /// The calls of `rank`, from init to finalize, with waits. False if operations wait for each other in a cycle; sets
  /// `circle` to a label of it.
  bool order(int32_t rank, std::vector<format::Event>& events, std::string& circle) const;

 private:
  struct Dependency {
    uint32_t operation = 0;
    bool start_only = false;
  };
  struct Operation {
    format::Event event;
    std::vector<Dependency> before;
  };

  std::unordered_map<std::string, uint32_t> labels_;
  std::vector<std::string> names_;
  std::vector<Operation> operations_;
};

}  // namespace fabrictwin::trace::goal
