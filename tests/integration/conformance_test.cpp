// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// `fabrictwin conformance` on places that are right, and on places with one defect each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/integration/background_process.h"
#include "tests/integration/cli_process.h"
#include "tests/integration/digests.h"
#include "tests/integration/mutant_place.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kExample = "docs/examples/own-worker/";
constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

/// Waits for a socket that somebody is about to make.
void wait_for(const std::string& socket) {
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(socket); })) << socket;
}

struct Told {
  int exit_code = -1;
  std::string err;
  nlohmann::json report;
  /// The first check of this name, or null.
  nlohmann::json check(const std::string& name) const {
    for (const nlohmann::json& check : report["checks"]) {
      if (check["name"] == name) return check;
    }
    return nullptr;
  }
  int count(const std::string& verdict) const {
    int count = 0;
    for (const nlohmann::json& check : report["checks"]) count += check["verdict"] == verdict ? 1 : 0;
    return count;
  }
};

Told conformance_of(const std::string& address, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"conformance", address, "--json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const CliResult result = run_cli(arguments);
  return {result.exit_code, result.err, nlohmann::json::parse(result.out, nullptr, false)};
}

void expect_all_ok(const Told& told) {
  ASSERT_TRUE(told.report.is_object()) << told.err;
  EXPECT_EQ(told.exit_code, 0) << told.report.dump(1);
  EXPECT_EQ(told.report["conforms"], true);
  EXPECT_EQ(told.count("FAILED"), 0) << told.report.dump(1);
  // One of each check but that of files.
  for (const std::string name : {"hello", "run.digest", "rows.next_event", "refuse.slot", "credits.all", "abandoned"})
    EXPECT_EQ(told.check(name)["verdict"], "ok") << name;
  EXPECT_GE(told.count("ok"), 54);
}

TEST(Conformance, OurWorkerConforms) {
  const TestFolder folder;
  const BackgroundProcess worker({cli_binary(), "worker", "--listen", "unix:" + folder.file("w")}, folder.file("log"));
  wait_for(folder.file("w"));
  const Told told = conformance_of("unix:" + folder.file("w"));
  expect_all_ok(told);
  EXPECT_EQ(told.report["kind"], "worker");
  // Two routers in one worker, too.
  EXPECT_GE(told.count("ok"), 80);
}

class BoardConformance : public ::testing::TestWithParam<const char*> {};

TEST_P(BoardConformance, OurBoardsConform) {
  const TestFolder folder;
  const std::string window = folder.file("window");
  const BackgroundProcess board({cli_binary(), "board", GetParam(), "--window", window}, folder.file("board.log"));
  wait_for(window);
  const BackgroundProcess agent({cli_binary(), "board", "--window", window, "--listen", "unix:" + folder.file("a")},
                                folder.file("agent.log"));
  wait_for(folder.file("a"));
  const Told told = conformance_of("unix:" + folder.file("a"));
  expect_all_ok(told);
  EXPECT_EQ(told.report["kind"], "board");
}

INSTANTIATE_TEST_SUITE_P(All, BoardConformance, ::testing::Values("--soft", "--shell"));

/// The example, built from its source alone.
class OwnWorker : public ::testing::Test {
 protected:
  OwnWorker() : worker_({OWN_WORKER, address()}, folder_.file("log")) { wait_for(folder_.file("own")); }
  std::string address() const { return "unix:" + folder_.file("own"); }

  const TestFolder folder_;
  const BackgroundProcess worker_;
};

TEST_F(OwnWorker, ConformsAndGivesTheDigestsOfTheReference) {
  expect_all_ok(conformance_of(address()));
  const std::vector<std::string> experiment{
      "workloads/experiments/uniform.textproto", "--set", "topology.torus.dims=2x2x2", "--set",
      "workload.traffic.duration=5us",           "--set", "workload.traffic.load=0.6"};
  const Digests expected = digests_of(experiment, {});
  EXPECT_GT(expected.packets, 50u);
  EXPECT_EQ(digests_of(experiment, {"router[5]=RTL@" + address()}), expected);
}

