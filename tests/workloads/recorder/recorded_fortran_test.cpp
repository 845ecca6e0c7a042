// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the recorder writes of Fortran.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "tests/workloads/recorder/mpi_run.h"

namespace fabrictwin {
namespace {

using testing::ElementsAreArray;

std::vector<std::string> expected(int rank) {
  const std::string other = std::to_string(1 - rank);
  std::vector<std::string> lines;
  if (rank == 0) {
    lines = {"send 1 tag 7 3 double", "ssend 1 tag 8 2 int"};
  } else {
    lines = {"recv -1 tag -1 4 double", "recv 0 tag 8 2 int"};
  }
  for (const std::string& line : {"irecv " + other + " tag 9 1 float",
                                  "isend " + other + " tag 9 1 float",
                                  std::string("wait 1"),
                                  std::string("wait 0"),
                                  "irecv " + other + " tag 10 4 double",
                                  "isend " + other + " tag 10 4 double",
                                  std::string("waitall 2"),
                                  "irecv " + other + " tag 11 1 int",
                                  "isend " + other + " tag 11 1 int",
                                  std::string("wait 1"),
                                  std::string("wait 0"),
                                  "irecv " + other + " tag 12 1 char",
                                  "send " + other + " tag 12 1 char",
                                  std::string("wait 0"),
                                  std::string("barrier"),
                                  std::string("bcast 1 5 int"),
                                  std::string("allreduce 2 double"),
                                  std::string("gather 0 2 int 2 int"),
                                  std::string("alltoallv 1,1 float 1,1 float"),
                                  std::string("iallreduce 1 int"),
                                  std::string("wait 0"),
                                  std::string("comm_create 1: 0,1"),
                                  std::string("comm_create 2: 0,1"),
                                  std::string("barrier @2"),
                                  std::string("comm_free 2"),
                                  std::string("comm_free 1")}) {
    lines.push_back(line);
  }
  return lines;
}

using RecordedFortran = RecorderTest;

TEST_P(RecordedFortran, IsRecordedAsCIs) {
  if (GetParam().fortran.empty()) GTEST_SKIP() << "there is no mpifort." << GetParam().name;
  for (const std::string& program : GetParam().fortran) {
    SCOPED_TRACE(program);
    MpiLibrary mpi = GetParam();
    mpi.program = program;
    const SpelledTrace trace = record_program(mpi, 2, {});
    ASSERT_EQ(trace.size(), 2u);
    for (int rank = 0; rank < 2; ++rank) EXPECT_THAT(trace[rank], ElementsAreArray(expected(rank)));
  }
}

// Names of functions of MPI among the dynamic symbols of a library.
std::set<std::string> functions(const std::string& library, const std::string& which) {
  const CliResult symbols = run_process({"nm", "-D", which, library}, {});
  EXPECT_EQ(symbols.exit_code, 0) << symbols.err;
  std::set<std::string> result;
  std::istringstream words(symbols.out);
  for (std::string word; words >> word;) {
    if (word.starts_with("MPI_") || word.starts_with("PMPI_")) result.insert(word.substr(0, word.find('@')));
  }
  return result;
}

// The libraries of a program whose names begin so.
std::vector<std::string> libraries(const std::string& program, const std::string& name) {
  const CliResult list = run_process({"ldd", program}, {});
  EXPECT_EQ(list.exit_code, 0) << list.err;
  std::vector<std::string> result;
  std::istringstream words(list.out);
  for (std::string word; words >> word;) {
    if (word.starts_with("/") && word.find("/" + name) != std::string::npos) result.push_back(word);
  }
  return result;
}

// A function of MPI that has a wrapper must have one by both names, or a binding that calls the other passes it by.
TEST_P(RecordedFortran, ReachesEachWrapper) {
  std::set<std::string> direct;
  std::set<std::string> profiled;
  for (const std::string& name : functions(GetParam().library, "--defined-only")) {
    if (name.starts_with("P")) {
      profiled.insert(name.substr(1));
    } else {
      direct.insert(name);
    }
  }
  EXPECT_GT(direct.size(), 100u);
  EXPECT_EQ(direct, profiled);
}

// Functions that send nothing, or only with what a wrapped function has made before: windows, parts of messages, files,
// communicators between two groups, generalized requests.
bool sends_nothing(std::string_view call) {
  static const std::vector<std::string_view> kBeginnings = {
      "Accumulate",  "Add_error",  "Address",      "Aint_",
      "Alloc_mem",   "Attr_",      "Buffer_",      "Cart_coords",
      "Cart_get",    "Cart_map",   "Cart_rank",    "Cart_shift",
      "Cartdim_get", "Close_port", "Compare_and_", "Dims_create",
      "Err",         "F08_STATUS", "F_STATUS",     "Fetch_and_",
      "File_",       "Finalized",  "Free_mem",     "Get",
      "Graph_get",   "Graph_map",  "Graph_nei",    "Graphdims_",
      "Group_",      "Info_",      "Initialized",  "Intercomm_merge",
      "Is_thread",   "Keyval_",    "Lookup_",      "Message_c2f",
      "Message_f2c", "Op_",        "Open_port",    "Pack",
      "Parrived",    "Pcontrol",   "Pready",       "Publish_",
      "Put",         "Query_",     "Raccumulate",  "Reduce_local",
      "Register_",   "Rget",       "Rput",         "Status_",
      "Topo_test",   "Type_",      "UNWEIGHTED",   "Unpack",
      "Unpublish_",  "WEIGHTS_",   "Wtick",        "Wtime",
      "Comm_c2f",    "Comm_f2c",   "Comm_call_",   "Comm_compare",
      "Comm_get",    "Comm_set",   "Comm_group",   "Comm_rank",
      "Comm_size",   "Comm_test_", "Comm_remote",  "Comm_delete_attr",
      "Win_",        "Session_"};
  static const std::set<std::string_view> kOthers = {
      "Comm_create_errhandler",     "Comm_create_keyval", "Comm_free_keyval", "Dist_graph_neighbors",
      "Dist_graph_neighbors_count", "Grequest_complete",  "Request_c2f",      "Request_f2c",
      "Request_get_status",         "Test_cancelled"};
  if (call.starts_with("Win_allocate") || call == "Win_create" || call == "Win_create_c" ||
      call == "Win_create_dynamic" || call == "Session_init" || call == "File_open")
    return false;
  return kOthers.contains(call) || std::any_of(kBeginnings.begin(), kBeginnings.end(),
                                               [&](std::string_view beginning) { return call.starts_with(beginning); });
}

TEST_P(RecordedFortran, HasAWrapperForAllCallsOfTheBindingsThatCommunicate) {
  if (GetParam().fortran.empty()) GTEST_SKIP() << "there is no mpifort." << GetParam().name;
  const std::set<std::string> wrapped = functions(GetParam().library, "--defined-only");
  const std::vector<std::string> bindings =
      libraries(GetParam().fortran.back(), GetParam().name == "openmpi" ? "libmpi_mpifh" : "libmpichfort");
  ASSERT_EQ(bindings.size(), 1u);
  const std::set<std::string> called = functions(bindings.front(), "--undefined-only");
  EXPECT_GT(called.size(), 300u);
  for (const std::string& name : called) {
    const std::string_view call = std::string_view(name).substr(name.find('_') + 1);
    EXPECT_NE(wrapped.contains(name), sends_nothing(call)) << name;
  }
}

INSTANTIATE_RECORDER_TESTS(RecordedFortran);

}  // namespace
}  // namespace fabrictwin
