// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/otf2/calls.h"

#include <algorithm>
#include <array>

#include "fmt/format.h"

namespace fabrictwin::trace::otf2 {
namespace {

struct Unsupported {
  std::string_view prefix;  // Prefix of the names of calls.
  std::string_view why;
};

constexpr std::string_view kNoForm = "traces have no form for it";
constexpr std::string_view kNoMode = "records of MPI_Start do not tell which mode its requests have";
constexpr std::string_view kUseRecorder = "record the program with libfabrictwin-record.so";

// No record that is read says what these calls do.
constexpr std::array<Unsupported, 10> kUnsupportedCalls = {{{"MPI_File_", kNoForm},
                                                            {"MPI_Win_", kNoForm},
                                                            {"MPI_Put", kNoForm},
                                                            {"MPI_Get_accumulate", kNoForm},
                                                            {"MPI_Accumulate", kNoForm},
                                                            {"MPI_Fetch_and_op", kNoForm},
                                                            {"MPI_Neighbor_", kNoForm},
                                                            {"MPI_Ineighbor_", kNoForm},
                                                            {"MPI_Ssend_init", kNoMode},
                                                            {"MPI_Bsend_init", kNoMode}}};

// Whether a persistent call is one of a collective or of parts of a message: traces can express only those of whole
// messages. Those of the table are known already.
bool is_other_persistent(std::string_view call) {
  static constexpr std::array<std::string_view, 4> kKnown = {"MPI_Send_init", "MPI_Rsend_init", "MPI_Recv_init",
                                                             "MPI_Session_init"};
  return call.starts_with("MPI_") && call.ends_with("_init") &&
         std::find(kKnown.begin(), kKnown.end(), call) == kKnown.end();
}

}  // namespace

std::string why_unsupported(std::string_view call, bool by_eztrace) {
  for (const Unsupported& unsupported : kUnsupportedCalls) {
    if (call.starts_with(unsupported.prefix)) return fmt::format("{} is not supported: {}", call, unsupported.why);
  }
  if (is_other_persistent(call)) return fmt::format("{} is not supported: {}", call, kNoForm);
  if (!by_eztrace) return "";
  if (is_exchange(call))
    return fmt::format("EZTrace does not record what {} sends and receives; {}", call, kUseRecorder);
  if (call == "MPI_Cancel") return fmt::format("EZTrace does not record what {} cancels; {}", call, kUseRecorder);
  if (call.starts_with("mpi_"))
    return fmt::format("EZTrace does not record all of a program in Fortran ({}); {}", call, kUseRecorder);
  return "";
}

std::string why_completion_is_wrong(std::string_view call) {
  if (call == "MPI_Wait" || call == "MPI_Test") return "";
  return fmt::format("EZTrace mixes up what {} completes; {}", call.empty() ? "code outside of MPI" : call,
                     kUseRecorder);
}

bool is_exchange(std::string_view call) { return call == "MPI_Sendrecv" || call == "MPI_Sendrecv_replace"; }

v1::TraceAction sending_action(std::string_view call) {
  if (call == "MPI_Ssend") return v1::SSEND;
  if (call == "MPI_Bsend") return v1::BSEND;
  return v1::SEND;
}

v1::TraceAction starting_action(std::string_view call) {
  if (call == "MPI_Issend") return v1::ISSEND;
  if (call == "MPI_Ibsend") return v1::IBSEND;
  return v1::ISEND;
}

}  // namespace fabrictwin::trace::otf2
