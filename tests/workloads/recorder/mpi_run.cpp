// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/workloads/recorder/mpi_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ostream>

#include "cosim/base/text.h"

namespace fabrictwin {
namespace {

std::string spell_counts(trace::format::CountForm form, uint64_t one, const std::vector<uint64_t>& each) {
  if (form == trace::format::CountForm::kOne) return fmt::format(" {}", one);
  if (form == trace::format::CountForm::kEachRank) return fmt::format(" {}", fmt::join(each, ","));
  if (form == trace::format::CountForm::kListed) return fmt::format(" {}: {}", one, fmt::join(each, ","));
  return "";
}

std::string spell_datatype(v1::TraceDatatype datatype) { return " " + to_lower(v1::TraceDatatype_Name(datatype)); }

}  // namespace

std::vector<MpiLibrary> mpi_libraries() {
  return {
#ifdef RECORDER_OPENMPI_RUN
      {"openmpi", RECORDER_OPENMPI_RUN, RECORDER_OPENMPI_LIBRARY, RECORDER_OPENMPI_PROGRAM, {RECORDER_OPENMPI_FORTRAN}},
#endif
#ifdef RECORDER_MPICH_RUN
      {"mpich", RECORDER_MPICH_RUN, RECORDER_MPICH_LIBRARY, RECORDER_MPICH_PROGRAM, {RECORDER_MPICH_FORTRAN}},
#endif
  };
}

void PrintTo(const MpiLibrary& mpi, std::ostream* out) { *out << mpi.name; }

CliResult run_mpi(const MpiLibrary& mpi, int ranks, const std::vector<std::string>& words, const std::string& recorder,
                  const std::string& trace) {
  // A library that hangs must not stay.
  std::vector<std::string> all = {"timeout", "120", mpi.run, "-n", std::to_string(ranks)};
  // Where there is no /sys, the libraries that both use complain of it.
  std::vector<std::string> environment = {"FABRICTWIN_TRACE=" + trace, "NO_COLOR=1", "HWLOC_HIDE_ERRORS=2"};
  if (mpi.name == "openmpi") {
    all.insert(all.end(), {"--oversubscribe", "-x", "LD_PRELOAD=" + recorder});
    // As root, and on this machine only.
    for (const char* variable :
         {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "OMPI_MCA_btl=self,vader",
          "OMPI_MCA_oob_tcp_if_include=lo", "OMPI_MCA_orte_base_help_aggregate=0"}) {
      environment.push_back(variable);
    }
  } else {
    all.insert(all.end(), {"-launcher", "fork", "-genv", "LD_PRELOAD", recorder});
  }
  all.insert(all.end(), words.begin(), words.end());
  return run_process(all, environment);
}

std::string spell(const trace::format::Event& event) {
  const trace::format::ActionShape& shape = trace::format::action_shape(event.action);
  std::string text(shape.name);
  if (shape.peers >= 1) text += fmt::format(" {}", event.peer);
  if (shape.tag) text += fmt::format(" tag {}", event.tag);
  text += spell_counts(shape.sent, event.count, event.send_counts);
  if (shape.datatypes >= 1) text += spell_datatype(event.datatype);
  text += spell_counts(shape.received, event.receive_count, event.receive_counts);
  if (shape.datatypes >= 2) text += spell_datatype(event.receive_datatype);
  if (event.communicator != 0) text += fmt::format(" @{}", event.communicator);
  return text;
}

SpelledTrace spell_trace(const std::string& path) {
  const absl::StatusOr<Program> program = read_trace_bytes(read_file(path));
  if (!program.ok()) {
    ADD_FAILURE() << path << ": " << program.status();
    return {};
  }
  SpelledTrace spelled;
  for (const std::vector<trace::format::Event>& events : *program) {
    std::vector<std::string>& lines = spelled.emplace_back();
    EXPECT_GE(events.size(), 2u);
    EXPECT_EQ(events.front().action, v1::INIT);
    for (const trace::format::Event& event : events) {
      if (event.action != v1::COMPUTE && event.action != v1::INIT) lines.push_back(spell(event));
    }
    EXPECT_EQ(lines.back(), "finalize");
    lines.pop_back();
  }
  return spelled;
}

void expect_replay(const std::string& trace) {
  const CliResult replay = run_cli({"run", "workloads/experiments/all-model.textproto", "--quiet", "--json", "--set",
                                    "workload.mpi_trace.path=" + std::filesystem::absolute(trace).string()});
  EXPECT_EQ(replay.exit_code, 0) << replay.err;
  EXPECT_NE(replay.out.find("\"complete\":true"), std::string::npos) << replay.out;
}

SpelledTrace record_program(const MpiLibrary& mpi, int ranks, const std::vector<std::string>& arguments) {
  const TestFolder folder;
  std::vector<std::string> words = {mpi.program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const std::string trace = folder.file("run.fttrace");
  const CliResult result = run_mpi(mpi, ranks, words, mpi.library, trace);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  // Nothing else is left.
  EXPECT_FALSE(std::filesystem::exists(trace + ".parts"));
  const CliResult check = run_cli({"trace", "check", trace});
  EXPECT_EQ(check.exit_code, 0) << check.err;
  expect_replay(trace);
  return spell_trace(trace);
}

}  // namespace fabrictwin
