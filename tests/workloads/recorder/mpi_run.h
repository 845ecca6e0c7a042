// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs MPI programs with the recorder.
#pragma once

#include <string>
#include <vector>

#include "tests/integration/cli_process.h"
#include "tests/workloads/trace_helpers.h"

namespace fabrictwin {

/// An MPI library that there is a recorder for.
struct MpiLibrary {
  std::string name;
  std::string run;                        ///< Its mpirun.
  std::string library;                    ///< Its recorder.
  std::string program;                    ///< Our own programs (programs/main.cpp), built with it.
  std::vector<std::string> fortran = {};  ///< programs/fortran.F90, with each module; empty if it has no compiler.
};

/// Those that are here, at least one.
std::vector<MpiLibrary> mpi_libraries();
void PrintTo(const MpiLibrary& mpi, std::ostream* out);

/// Runs `words` in `ranks` processes with `recorder` preloaded; the trace is `trace`.
CliResult run_mpi(const MpiLibrary& mpi, int ranks, const std::vector<std::string>& words, const std::string& recorder,
                  const std::string& trace);

/// What each rank did, but for its computations, one line for each event: its name, peers, "tag N", counts and
/// datatypes in the order of TraceColumns, "@N" for a communicator that is not the world.
using SpelledTrace = std::vector<std::vector<std::string>>;
std::string spell(const trace::format::Event& event);
/// Without INIT and FINALIZE, which must be where they belong.
SpelledTrace spell_trace(const std::string& path);

/// Replays a trace, which must come to its end.
void expect_replay(const std::string& trace);

/// Runs one of our own programs and returns what it left in the trace.
SpelledTrace record_program(const MpiLibrary& mpi, int ranks, const std::vector<std::string>& arguments);

/// Tests of all libraries: INSTANTIATE_RECORDER_TESTS(Name) after the tests.
class RecorderTest : public testing::TestWithParam<MpiLibrary> {};

#define INSTANTIATE_RECORDER_TESTS(suite)                                  \
  INSTANTIATE_TEST_SUITE_P(Mpi, suite, testing::ValuesIn(mpi_libraries()), \
                           [](const auto& test) { return test.param.name; })

}  // namespace fabrictwin
