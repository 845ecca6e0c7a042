// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// `fabrictwin trace` as a user calls it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/integration/cli_process.h"
#include "tests/workloads/trace/dumpi/dumpi_text.h"
#include "tests/workloads/trace/otf2/otf2_writer.h"
#include "tests/workloads/trace_helpers.h"

namespace fabrictwin {
namespace {

using testing::HasSubstr;
using testing::Not;

CliResult trace(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "trace");
  return run_cli(arguments, {"NO_COLOR=1"});
}

TEST(TraceCli, AGeneratedRunEqualsTheRecordedOne) {
  TestFolder folder;
  const std::string out = folder.file("x.fttrace");
  CliResult result = trace({"generate", "hpcg", "--ranks", "8", "--local", "16x16x16", "--reference-iterations", "50",
                            "--host", "x86", "--out", out});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("8 ranks"));
  result = trace({"compare", out, "workloads/experiments/data/hpcg-8.fttrace"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("8, 8 equal"));

  // HPCG is not miniFE.
  result = trace({"compare", out, "workloads/experiments/data/minife-8.fttrace"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.out, HasSubstr("rank 0, event 1 "));

  for (const char* application : {"lammps-lj", "lammps-rhodo", "lammps-chain"}) {
    result = trace({"generate", application, "--ranks", "8", "--atoms", "32000", "--steps", "20", "--out", out});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    result = trace({"check", out, "--synchronous"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("ok: 8 ranks"));
  }
}

// The value of a field of a report.
std::string field(const std::string& report, const std::string& name) {
  const size_t at = report.find("\"" + name + "\":");
  return at == std::string::npos ? "" : report.substr(at, report.find(',', at) - at);
}

// What recordings are, recorder_test knows; here is none.
TEST(TraceCli, AssemblesWholeRecordingsOnly) {
  TestFolder folder;
  const std::string out = folder.file("x.fttrace");
  const CliResult result = trace({"assemble", folder.file("nowhere"), "--out", out});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("nowhere/rank-0.part: cannot be read: No such file or directory"));
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(TraceCli, ToolsWorkOnEachOthersResults) {
  TestFolder folder;
  const std::string hpcg = folder.file("hpcg.fttrace");
  ASSERT_EQ(
      trace({"generate", "hpcg", "--ranks", "4", "--local", "8x8x8", "--reference-iterations", "2", "--out", hpcg})
          .exit_code,
      0);
  const auto ok = [](const std::vector<std::string>& arguments) {
    const CliResult result = trace(arguments);
    EXPECT_EQ(result.exit_code, 0) << arguments[0] << ": " << result.err;
  };
  const std::string back = folder.file("back.fttrace");
  ok({"export", hpcg, "--to", "ti", "--out", folder.file("ti")});
  ok({"convert", folder.file("ti"), "--out", back});
  ok({"compare", hpcg, back});
  ok({"export", hpcg, "--to", "goal", "--out", folder.file("goal")});
  ok({"convert", folder.file("goal"), "--out", back});
  ok({"check", back, "--synchronous"});
  ok({"import", "--from", "goal", folder.file("goal/trace.goal"), "--out", back});
  ok({"convert", hpcg, "--out", back});
  ok({"cut", hpcg, "--ranks", "0-1,3", "--collectives", "8:30", "--out", back});
  ok({"check", back});
  ok({"scale", hpcg, "--compute", "0.5", "--sizes", "2", "--out", back});
  ok({"check", back});
  ok({"merge", hpcg, back, "--out", folder.file("both.fttrace")});
  ok({"check", folder.file("both.fttrace")});
  EXPECT_THAT(trace({"stats", folder.file("both.fttrace")}).out, HasSubstr("ranks           8"));
  // Communicators have no form in TI, messages do.
  EXPECT_EQ(trace({"export", folder.file("both.fttrace"), "--to", "ti", "--out", folder.file("no")}).exit_code, 2);
  ok({"export", folder.file("both.fttrace"), "--to", "ti", "--messages", "--out", folder.file("messages")});
  ok({"convert", folder.file("messages"), "--out", back});
  ok({"check", back});
  EXPECT_THAT(trace({"stats", back}).out, Not(HasSubstr("allreduce")));
}

TEST(TraceCli, MinifeTestsForBreakdownWhereItIsTold) {
  TestFolder folder;
  std::vector<std::string> arguments = {"generate", "minife",       "--ranks", "2",     "--global",
                                        "4x4x4",    "--iterations", "3",       "--out", folder.file("without.fttrace")};
  ASSERT_EQ(trace(arguments).exit_code, 0);
  arguments.back() = folder.file("with.fttrace");
  arguments.insert(arguments.end(), {"--breakdown-tests", "2"});
  ASSERT_EQ(trace(arguments).exit_code, 0);
  // Each test is two more allreduces on all ranks.
  const CliResult result = trace({"compare", folder.file("without.fttrace"), folder.file("with.fttrace")});
  EXPECT_EQ(result.exit_code, 3) << result.out;
  EXPECT_THAT(result.out, HasSubstr("events             88 and 92"));
}

TEST(TraceCli, MistakesAreUsageErrorsAndLeaveNothing) {
  TestFolder folder;
  const std::string out = folder.file("x.fttrace");
  const std::string sample = "workloads/experiments/data/hpcg-8.fttrace";
  const std::string broken = folder.write("broken.fttrace", read_file(sample).substr(0, 5000));
  const std::string fifo = folder.file("fifo");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  struct Mistake {
    std::vector<std::string> arguments;
    std::string text;
  };
  const std::vector<Mistake> mistakes = {
      {{"generate", "hpcg", "--ranks", "12", "--local", "16x16x16", "--reference-iterations", "2", "--grid", "3x2x1",
        "--out", out},
       "3x2x1 ranks does not have 12 ranks"},
      {{"generate", "hpcg", "--ranks", "8", "--local", "16x16", "--reference-iterations", "2", "--out", out},
       "--local"},
      {{"generate", "hpcg", "--ranks", "8", "--local", "16x16x16", "--out", out}, "--reference-iterations"},
      {{"generate", "hpcg", "--ranks", "8", "--local", "16x16x16", "--reference-iterations", "2", "--host", "pdp11",
        "--out", out},
       "--host"},
      {{"generate", "hpcg", "--ranks", "-1", "--local", "8x8x8", "--reference-iterations", "2", "--out", out},
       "--ranks: \"-1\" is not a whole number from 0 to 4294967295"},
      {{"generate", "minife", "--ranks", "8", "--global", "8x8x8", "--iterations", "2", "--breakdown-tests", "1,a",
        "--out", out},
       "--breakdown-tests: \"a\" is not a whole number"},
      {{"generate", "lammps-chain", "--ranks", "8", "--atoms", "32000", "--steps", "2", "--rebuild-steps", "0", "--out",
        out},
       "rebuild of neighbour lists"},
      {{"generate", "hpcg", "--ranks", "8", "--local", "16x16x16", "--reference-iterations", "2", "--out",
        folder.file("no/such/folder.fttrace")},
       "cannot be written"},
      {{"check", broken}, "broken.fttrace: is cut off after rank 0, event "},
      {{"cut", sample, "--ranks", "3-1", "--out", out}, "--ranks"},
      {{"cut", sample, "--ranks", "", "--out", out}, "--ranks: name ranks"},
      {{"cut", sample, "--collectives", "5", "--out", out}, "--collectives"},
      {{"cut", sample, "--collectives", "", "--out", out}, "--collectives: name collectives"},
      {{"scale", sample, "--compute", "", "--out", out}, "--compute: give a factor"},
      {{"scale", sample, "--out", folder.file("")}, "is a folder"},
      {{"scale", sample, "--out", fifo}, "is a device or a pipe"},
      {{"merge", broken, sample, "--out", out}, "broken.fttrace"},
      {{"convert", folder.file("none.goal"), "--out", out}, "cannot be opened"},
      {{"export", sample, "--to", "otf2", "--out", folder.file("d")}, "--to"},
      {{"export", broken, "--to", "ti", "--out", folder.file("d")}, "broken.fttrace"},
  };
  for (const Mistake& mistake : mistakes) {
    const CliResult result = trace(mistake.arguments);
    EXPECT_EQ(result.exit_code, 2) << mistake.text << ": " << result.out << result.err;
    EXPECT_THAT(result.err, HasSubstr(mistake.text));
    EXPECT_EQ(result.out, "");
    EXPECT_FALSE(std::filesystem::exists(out)) << mistake.text;
    EXPECT_FALSE(std::filesystem::exists(folder.file("d"))) << mistake.text;
    EXPECT_FALSE(std::filesystem::exists(out + ".part")) << mistake.text;
  }
}

// Communicators, modes and collectives that do not block, from one tool to the next.
TEST(TraceCli, TakesAllCallsThroughTheTools) {
  TestFolder folder;
  const std::string file = folder.file("calls.fttrace");
  Program program(4);
  for (uint64_t rank = 0; rank < 4; ++rank) {
    const int32_t other = static_cast<int32_t>(rank ^ 1);
    program[rank] = {event_of(v1::INIT),
                     make_communicator(1, rank < 2 ? std::vector<uint64_t>{1, 0} : std::vector<uint64_t>{2, 3}),
                     in(1, collective(v1::IALLREDUCE, 4)),
                     message(v1::IRECV, other, 3, 8),
                     message(v1::SSEND, other, 3, 8),
                     wait_after(1),
                     event_of(v1::WAITALL),
                     collective(v1::GATHER, 2, v1::INT, 3),
                     event_of(v1::FINALIZE)};
  }
  ASSERT_TRUE(write_trace(file, program).ok());
  const CliResult check = trace({"check", file});
  EXPECT_EQ(check.exit_code, 0) << check.err;
  EXPECT_THAT(check.out, HasSubstr("4 ranks, 36 events, 4 messages, 3 collectives"));
  EXPECT_THAT(trace({"stats", file}).out, HasSubstr("ssend"));
  const std::string half = folder.file("half.fttrace");
  EXPECT_EQ(trace({"cut", file, "--ranks", "2-3", "--out", half}).exit_code, 0);
  const std::string both = folder.file("both.fttrace");
  EXPECT_EQ(trace({"merge", file, half, "--out", both}).exit_code, 0);
  EXPECT_THAT(trace({"check", both}).out, HasSubstr("6 ranks, 60 events, 6 messages, 5 collectives"));
  const CliResult ti = trace({"export", "--to", "ti", file, "--out", folder.file("ti")});
  EXPECT_EQ(ti.exit_code, 2);
  EXPECT_THAT(ti.err, HasSubstr("rank 0, event 1: a time-independent trace has no form for comm_create"));
  const CliResult goal = trace({"export", "--to", "goal", file, "--out", folder.file("goal")});
  EXPECT_EQ(goal.exit_code, 2);
  EXPECT_THAT(goal.err, HasSubstr("rank 0, event 2: iallreduce goes on while its rank does"));
}

TEST(TraceCli, CheckNamesTheCalls) {
  TestFolder folder;
  const std::string file = folder.file("x.fttrace");
  ASSERT_TRUE(write_trace(file, {{message(v1::RECV, 1, 5, 8), message(v1::SEND, 1, 6, 8)},
                                 {message(v1::RECV, 0, 6, 8), message(v1::SEND, 0, 5, 8)}})
                  .ok());
  const CliResult result = trace({"check", file});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("deadlock: rank 0, event 0 (recv) waits for its receive from rank 1 with tag 5"));
}

// The same program as three recorders would write it: 500 ns, a message of 4096 bytes there and one of 8 back, an
// allreduce of 64 bytes.
TEST(TraceCli, RecordersOfOneProgramGiveOneReplay) {
  TestFolder folder;
  folder.write("ti/trace.index", "a\nb\n");
  folder.write("ti/a", "0 init\n0 compute 500\n0 send 1 7 4096 6\n0 recv 1 8 8 6\n0 allreduce 64 0 6\n0 finalize\n");
  folder.write("ti/b", "1 init\n1 compute 500\n1 recv 0 7 4096 6\n1 send 0 8 8 6\n1 allreduce 64 0 6\n1 finalize\n");

  const std::string anchor = write_otf2(folder.file("otf2"), {}, [](uint32_t rank, Otf2Location& at) {
    at.in("MPI_Init", [] {});
    at.now += 500;
    if (rank == 0) at.in("MPI_Send", [&] { at.send(1, 7, 4096); });
    at.in("MPI_Recv", [&] { at.receive(1 - rank, rank == 0 ? 8 : 7, rank == 0 ? 8 : 4096); });
    if (rank == 1) at.in("MPI_Send", [&] { at.send(0, 8, 8); });
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_ALLREDUCE, 128, 128);
    at.in("MPI_Finalize", [] {});
  });

  const std::string world = "2 (MPI_COMM_WORLD)";
  const std::string bytes = "5 (MPI_BYTE)";
  const std::string sum =
      "int count=64\nMPI_Datatype datatype=5 (MPI_BYTE)\nMPI_Op op=3 (MPI_SUM)\nMPI_Comm comm=" + world + "\n";
  DumpiText first;
  first.call("MPI_Send", DumpiText::message(4096, bytes, "dest", 1, 7, world), 500)
      .call("MPI_Recv", DumpiText::message(8, bytes, "source", 1, 8, world))
      .call("MPI_Allreduce", sum);
  DumpiText second;
  second.call("MPI_Recv", DumpiText::message(4096, bytes, "source", 0, 7, world), 500)
      .call("MPI_Send", DumpiText::message(8, bytes, "dest", 0, 8, world))
      .call("MPI_Allreduce", sum);
  folder.write("dumpi/run-0000.txt", first.finish());
  folder.write("dumpi/run-0001.txt", second.finish());

  const auto replay_of = [&](const std::string& format, const std::string& source) {
    const std::string out = folder.file(format + ".fttrace");
    const CliResult imported = trace({"import", "--from", format, source, "--out", out});
    EXPECT_EQ(imported.exit_code, 0) << imported.err;
    EXPECT_EQ(trace({"convert", source, "--out", folder.file("same.fttrace")}).exit_code, 0);
    EXPECT_EQ(read_file(folder.file("same.fttrace")), read_file(out)) << format;
    EXPECT_EQ(trace({"check", out, "--synchronous"}).exit_code, 0);
    const CliResult result = run_cli({"run", "workloads/experiments/all-model.textproto", "--quiet", "--json", "--set",
                                      "workload.mpi_trace.path=" + out});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return field(result.out, "timing_digest") + field(result.out, "simulated_fs");
  };
  const std::string expected = replay_of("ti", folder.file("ti"));
  EXPECT_THAT(expected, HasSubstr("timing_digest"));
  EXPECT_EQ(replay_of("otf2", anchor), expected);
  EXPECT_EQ(replay_of("dumpi", folder.file("dumpi")), expected);
}

TEST(TraceCli, BadRecordingsOfOtherToolsAreRefused) {
  TestFolder folder;
  const std::string out = folder.file("x.fttrace");
  const std::string anchor = write_otf2(folder.file("otf2"), {}, [](uint32_t rank, Otf2Location& at) {
    if (rank == 1) at.send(9, 0, 1);
  });
  CliResult result = trace({"import", "--from", "otf2", anchor, "--out", out});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("rank 1, record 0 (MpiSend): rank 9"));
  folder.write("dumpi/run-0.txt", DumpiText().call("MPI_Put", "").finish());
  result = trace({"import", "--from", "dumpi", folder.file("dumpi"), "--out", out});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("run-0.txt:5:1: error: MPI_Put: this call is not supported"));
  EXPECT_EQ(trace({"import", "--from", "hdf5", anchor, "--out", out}).exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace fabrictwin
