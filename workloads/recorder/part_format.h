// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The part of a recording that one rank writes: a page with a PartHeader, then events, one after the other. Written
// through a mapping of the file, so that what a rank has done is in the file even if the rank is killed.
//
// An event is one byte with its TraceAction, then its values in the order of TraceColumns in trace.proto: communicator,
// peers (zigzag), tag (zigzag), counts, datatypes (a byte each), duration in nanoseconds; numbers are protobuf varints.
// Included by the recorder, which must not know protobuf, and by the reader of parts.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fabrictwin::recorder {

/// The TraceActions that are recorded, with their numbers.
enum class Action : uint8_t {
  kInit = 1,
  kFinalize = 2,
  kCompute = 3,
  kSend = 4,
  kIsend = 5,
  kRecv = 6,
  kIrecv = 7,
  kWaitall = 10,
  kBarrier = 12,
  kBcast = 13,
  kReduce = 14,
  kAllreduce = 15,
  kScan = 16,
  kExscan = 17,
  kAllgather = 18,
  kAllgatherv = 19,
  kAlltoall = 20,
  kAlltoallv = 21,
  kGather = 22,
  kGatherv = 23,
  kScatter = 24,
  kScatterv = 25,
  kReduceScatter = 26,
  kCommCreate = 27,
  kCommFree = 28,
  kSsend = 29,
  kIssend = 30,
  kBsend = 31,
  kIbsend = 32,
  kProbe = 33,
  kWait = 34,
  kIbarrier = 35,
  kIbcast = 36,
  kIreduce = 37,
  kIallreduce = 38,
  kIscan = 39,
  kIexscan = 40,
  kIallgather = 41,
  kIallgatherv = 42,
  kIalltoall = 43,
  kIalltoallv = 44,
  kIgather = 45,
  kIgatherv = 46,
  kIscatter = 47,
  kIscatterv = 48,
  kIreduceScatter = 49,
};

/// Whether the action is a collective that starts a request.
inline bool is_nonblocking_collective(Action action) { return action >= Action::kIbarrier; }

/// The TraceDatatypes, with their numbers.
enum class Datatype : uint8_t {
  kByte = 0,
  kChar = 1,
  kShort = 2,
  kInt = 3,
  kUnsigned = 4,
  kLong = 5,
  kUnsignedLong = 6,
  kLongLong = 7,
  kFloat = 8,
  kDouble = 9,
};

/// The largest number of a communicator.
inline constexpr uint32_t kHighestCommunicator = 2047;

inline constexpr char kPartMagic[8] = {'F', 'T', 'P', 'A', 'R', 'T', '1', '\n'};
/// Offset of the events in the file.
inline constexpr uint64_t kPartEvents = 4096;

enum class PartState : uint32_t {
  kRunning = 0,    ///< Has not ended, or ended without MPI_Finalize.
  kFinalized = 1,  ///< Complete.
  kAborted = 2,    ///< Called MPI_Abort.
  kRefused = 3,    ///< Did what a trace cannot express; nothing is recorded after it.
  kFailed = 4,     ///< The part could not be written any more.
};

/// The first page of a part. Integers have the machine's byte order, as the reader runs on the same kind of machine.
struct PartHeader {
  char magic[8];
  uint64_t run;  ///< Equal in all parts of a run, different in other runs.
  uint32_t rank;
  uint32_t ranks;
  PartState state;
  int32_t abort_code;  ///< Argument of MPI_Abort.
  uint64_t events;
  uint64_t bytes;  ///< Bytes of complete events.
  char application[256];
  char library[256];  ///< Name of the MPI library.
  char reason[512];   ///< The reason for kRefused or kFailed.
  char remark[256];   ///< A remark to the user on this rank: "reads or writes files".
};
static_assert(sizeof(PartHeader) <= kPartEvents);

}  // namespace fabrictwin::recorder
