// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The clocks of a thread.
#pragma once

#include <cstdint>
#include <ctime>

#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#endif

namespace fabrictwin::recorder {

/// The source of a CallClock on Linux. The thread's area for restartable sequences, which glibc registers, shows
/// whether it has left its processor: when the kernel schedules the thread again outside of such a sequence, it clears
/// the pointer to the sequence. Without such an area every interval counts as disturbed.
class ThreadTime {
 public:
  static int64_t now() { return read(CLOCK_MONOTONIC); }
  static int64_t cpu() { return read(CLOCK_THREAD_CPUTIME_ID); }
  static void mark();
  static bool undisturbed();

 private:
  static int64_t read(clockid_t clock) {
    timespec time;
    clock_gettime(clock, &time);
    return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  }
};

#ifdef RSEQ_SIG

/// The abort address of the sequence; the kernel requires the signature before it.
struct RseqAbort {
  uint32_t signature = RSEQ_SIG;
  uint32_t code = 0;
};
inline const RseqAbort kRseqAbort;
/// A sequence of no instructions, so a thread is never inside.
inline const rseq_cs kEmptySequence{.start_ip = reinterpret_cast<uintptr_t>(&kRseqAbort.code),
                                    .abort_ip = reinterpret_cast<uintptr_t>(&kRseqAbort.code)};

inline rseq* rseq_area() {
  return reinterpret_cast<rseq*>(static_cast<char*>(__builtin_thread_pointer()) + __rseq_offset);
}

inline void ThreadTime::mark() {
  if (__rseq_size != 0) const_cast<volatile rseq*>(rseq_area())->rseq_cs = reinterpret_cast<uintptr_t>(&kEmptySequence);
}

inline bool ThreadTime::undisturbed() {
  return __rseq_size != 0 &&
         const_cast<volatile rseq*>(rseq_area())->rseq_cs == reinterpret_cast<uintptr_t>(&kEmptySequence);
}

#else

inline void ThreadTime::mark() {}
inline bool ThreadTime::undisturbed() { return false; }

#endif

}  // namespace fabrictwin::recorder
