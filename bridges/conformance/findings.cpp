// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/conformance/findings.h"

#include <algorithm>
#include <array>

namespace fabrictwin::bridges::conformance {
namespace {

constexpr std::array kChecks{
    CheckKind{"hello", "2", "Hello names version 1, implementations and the transport STREAM"},
    CheckKind{"hello.version", "2",
              "Hello with versions that the place does not speak fails with FAILED_PRECONDITION and both ranges"},
    CheckKind{"describe", "2", "Describe says what the place is, and that it is free"},
    CheckKind{"configure", "2", "Configure and Connect take a run"},
    CheckKind{"configure.implementation", "bridge.proto, Configure",
              "Configure refuses what the place cannot build with UNIMPLEMENTED"},
    CheckKind{"configure.again", "bridge.proto, Configure", "A second Configure replaces a run that was never begun"},
    CheckKind{"configure.busy", "bridge.proto, Configure",
              "Configure during a run fails with UNAVAILABLE and leaves the run alone"},
    CheckKind{"describe.busy", "2", "Describe names the run that goes on"},
    CheckKind{"run_id", "2", "A call with another run_id fails with FAILED_PRECONDITION"},
    CheckKind{"run", "2", "A run with the place as a part of it comes to its end"},
    CheckKind{"run.digest", "4", "Its digest is that of the same run without the place"},
    CheckKind{"run.records", "4", "Its records are those of the same run without the place"},
    CheckKind{"stream.answers", "5", "Every request is answered, and in turn"},
    CheckKind{"stream.size", "5", "Records are 64 bytes each"},
    CheckKind{"stream.channel", "3", "Records are on channels that begin at the place"},
    CheckKind{"stream.kind", "3", "Kind, VC and count of records are right for their link"},
    CheckKind{"stream.words", "3", "Narrow words have zeros above"},
    CheckKind{"stream.order", "3", "Stamps on a channel never decrease"},
    CheckKind{"stream.promise", "4", "No record comes before what was promised"},
    CheckKind{"stream.end", "3", "Nothing follows an end"},
    CheckKind{"stream.slots", "3", "Words arrive in slots of the word clock, one in each"},
    CheckKind{"stream.framing", "3", "A packet on a VC begins with a header and ends with a footer"},
    CheckKind{"credits.taken", "3", "No word is sent without a credit that has arrived"},
    CheckKind{"credits.returned", "3", "No credit is returned for a word that has not arrived"},
    CheckKind{"credits.all", "3", "All credits come back when the place has passed everything on"},
    CheckKind{"promise.reach", "4", "An answer promises at least T + latency on each channel"},
    CheckKind{"rows.shape", "4", "Rows name a partition of the place and have a count for each of its channels"},
    CheckKind{"rows.monotone", "4", "Counts and now never decrease"},
    CheckKind{"rows.consumed", "4", "A row counts no more records as consumed than were sent"},
    CheckKind{"rows.sent", "4", "A row counts no more records as sent than have come"},
    CheckKind{"rows.now", "4", "Nothing leaves before now"},
    CheckKind{"rows.next_event", "4", "Nothing leaves before next_event but for records that the row does not count"},
    CheckKind{"rows.rest", "4", "With nothing left to do, a row counts all records and waits for ever"},
    CheckKind{"replay.one_by_one", "5", "Records one by one give the same answers"},
    CheckKind{"replay.at_once", "5", "Records in one request give the same answers"},
    CheckKind{"replay.creep", "5", "Promises in small steps give the same answers"},
    CheckKind{"replay.end", "3", "An end instead of the last promise gives the same answers"},
    CheckKind{"hold_back", "5", "Eight requests whose answers nobody reads lose nothing"},
    CheckKind{"refuse.order", "3", "A record out of order ends the run with DATA_LOSS"},
    CheckKind{"refuse.channel", "3", "A record on a channel that is not the caller's ends the run with DATA_LOSS"},
    CheckKind{"refuse.kind", "3", "A record of an unknown kind ends the run with DATA_LOSS"},
    CheckKind{"refuse.content", "3", "A record of a kind that the link does not carry ends the run with DATA_LOSS"},
    CheckKind{"refuse.vc", "3", "A record of a VC that the link does not have ends the run with DATA_LOSS"},
    CheckKind{"refuse.count", "3", "A burst of 0 or 4 words ends the run with DATA_LOSS"},
    CheckKind{"refuse.credit", "3", "A credit of 0 ends the run with DATA_LOSS"},
    CheckKind{"refuse.slot", "3", "A burst off the word clock ends the run with DATA_LOSS"},
    CheckKind{"refuse.end", "3", "A record after an end ends the run with DATA_LOSS"},
    CheckKind{"refuse.size", "5", "Records of less than 64 bytes end the run with DATA_LOSS"},
    CheckKind{"metrics", "2", "Metrics answers during a run, and with partitions_only, too"},
    CheckKind{"half_close", "5", "The stream ends with OK when the caller half-closes it"},
    CheckKind{"stop", "2", "Stop gives the counters of all that was sent"},
    CheckKind{"stop.free", "2", "The place is free after Stop and knows the run no more"},
    CheckKind{"abandoned", "2", "The next Configure replaces what a caller has left behind"},
    CheckKind{"replay.file", "5", "The answers are those of the recorded conversation"},
    CheckKind{"speed", "5", "How fast it answers"},
};

}  // namespace

std::span<const CheckKind> all_checks() { return kChecks; }

const CheckKind* find_check(std::string_view name) {
  const auto* found =
      std::find_if(kChecks.begin(), kChecks.end(), [&](const CheckKind& kind) { return kind.name == name; });
  return found == kChecks.end() ? nullptr : &*found;
}

bool Findings::wanted(std::string_view name) const {
  if (only_.empty()) return true;
  return std::any_of(only_.begin(), only_.end(), [&](const std::string& asked) {
    return name == asked || (name.starts_with(asked) && name[asked.size()] == '.');
  });
}

bool Findings::wanted_group(std::string_view group) const {
  return std::any_of(kChecks.begin(), kChecks.end(), [&](const CheckKind& kind) {
    return kind.name.starts_with(group) && kind.name.substr(group.size()).starts_with('.') && wanted(kind.name);
  });
}

Check* Findings::at(std::string_view name) {
  const CheckKind* kind = find_check(name);
  if (kind == nullptr || !wanted(name)) return nullptr;
  Check& check = checks_[kind->name];
  check.kind = kind;
  return &check;
}

void Findings::ok(std::string_view name, const std::string& text) {
  Check* check = at(name);
  if (check == nullptr) return;
  ++check->looked;
  if (check->verdict == Verdict::kFailed) return;
  check->verdict = Verdict::kOk;
  check->text = text;
}

void Findings::fail(std::string_view name, const std::string& text) {
  Check* check = at(name);
  if (check == nullptr) return;
  ++check->looked;
  if (check->failed++ > 0) return;
  check->verdict = Verdict::kFailed;
  check->text = text;
}

void Findings::skip(std::string_view name, const std::string& why) {
  Check* check = at(name);
  if (check == nullptr || check->looked > 0 || !check->text.empty()) return;
  check->verdict = Verdict::kSkipped;
  check->text = why;
}

void Findings::expect(std::string_view name, bool holds, const std::string& text) {
  if (holds) {
    ok(name);
  } else {
    fail(name, text);
  }
}

std::vector<Check> Findings::checks() const {
  std::vector<Check> result;
  for (const CheckKind& kind : kChecks) {
    if (const auto found = checks_.find(kind.name); found != checks_.end()) result.push_back(found->second);
  }
  return result;
}

bool Findings::any_failed() const {
  return std::any_of(checks_.begin(), checks_.end(), [](const auto& each) { return each.second.failed > 0; });
}

bool Findings::failed(std::string_view name) const {
  const auto found = checks_.find(name);
  return found != checks_.end() && found->second.failed > 0;
}

}  // namespace fabrictwin::bridges::conformance
