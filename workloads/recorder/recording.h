// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What is recorded of this process.
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

/// The recording of one rank. Only the thread that is between enter() and leave() may use it; a second one that comes
/// meanwhile ends the recording. Whatever happens here, the application's calls go on: what a trace cannot hold ends
/// the recording of this rank (refuse()), and communicators are still followed, since their numbers are agreed upon by
/// all ranks.
class Recording {
 public:
  /// The recording of this process; nullptr outside of MPI, and where it could not begin.
  static Recording* get();

  /// After MPI has been initialised, on all ranks: begins. Says on stderr why if it cannot.
  static void start(int thread_level);
  /// In MPI_Finalize, on all ranks, before the library's: ends the part of this rank.
  void finish();
  /// After the library's MPI_Finalize: rank 0 has the parts made one file.
  void assemble();
  /// In MPI_Abort.
  void abort(int code);

  /// At the begin of a call of MPI; false if nothing may be recorded of it.
  bool enter(const char* call);
  /// At its end, with what it returns; only if enter() was true.
  void leave(const char* call, int code);

  /// Ends the recording of this rank, saying so on stderr. From any thread.
  void refuse(const char* reason);
  /// What `call` does cannot be in a trace.
  void refuse_call(const char* call, const char* why);
  /// What the user should know of this rank; the first remark stays. From any thread.
  void remark(const char* text);
  /// `call`, a PMPI_... that no wrapper sees, is called: by a wrapper, which has recorded it, or by the program or a
  /// tool, which is remarked. From any thread.
  void passed_by(const char* call) {
    if (!inside_.load(std::memory_order_relaxed) && !remarked_.load(std::memory_order_relaxed)) [[unlikely]]
      remark_passed_by(call);
  }

  /// Writes an event: `encode` is given an EventEncoder with room for that many numbers and bytes.
  template <typename Encode>
  void write(Action action, size_t numbers, size_t bytes, const Encode& encode) {
    uint8_t* const room = make_room(1 + numbers * EventEncoder::kNumber + bytes);
    if (room == nullptr) [[unlikely]]
      return;
    EventEncoder encoder(room, action);
    encode(encoder);
    part_.commit(encoder.end());
  }

  /// The number of the request that is started now.
  uint64_t start_request() {
    ++outstanding_;
    return ++started_;
  }
  /// Writes that the request with that number has been waited for; nothing for 0.
  void waited(uint64_t start) {
    if (start == 0) return;
    --outstanding_;
    write(Action::kWait, 1, 0, [&](EventEncoder& event) { event.number(started_ - start); });
  }
  /// Several, in this order.
  void waited_all(const std::vector<uint64_t>& starts);

  /// nullptr, and the end of the recording, if nothing is known of it.
  const Communicator* communicator(MPI_Comm comm);
  CommunicatorTable& communicators() { return communicators_; }
  DatatypeTable& datatypes() { return datatypes_; }
  RequestTable& requests() { return requests_; }

  /// Sends and receives that are started again and again.
  struct Persistent {
    Action action = Action::kIsend;
    uint32_t communicator = 0;
    int32_t peer = 0;
    int32_t tag = 0;
    uint64_t count = 0;
    Datatype datatype = Datatype::kByte;
    bool nothing = false;  ///< To or from MPI_PROC_NULL.
    uint64_t start = 0;    ///< That has not been waited for; 0 if none.
  };
  HandleTable<Persistent>& persistent() { return persistent_; }

  /// A message that a matched probe has found.
  struct Matched {
    uint32_t communicator = 0;
    int32_t source = 0;
    int32_t tag = 0;
  };
  HandleTable<Matched>& matched() { return matched_; }

  /// Requests may be there that this does not know: those of files.
  void expect_unknown_requests() { unknown_requests_ = true; }
  bool unknown_requests() const { return unknown_requests_; }

  /// For copies of requests.
  std::vector<MPI_Request>& scratch() { return scratch_; }
  /// For numbers of requests.
  std::vector<uint64_t>& starts() { return starts_; }

 private:
  explicit Recording(int thread_level);
  bool begin();
  bool open_part(uint64_t run);
  uint8_t* make_room(size_t bytes);
  void stop(PartState state, const char* reason);
  void say(const char* text) const;
  void overlap(const char* call);
  void remark_passed_by(const char* call);

  PartFile part_;
  std::atomic<bool> stopped_ = false;
  std::atomic<bool> inside_ = false;
  std::atomic<bool> remarked_ = false;
  bool threads_;  ///< Several threads may call MPI at a time.
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
  bool complete_ = false;  ///< Of rank 0: all ranks are.
};

/// What Recording::get() returns.
extern constinit Recording* current_recording;
inline Recording* Recording::get() { return current_recording; }

/// A call of MPI, from the begin of its wrapper to its end.
class Call {
 public:
  explicit Call(const char* name) : name_(name), recording_(Recording::get()) {
    if (recording_ != nullptr && !recording_->enter(name)) recording_ = nullptr;
  }
  /// True if it is recorded.
  explicit operator bool() const { return recording_ != nullptr; }
  Recording& operator*() const { return *recording_; }
  Recording* operator->() const { return recording_; }
  /// The last thing in a wrapper: what the library returned; of a call that started `request`, with its number.
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
