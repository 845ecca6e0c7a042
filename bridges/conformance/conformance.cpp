// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/conformance/conformance.h"

#include <algorithm>
#include <utility>

#include "bridges/conformance/call_checks.h"
#include "bridges/conformance/place.h"
#include "bridges/conformance/real_run.h"
#include "bridges/conformance/stream_checks.h"
#include "cosim/base/text.h"
#include "fmt/format.h"

namespace fabrictwin::bridges::conformance {
namespace {

constexpr const char* kFile = "conformance.textproto";

constexpr const char* kExanet = R"(
topology { torus { dims: [2, 2] } }
workload { traffic { pattern: UNIFORM load: 0.3 duration: "5us" } }
)";

constexpr const char* kExternal = R"(
topology { torus { dims: [2, 2] link_rate: "5Gbps" tile_rate: "10Gbps" } }
router {
  model: EXTERNAL
  vcs: 4
  buffer_words: 32
  packet_payload: "192B"
  words {
    word_bits: 64
    header { name: DESTINATION lsb: 0 bits: 12 }
    header { name: SOURCE lsb: 12 bits: 12 }
    header { name: PAYLOAD_BYTES lsb: 24 bits: 10 }
    header { name: SEQUENCE lsb: 34 bits: 30 }
  }
}
workload { traffic { pattern: UNIFORM load: 0.3 duration: "10us" } }
)";

/// How a rule for elements at the place begins: the implementation that it can build.
v1::Implementation implementation_of(const Introduction& place) {
  if (place.describe.has_board()) return v1::BOARD;
  const auto& can = place.hello.implementations();
  return std::find(can.begin(), can.end(), v1::RTL) != can.end() ? v1::RTL : v1::MODEL;
}

/// One subject at one place.
class SubjectCheck {
 public:
  SubjectCheck(const Options& options, const Subject& subject, const Introduction& introduction, Place& place)
      : options_(options),
        subject_(subject),
        introduction_(introduction),
        place_(place),
        findings_(options.only),
        implementation_(implementation_of(introduction)) {}

  /// Runs the subject and all checks that need no more than that. `whole` adds those of calls, of refusals and of
  /// speed.
  absl::Status run(bool whole);

  /// The place can build it.
  bool built() const { return built_; }
  const Findings& findings() const { return findings_; }
  /// The run at the place, if it came to its end.
  const std::optional<Conversation>& recorded() const { return recorded_; }

 private:
  /// The run at the place. False if nothing else can be checked.
  absl::StatusOr<bool> run_here();
  absl::Status compare(const std::string& digest);
  v1::ConfigureRequest foreign() const;

  const Options& options_;
  const Subject& subject_;
  const Introduction& introduction_;
  Place& place_;
  Findings findings_;
  const v1::Implementation implementation_;
  bool built_ = false;
  std::string digest_;
  std::optional<Conversation> recorded_;
  std::optional<Conversation> expected_;
};

absl::StatusOr<bool> SubjectCheck::run_here() {
  const absl::StatusOr<RealRun> run =
      run_at(options_, subject_, v1::Implementation_Name(implementation_), options_.address, &findings_);
  if (!run.ok()) {
    if (subject_.asked || absl::IsCancelled(run.status())) return run.status();
    findings_.skip("run", std::string(message_of(run.status())));
    return false;
  }
  const std::string message(message_of(run->status));
  if (!run->began() && !run->status.ok()) {
    // The caller itself has found that the place is of another kind, or the place says that it cannot build it: with
    // another code if it takes the plain form and finds out later.
    const bool other = run->conversation.configure.partitions_size() == 0 || absl::IsUnimplemented(run->status) ||
                       absl::IsInvalidArgument(run->status) || absl::IsFailedPrecondition(run->status);
    if (other && !subject_.asked) {
      findings_.skip("run", message);
      return false;
    }
    findings_.fail("configure", message);
    return false;
  }
  built_ = true;
  findings_.ok("configure");
  findings_.expect("run", run->status.ok(), message);
  if (!run->status.ok()) return true;
  recorded_ = run->conversation;
  digest_ = run->timing_digest;
  return true;
}

absl::Status SubjectCheck::compare(const std::string& digest) {
  if (!recorded_.has_value()) {
    findings_.skip("run.digest", "the run did not come to its end");
    findings_.skip("run.records", "the run did not come to its end");
    return absl::OkStatus();
  }
  findings_.expect("run.digest", digest == digest_,
                   fmt::format("timing_digest is {} with the place, and {} without; run.records says where they part",
                               digest_, digest));
  const absl::StatusOr<ChannelMap> map = ChannelMap::of(recorded_->configure);
  if (!map.ok()) return map.status();
  const std::string difference = first_difference(answers_of(*expected_, *map), answers_of(*recorded_, *map), *map);
  findings_.expect("run.records", difference.empty(), difference);
  return absl::OkStatus();
}

v1::ConfigureRequest SubjectCheck::foreign() const {
  const auto& can = introduction_.hello.implementations();
  for (const v1::Implementation other : {v1::BOARD, v1::RTL, v1::MODEL}) {
    if (std::find(can.begin(), can.end(), other) != can.end()) continue;
    absl::StatusOr<v1::ConfigureRequest> configure =
        configure_for(options_, subject_, v1::Implementation_Name(other), options_.address);
    if (!configure.ok()) continue;
    // A place with a planner goes by the experiment, all others by the plain form: neither knows this.
    for (v1::PartitionConfig& partition : *configure->mutable_partitions()) {
      for (v1::ElementConfig& element : *partition.mutable_elements()) element.set_type("no_such_element");
    }
    return *std::move(configure);
  }
  return {};
}