TEST_F(OwnWorker, AnswersAsInTheRecordedConversation) {
  const std::string file = kExample + "conversation.jsonl";
  const Told told = conformance_of(address(), {"--replay", file});
  EXPECT_EQ(told.exit_code, 0) << told.report.dump(1);
  EXPECT_EQ(told.check("replay.file")["verdict"], "ok");

  // The same system gives the same conversation but for its names, so the file is not out of date.
  const std::string again = folder_.file("again.jsonl");
  EXPECT_EQ(conformance_of(address(), {"--experiment", kExample + "own-worker.textproto", "--select", "router[1]",
                                       "--only", "run", "--record", again})
                .exit_code,
            0);
  EXPECT_EQ(conformance_of(address(), {"--replay", again}).exit_code, 0);
  const auto partitions_in = [](const std::string& name) {
    std::ifstream lines(name);
    std::string line;
    for (int i = 0; i < 4; ++i) std::getline(lines, line);
    return nlohmann::json::parse(line, nullptr, false)["request"]["partitions"];
  };
  EXPECT_EQ(partitions_in(file), partitions_in(again));
}

TEST_F(OwnWorker, ARecordedConversationThatDiffersSaysWhere) {
  // The first burst of an answer arrives at another time.
  std::string text = read_file(kExample + "conversation.jsonl");
  size_t line = text.find("{\"response\"");
  size_t burst = text.find("\"kind\":\"burst\"", line);
  while (line != std::string::npos && burst > text.find('\n', line)) {
    line = text.find("{\"response\"", line + 1);
    burst = text.find("\"kind\":\"burst\"", line);
  }
  const size_t stamp = text.find("\"stamp_fs\":", burst) + 11;
  ASSERT_TRUE(text[stamp] >= '1' && text[stamp] <= '8');
  ++text[stamp];
  std::ofstream(folder_.file("other.jsonl")) << text;
  const Told told = conformance_of(address(), {"--replay", folder_.file("other.jsonl")});
  EXPECT_EQ(told.exit_code, 1);
  const nlohmann::json check = told.check("replay.file");
  EXPECT_EQ(check["verdict"], "FAILED");
  EXPECT_THAT(std::string(check["text"]), HasSubstr(" (from router[1]."));
  EXPECT_THAT(std::string(check["text"]), HasSubstr("expected "));
}

// Defects, by the check that must find each.

void shift(v1::RunResponse& response, int64_t by, int kind) {
  for_each_record(response, [&](MutantRecord& record) {
    if ((kind == 0 || record.kind == kind) && record.stamp != kNever) record.stamp += by;
  });
}

void each_row(v1::RunResponse& response, const std::function<void(v1::SyncRow&)>& change) {
  for (v1::SyncRow& row : *response.mutable_rows()) change(row);
}

struct Mutant {
  const char* check;  ///< What finds it.
  const char* says;   ///< In its text.
  Defect defect;
  /// What else is asked for, so that the check has something to look at.
  const char* only = nullptr;
};

const grpc::Status kFine = grpc::Status::OK;

/// In answers, but not to the first.
Defect answers(std::function<void(v1::RunResponse&)> change) {
  return {.answer = [change = std::move(change)](int, v1::RunResponse& response) { change(response); }};
}

/// In all runs but the first, which is the one whose answers later ones are compared with.
Defect later_runs(std::function<void(v1::RunResponse&)> change) {
  return {.answer = [change = std::move(change)](int run, v1::RunResponse& response) {
    if (run > 1) change(response);
  }};
}

void drop_credits(v1::RunResponse& response) {
  erase_records(response, [](const MutantRecord& record) { return record.kind == 3; });
}

