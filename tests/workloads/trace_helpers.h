// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What tests of traces share.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/test_folder.h"
#include "workloads/trace/format/reader.h"
#include "workloads/trace/format/writer.h"

namespace fabrictwin {

/// The events of each rank.
using Program = std::vector<std::vector<trace::format::Event>>;

/// Writes a trace; rank by rank.
inline absl::Status write_trace(const std::string& path, const Program& program) {
  trace::format::Info info;
  info.ranks = static_cast<uint32_t>(program.size());
  info.application = "test";
  auto writer = trace::format::Writer::create(path, info);
  if (!writer.ok()) return writer.status();
  for (uint32_t rank = 0; rank < program.size(); ++rank) {
    for (const trace::format::Event& event : program[rank]) {
      if (absl::Status status = (*writer)->append(rank, event); !status.ok()) return status;
    }
  }
  return (*writer)->finish();
}

/// Reads all events of a trace.
inline absl::StatusOr<Program> read_trace(const std::shared_ptr<const trace::format::Reader>& reader) {
  Program program(reader->ranks());
  for (uint32_t rank = 0; rank < reader->ranks(); ++rank) {
    trace::format::RankCursor cursor(reader, rank);
    while (true) {
      auto event = cursor.next();
      if (!event.ok()) return event.status();
      if (!event->has_value()) break;
      program[rank].push_back(**event);
    }
  }
  return program;
}

inline absl::StatusOr<Program> read_trace_bytes(std::string bytes) {
  auto reader = trace::format::Reader::open(trace::format::make_memory_source(std::move(bytes), "memory"));
  if (!reader.ok()) return reader.status();
  return read_trace(*reader);
}

inline trace::format::Event event_of(v1::TraceAction action) {
  trace::format::Event event;
  event.action = action;
  return event;
}
inline trace::format::Event compute_for(Time duration) {
  trace::format::Event event = event_of(v1::COMPUTE);
  event.duration = duration;
  return event;
}
/// SEND, ISEND, RECV, IRECV of `bytes` bytes, or a wait.
inline trace::format::Event message(v1::TraceAction action, int32_t peer, int32_t tag, uint64_t bytes = 0) {
  trace::format::Event event = event_of(action);
  event.peer = peer;
  event.tag = tag;
  event.count = bytes;
  return event;
}
/// A collective of `count` elements of `datatype` with `root`.
inline trace::format::Event collective(v1::TraceAction action, uint64_t count, v1::TraceDatatype datatype = v1::BYTE,
                                       int32_t root = 0) {
  trace::format::Event event = event_of(action);
  event.count = count;
  event.receive_count = count;
  event.datatype = datatype;
  event.receive_datatype = datatype;
  event.peer = root;
  return event;
}
/// A COMM_CREATE.
inline trace::format::Event make_communicator(uint64_t number, std::vector<uint64_t> members) {
  trace::format::Event event = event_of(v1::COMM_CREATE);
  event.count = number;
  event.send_counts = std::move(members);
  return event;
}
/// Puts an event on a communicator.
inline trace::format::Event in(uint32_t communicator, trace::format::Event event) {
  event.communicator = communicator;
  return event;
}
/// A wait for the request after which so many others were started.
inline trace::format::Event wait_after(uint64_t others) {
  trace::format::Event event = event_of(v1::WAIT);
  event.count = others;
  return event;
}

}  // namespace fabrictwin