absl::Status SubjectCheck::run(bool whole) {
  const absl::StatusOr<bool> here = run_here();
  if (!here.ok() || !*here) return here.status();
  const auto& board = introduction_.describe.board();
  const bool exact = !introduction_.describe.has_board() || board.link_kind() == "gated";
  const std::string without =
      fmt::format("the board's clock is {}, so each run has a result of its own", board.link_kind());
  const char* reference = implementation_ == v1::MODEL ? "MODEL" : "RTL";
  absl::StatusOr<RealRun> known = absl::FailedPreconditionError(without);
  if (exact && (findings_.wanted("run.digest") || findings_.wanted("run.records")))
    known = run_at(options_, subject_, reference, "worker:unix", nullptr);
  if (absl::IsCancelled(known.status())) return known.status();
  if (known.ok() && known->status.ok()) {
    expected_ = known->conversation;
    if (absl::Status status = compare(known->timing_digest); !status.ok()) return status;
  } else {
    // Diagnostics are about a rule that the user has not written.
    std::string reason(message_of(known.ok() ? known->status : known.status()));
    reason.resize(std::min(reason.find('\n'), reason.size()));
    if (const size_t at = reason.find("error: "); at != std::string::npos) reason.erase(0, at + 7);
    const std::string why = fmt::format("there is nothing to compare with: {}", reason);
    findings_.skip("run.digest", why);
    findings_.skip("run.records", why);
    expected_ = recorded_;
  }
  if (!expected_.has_value()) return absl::OkStatus();
  // What the place made of its own configuration is what it is asked again.
  Expectation expected{recorded_.has_value() ? *recorded_ : *expected_, {}, {}};
  absl::StatusOr<ChannelMap> map = ChannelMap::of(expected.conversation.configure);
  if (!map.ok()) return map.status();
  expected.map = *std::move(map);
  expected.answers = answers_of(expected.conversation, expected.map);
  if (whole) check_calls(place_, expected.conversation.configure, foreign(), findings_);
  if (options_.stop.stop_requested()) return absl::CancelledError("interrupted");
  if (exact) {
    check_replays(place_, expected, findings_);
  } else {
    for (const CheckKind& kind : all_checks()) {
      if (kind.name.starts_with("replay.") && kind.name != "replay.file") findings_.skip(kind.name, without);
    }
  }
  if (options_.stop.stop_requested()) return absl::CancelledError("interrupted");
  if (!whole) return absl::OkStatus();
  check_refusals(place_, expected, findings_);
  measure_speed(place_, expected, findings_);
  return absl::OkStatus();
}

}  // namespace

std::vector<Subject> usual_subjects() {
  return {{"a router of ExaNet", kExanet, kFile, {}, "router[1]"},
          {"two routers of ExaNet that are linked", kExanet, kFile, {}, "router[0..1]", true},
          {"routers with words of their own", kExternal, kFile, {}, "router[*]", true}};
}

bool Report::failed() const {
  return std::any_of(findings.begin(), findings.end(), [](const SubjectFindings& each) {
    return std::any_of(each.checks.begin(), each.checks.end(),
                       [](const Check& check) { return check.verdict == Verdict::kFailed; });
  });
}

absl::StatusOr<Report> check_place(const Options& options, const std::vector<Subject>& subjects) {
  Report report;
  report.address = options.address;
  Place place(options.address, options.security, options.timeout);
  Findings calls(options.only);
  const absl::StatusOr<Introduction> introduction = check_introduction(place, calls);
  if (!introduction.ok()) {
    report.findings.push_back({"", calls.checks()});
    return report;
  }
  report.hello = introduction->hello;
  report.describe = introduction->describe;
  std::vector<SubjectFindings> all;
  bool any_built = false;
  for (const Subject& subject : subjects) {
    if (subject.several && introduction->describe.has_board()) continue;
    SubjectCheck check(options, subject, *introduction, place);
    if (absl::Status status = check.run(!any_built); !status.ok()) return status;
    any_built = any_built || check.built();
    if (!report.recorded.has_value()) report.recorded = check.recorded();
    all.push_back({subject.name, check.findings().checks()});
  }
  const bool told = std::any_of(all.begin(), all.end(), [](const SubjectFindings& each) {
    return std::any_of(each.checks.begin(), each.checks.end(),
                       [](const Check& check) { return check.verdict == Verdict::kFailed; });
  });
  if (!any_built && !told)
    calls.fail("configure", "it can build none of the systems below, so nothing else can be checked");
  report.findings.push_back({"", calls.checks()});
  std::move(all.begin(), all.end(), std::back_inserter(report.findings));
  return report;
}

absl::StatusOr<Report> replay(const Options& options, const Conversation& conversation) {
  absl::StatusOr<ChannelMap> map = ChannelMap::of(conversation.configure);
  if (!map.ok()) return map.status();
  Report report;
  report.address = options.address;
  Place place(options.address, options.security, options.timeout);
  Findings findings(options.only);
  const absl::StatusOr<Introduction> introduction = check_introduction(place, findings);
  if (introduction.ok()) {
    report.hello = introduction->hello;
    report.describe = introduction->describe;
    Expectation expected{conversation, *std::move(map), {}};
    expected.answers = answers_of(conversation, expected.map);
    check_file(place, expected, findings);
  }
  report.findings.push_back({"", findings.checks()});
  return report;
}

}  // namespace fabrictwin::bridges::conformance