std::vector<Mutant> mutants() {
  std::vector<Mutant> all;
  const auto add = [&](const char* check, const char* says, Defect defect, const char* only = nullptr) {
    all.push_back({check, says, std::move(defect), only});
  };
  add("hello", "does not name the transport", {.hello = [](grpc::Status status, v1::HelloResponse& response) {
        response.clear_transports();
        return status;
      }});
  add("hello.version", "FAILED_PRECONDITION was expected, and it said: OK",
      {.hello = [](grpc::Status, v1::HelloResponse&) { return kFine; }});
  add("hello.version", "does not name both ranges", {.hello = [](grpc::Status status, v1::HelloResponse&) {
        return status.ok() ? status : grpc::Status(status.error_code(), "another version");
      }});
  add("describe", "neither a worker nor a board",
      {.describe = [](v1::DescribeResponse& response) { response.clear_kind(); }});
  add("describe", "busy with run ghost",
      {.describe = [](v1::DescribeResponse& response) { response.set_run_id("ghost"); }});
  add("configure", "no room",
      {.configure = [](grpc::Status, bool) { return grpc::Status(grpc::INTERNAL, "no room"); }});
  add("configure.implementation", "UNIMPLEMENTED was expected, and it said: OK",
      {.configure = [](grpc::Status, bool) { return kFine; }});
  add("configure.busy", "UNAVAILABLE was expected, and it said: OK",
      {.configure = [](grpc::Status status, bool running) { return running ? kFine : status; }});
  add("configure.again", "OK was expected",
      {.configure = [configured = std::make_shared<int>(0)](grpc::Status status, bool) {
        return ++*configured == 3 ? grpc::Status(grpc::FAILED_PRECONDITION, "there is one") : status;
      }});
  add("describe.busy", "has the run_id \"\"",
      {.describe = [](v1::DescribeResponse& response) { response.clear_run_id(); }});
  add("run_id", "Connect with the run_id", {.connect = [](grpc::Status) { return kFine; }}, "configure.again");
  add("run_id", "Metrics with a run_id", {.metrics = [](grpc::Status, const v1::MetricsRequest&) { return kFine; }});
  add("stop.free", "a second Stop", {.stop = [](grpc::Status, v1::StopResponse&) { return kFine; }});
  add("run", "nothing moved", {.silent_from = 1});
  add("replay.at_once", "hangs: there is no answer within 1000 ms, to request 1 of 1", {.silent_from = 2});
  add("run", "too hot", {.answer = [answers = std::make_shared<int>(0)](int, v1::RunResponse& response) {
        if (++*answers < 4) return;
        response.set_error_code(grpc::INTERNAL);
        response.set_error_message("too hot");
      }});
  // Everything a word later: all is in order, and no time is right.
  add("run.digest", "timing_digest is ", answers([](v1::RunResponse& response) { shift(response, 12'800'000, 0); }));
  add("run.records", "expected a ", answers([](v1::RunResponse& response) { shift(response, 12'800'000, 0); }),
      "run.digest");
  add("stream.answers", "says that request 900 is done",
      answers([](v1::RunResponse& response) { response.set_consumed(900); }));
  add("stream.size", "which is no multiple of 64",
      answers([](v1::RunResponse& response) { response.mutable_records()->append("left"); }));
  add("stream.channel", "the channel ends at the place", answers([](v1::RunResponse& response) {
        for_each_record(response, [](MutantRecord& record) { record.channel ^= record.kind == 3 ? 1 : 0; });
      }));
  add("stream.kind", "a count of 0", answers([](v1::RunResponse& response) {
        for_each_record(response, [](MutantRecord& record) { record.count = record.kind == 3 ? 0 : record.count; });
      }));
  add("stream.order", "the record before was at", later_runs([](v1::RunResponse& response) {
        // The last record of each channel, which is a promise, comes again with an earlier stamp.
        std::map<uint32_t, MutantRecord> last;
        for_each_record(response, [&](MutantRecord& record) { last[record.channel] = record; });
        for (auto& [channel, record] : last) {
          record.stamp -= 1;
          if (record.kind == 1) add_record(response, record);
        }
      }));
  add("stream.promise", "nothing was to come before", later_runs([](v1::RunResponse& response) {
        v1::RunResponse turned;
        for (const bool promises : {true, false}) {
          for_each_record(response, [&](MutantRecord& record) {
            if ((record.kind == 1) == promises) add_record(turned, record);
          });
        }
        response.set_records(turned.records());
      }));
  add("stream.end", "the channel has ended", later_runs([](v1::RunResponse& response) {
        for_each_record(response, [](MutantRecord& record) {
          if (record.kind != 1) return;
          record.kind = 5;
          record.stamp = kNever;
        });
      }));
  add("stream.slots", "no word arrives then", later_runs([](v1::RunResponse& response) { shift(response, 1, 2); }));
  add("stream.framing", "no header, and no packet is under way", later_runs([](v1::RunResponse& response) {
        for_each_record(response, [](MutantRecord& record) {
          if (record.kind == 2) record.flags &= static_cast<uint8_t>(~1u);
        });
      }));
  add("credits.returned", "credits, and words for", later_runs([](v1::RunResponse& response) {
        for_each_record(response, [](MutantRecord& record) { record.count += record.kind == 3 ? 1 : 0; });
      }));
  add("credits.all", "have come back", later_runs(drop_credits));
  add("promise.reach", "promised up to T = ", later_runs([](v1::RunResponse& response) { shift(response, -1, 1); }));
  add("rows.shape", "counts of consumed", later_runs([](v1::RunResponse& response) {
        each_row(response, [](v1::SyncRow& row) { row.mutable_sent()->RemoveLast(); });
      }));
  add("rows.monotone", "is less than in the row before",
      later_runs([now = std::make_shared<int64_t>(kNever / 2)](v1::RunResponse& response) {
        each_row(response, [&](v1::SyncRow& row) { row.set_now_fs(--*now); });
      }));
  add("rows.consumed", "records consumed, and there were", later_runs([](v1::RunResponse& response) {
        each_row(response, [](v1::SyncRow& row) { row.set_consumed(0, row.consumed(0) + 100); });
      }));
  add("rows.sent", "records sent, and there were", later_runs([](v1::RunResponse& response) {
        each_row(response, [](v1::SyncRow& row) { row.set_sent(0, row.sent(0) + 1); });
      }));
  add("rows.now", "it acts no more before", later_runs([](v1::RunResponse& response) {
        each_row(response, [](v1::SyncRow& row) { row.set_now_fs(row.now_fs() + 1'000'000'000); });
      }));
  add("rows.next_event", "it does not act before", later_runs([](v1::RunResponse& response) {
        each_row(response, [](v1::SyncRow& row) { row.set_next_event_fs(kNever); });
      }));
  add("rows.rest", "waits for", later_runs([](v1::RunResponse& response) {
        each_row(response, [](v1::SyncRow& row) { row.set_next_event_fs(row.now_fs()); });
      }));
  add("replay.at_once", "credit ", later_runs(drop_credits));
  add("replay.one_by_one", "credit ", later_runs(drop_credits));
  add("replay.creep", "credit ", later_runs(drop_credits));
  add("replay.end", "credit ", later_runs(drop_credits));
  add("hold_back", "credit ", later_runs(drop_credits));
  for (const char* check : {"refuse.order", "refuse.channel", "refuse.kind", "refuse.content", "refuse.vc",
                            "refuse.count", "refuse.credit", "refuse.slot", "refuse.end", "refuse.size"}) {
    add(check, "it answers as if nothing was wrong", {.swallows = true}, "refuse");
  }
  add("refuse.slot", "ends with code 13 and not with DATA_LOSS", {.ended = [](grpc::Status status) {
        return status.ok() ? status : grpc::Status(grpc::INTERNAL, "something is wrong");
      }});
  add("metrics", "with partitions_only", {.metrics = [](grpc::Status status, const v1::MetricsRequest& request) {
        return request.partitions_only() ? grpc::Status(grpc::UNIMPLEMENTED, "never heard of it") : status;
      }});
  add("half_close", "the half-closed stream ends with",
      {.ended = [](grpc::Status) { return grpc::Status(grpc::CANCELLED, "so soon"); }});
  add("stop", "Stop counts", {.stop = [](grpc::Status status, v1::StopResponse& response) {
        for (v1::ChannelCounters& counters : *response.mutable_channels()) counters.set_words(counters.words() + 1);
        return status;
      }});
  add("stop", "Stop has no counters of", {.stop = [](grpc::Status status, v1::StopResponse& response) {
        response.clear_channels();
        return status;
      }});
  add("abandoned", "busy", {.keeps_runs = true});
  return all;
}

class ConformanceMutants : public ::testing::Test {
 protected:
  ConformanceMutants()
      : worker_({cli_binary(), "worker", "--listen", "unix:" + folder_.file("w")}, folder_.file("log")) {
    wait_for(folder_.file("w"));
  }

  /// What is said of a place with this defect, asked for these checks.
  Told told_of(const Defect& defect, const std::vector<std::string>& only) {
    const std::string address = "unix:" + folder_.file("m");
    const MutantPlace place(address, "unix:" + folder_.file("w"), defect);
    std::vector<std::string> arguments{
        "--experiment", kExample + "own-worker.textproto", "--select", "router[1]", "--timeout", "1s"};
    for (const std::string& check : only) arguments.insert(arguments.end(), {"--only", check});
    return conformance_of(address, arguments);
  }

  const TestFolder folder_;
  const BackgroundProcess worker_;
};

TEST_F(ConformanceMutants, EachDefectIsFoundByItsCheck) {
  std::map<std::string, Told> asked;
  for (const Mutant& mutant : mutants()) {
    SCOPED_TRACE(std::string(mutant.check) + ": " + mutant.says);
    std::vector<std::string> only{mutant.check};
    if (mutant.only != nullptr) only.push_back(mutant.only);
    // All refusals are one conversation.
    const bool shared = mutant.only != nullptr && std::string(mutant.only) == "refuse";
    Told told = shared && asked.contains(mutant.only) ? asked[mutant.only] : told_of(mutant.defect, only);
    if (shared) asked[mutant.only] = told;
    ASSERT_TRUE(told.report.is_object()) << told.err;
    EXPECT_EQ(told.exit_code, 1);
    const nlohmann::json check = told.check(mutant.check);
    ASSERT_TRUE(check.is_object()) << told.report.dump(1);
    EXPECT_EQ(check["verdict"], "FAILED") << check;
    EXPECT_THAT(std::string(check["text"]), HasSubstr(mutant.says));
  }
}

TEST_F(ConformanceMutants, WithoutADefectAllChecksAreOk) {
  const Told told = told_of({}, {});
  expect_all_ok(told);
}

TEST(Conformance, APlaceThatIsNotThereFails) {
  const Told told = conformance_of("unix:/tmp/nobody-listens-here");
  EXPECT_EQ(told.exit_code, 1);
  EXPECT_EQ(told.check("hello")["verdict"], "FAILED");
  EXPECT_THAT(std::string(told.check("hello")["text"]), StartsWith("UNAVAILABLE"));
}

TEST(Conformance, MistakesOfTheCommandLineAreNamed) {
  const std::pair<std::vector<std::string>, const char*> mistakes[] = {
      {{}, "name the place"},
      {{"nonsense"}, "is no address"},
      {{"10.0.0.1:7000"}, "--insecure if everybody in the network is trusted"},
      {{"unix:x", "--only", "refuse.slots"}, "(did you mean \"refuse.slot\"?)"},
      {{"unix:x", "--experiment", "a.textproto"}, "go together"},
      {{"unix:x", "--set", "seed=1"}, "there is none"},
      {{"unix:x", "--timeout", "0s"}, "needs some time to answer"},
      {{"unix:x", "--record", "/no/such/folder/file"}, "/no/such/folder"},
      {{"unix:x", "--replay", "no-such-file"}, "no-such-file"},
      {{"unix:x", "--replay", kExample + "README.md"}, "line 1: no JSON object"},
      {{"unix:x", "--replay", "f", "--record", "g"}, "leave out"},
  };
  for (const auto& [arguments, says] : mistakes) {
    std::vector<std::string> all{"conformance"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const CliResult result = run_cli(all);
    EXPECT_EQ(result.exit_code, 2) << says;
    EXPECT_THAT(result.err, HasSubstr(says));
    EXPECT_EQ(result.out, "");
  }
}

TEST(Conformance, AConversationReplacesNoFileThatTheExperimentReads) {
  const TestFolder folder;
  const std::string hosts = folder.write("hosts.txt", "1\n0\n3\n2\n");
  const std::string text =
      "topology { torus { dims: [2, 2] } }\nworkload { traffic { pattern: PERMUTATION permutation_file: \"hosts.txt\" "
      "load: 0.6 duration: \"800ns\" } }\n";
  const std::string experiment = folder.write("permuted.textproto", text);
  for (const auto& [record, what] : {std::pair<std::string, std::string>{experiment, "the experiment"},
                                     {hosts, "a file that the experiment reads"}}) {
    const CliResult result =
        run_cli({"conformance", "unix:x", "--experiment", experiment, "--select", "router[1]", "--record", record});
    EXPECT_EQ(result.exit_code, 2) << what;
    EXPECT_THAT(result.err, HasSubstr("--record " + record + " would replace " + what + "; name another file"));
  }
  EXPECT_EQ(read_file(experiment), text);
  EXPECT_EQ(read_file(hosts), "1\n0\n3\n2\n");
}

TEST(Conformance, ListsItsChecks) {
  const CliResult result = run_cli({"conformance", "--list"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out,
              HasSubstr("promise.reach            An answer promises at least T + latency on each channel (4)"));
}

}  // namespace
}  // namespace fabrictwin
