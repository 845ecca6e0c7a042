// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The recording of this process.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "workloads/recorder/communicator_table.h"
#include "workloads/recorder/datatype_table.h"
#include "workloads/recorder/event_encoder.h"
#include "workloads/recorder/handle_table.h"
#include "workloads/recorder/mpi_library.h"
#include "workloads/recorder/part_file.h"
#include "workloads/recorder/request_table.h"

namespace fabrictwin::recorder {

/// The recording of one rank. Only the thread between enter() and leave() may use it; a second thread in between ends
/// the recording. Whatever happens here, the application's calls proceed: an operation that a trace cannot express ends
/// the recording of this rank (refuse()), but communicators are still followed, since all ranks agree on their numbers.
class Recording {
 public:
  /// The recording of this process; nullptr outside of MPI, or if it could not begin.
  static Recording* get();

  /// Begins the recording after MPI has been initialised, on all ranks. Reports on stderr if it cannot.
  static void start(int thread_level);
  /// Ends the part of this rank, in MPI_Finalize on all ranks, before the library's own.
  void finish();
  /// Assembles the parts into one file on rank 0, after the library's MPI_Finalize.
  void assemble();
  /// Called in MPI_Abort.
  void abort(int code);

  /// Called at the beginning of an MPI call; false if nothing may be recorded of it.
  bool enter(const char* call);
  /// Called at the end of an MPI call with its return code, only if enter() returned true.
  void leave(const char* call, int code);

  /// Ends the recording of this rank and reports it on stderr. Callable from any thread.
  void refuse(const char* reason);
  /// Ends the recording as a trace cannot express what `call` does.
  void refuse_call(const char* call, const char* why);
  /// Adds a remark to the user on this rank; only the first one is kept. Callable from any thread.
  void remark(const char* text);
  /// `call`, a PMPI_... without a wrapper, is called: by a wrapper, which has recorded it, or by the program or a tool,
  /// which adds a remark. Callable from any thread.
  void passed_by(const char* call) {
    if (!inside_.load(std::memory_order_relaxed) && !remarked_.load(std::memory_order_relaxed)) [[unlikely]]
      remark_passed_by(call);
  }

  /// Writes an event: `encode` gets an EventEncoder with space for that many numbers and bytes.
  template <typename Encode>
  void write(Action action, size_t numbers, size_t bytes, const Encode& encode) {
    uint8_t* const space = make_space(1 + numbers * EventEncoder::kNumber + bytes);
    if (space == nullptr) [[unlikely]]
      return;
    EventEncoder encoder(space, action);
    encode(encoder);
    part_.commit(encoder.end());
  }

  /// Returns the number of a request that starts now.
  uint64_t start_request() {
    ++outstanding_;
    return ++started_;
  }
  /// Records that the request with that number has been waited for; does nothing for 0.
  void waited(uint64_t start) {
    if (start == 0) return;
    --outstanding_;
    write(Action::kWait, 1, 0, [&](EventEncoder& event) { event.number(started_ - start); });
  }
  /// Records that several requests have been waited for, in this order.
  void waited_all(const std::vector<uint64_t>& starts);

  /// The communicator; if it is unknown, ends the recording and returns nullptr.
  const Communicator* communicator(MPI_Comm comm);
  CommunicatorTable& communicators() { return communicators_; }
  DatatypeTable& datatypes() { return datatypes_; }
  RequestTable& requests() { return requests_; }

  /// A persistent send or receive.
  struct Persistent {
    Action action = Action::kIsend;
    uint32_t communicator = 0;
    int32_t peer = 0;
    int32_t tag = 0;
    uint64_t count = 0;
    Datatype datatype = Datatype::kByte;
    bool nothing = false;  ///< To or from MPI_PROC_NULL.
    uint64_t start = 0;    ///< The start that has not been waited for; 0 if none.
  };
  HandleTable<Persistent>& persistent() { return persistent_; }

  /// A message that a matched probe has found.
  struct Matched {
    uint32_t communicator = 0;
    int32_t source = 0;
    int32_t tag = 0;
  };
  HandleTable<Matched>& matched() { return matched_; }

  /// Allows requests that this does not know, such as those of files.
  void expect_unknown_requests() { unknown_requests_ = true; }
  bool unknown_requests() const { return unknown_requests_; }

  /// A buffer for copies of requests.
  std::vector<MPI_Request>& scratch() { return scratch_; }
  /// A buffer for numbers of requests.
  std::vector<uint64_t>& starts() { return starts_; }

 private:
  explicit Recording(int thread_level);
  bool begin();
  bool open_part(uint64_t run);
  uint8_t* make_space(size_t bytes);
  void stop(PartState state, const char* reason);
  void say(const char* text) const;
  void overlap(const char* call);
  void remark_passed_by(const char* call);

  PartFile part_;
  std::atomic<bool> stopped_ = false;
  std::atomic<bool> inside_ = false;
  std::atomic<bool> remarked_ = false;
  bool threads_;  ///< Several threads may call MPI concurrently.
  int64_t computed_ = 0;
  uint64_t started_ = 0;
  uint64_t outstanding_ = 0;
  CommunicatorTable communicators_;
  DatatypeTable datatypes_;
  RequestTable requests_;
  HandleTable<Persistent> persistent_;
  HandleTable<Matched> matched_;
  bool unknown_requests_ = false;
  std::vector<MPI_Request> scratch_;
  std::vector<uint64_t> starts_;
  std::string output_;
  int rank_ = 0;
  int ranks_ = 0;
  bool complete_ = false;  ///< On rank 0: all ranks have finalized.
};

/// The value of Recording::get().
extern constinit Recording* current_recording;
inline Recording* Recording::get() { return current_recording; }

/// An MPI call, from the beginning of its wrapper to its end.
class Call {
 public:
  explicit Call(const char* name) : name_(name), recording_(Recording::get()) {
    if (recording_ != nullptr && !recording_->enter(name)) recording_ = nullptr;
  }
  /// True if it is recorded.
  explicit operator bool() const { return recording_ != nullptr; }
  Recording& operator*() const { return *recording_; }
  Recording* operator->() const { return recording_; }
  /// Must be the last call in a wrapper: `code` is what the library returned, `start` the number of the request that
  /// the call started.
  int leave(int code, uint64_t start = 0, const MPI_Request* request = nullptr) const {
    if (recording_ != nullptr) {
      if (request != nullptr && code == MPI_SUCCESS) recording_->requests().add(handle_key(*request), start);
      recording_->leave(name_, code);
    }
    return code;
  }
  const char* name() const { return name_; }

 private:
  const char* name_;
  Recording* recording_;
};

}  // namespace fabrictwin::recorder
