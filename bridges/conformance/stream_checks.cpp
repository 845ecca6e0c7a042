// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/conformance/stream_checks.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "bridges/conformance/records.h"
#include "bridges/conformance/requests.h"
#include "cosim/base/text.h"
#include "fmt/format.h"

namespace fabrictwin::bridges::conformance {
namespace {

using link::Record;
using link::RecordKind;

/// Requests before the rest of a run goes in one, so that it does not take long where a round trip does.
constexpr size_t kMostRequests = 200;
/// Unanswered requests, of which the caller may have eight.
constexpr size_t kWindow = 8;
constexpr int kTrips = 500;

std::string text_of(const grpc::Status& status) {
  return status.ok() ? "OK" : fmt::format("code {}: {}", static_cast<int>(status.error_code()), status.error_message());
}

/// The half of the latency of the shortest link, which takes a place a step of its promises at most.
Time small_step(const ChannelMap& map) {
  Time least = Time::never();
  for (const auto& [id, channel] : map.crossing()) least = std::min(least, channel.latency);
  return Time::from_fs(std::max<int64_t>(1, least.fs() / 2));
}

class Replays {
 public:
  Replays(Place& place, const Expectation& expected, Findings& findings)
      : place_(place),
        expected_(expected),
        findings_(findings),
        inputs_(expected.map, expected.conversation.requests()) {}

  /// Plays the requests and compares what comes. `rests`: nothing is left to do after them.
  void play(const char* check, const std::string& how, const std::vector<v1::RunRequest>& requests,
            const PlayOptions& options = {}, bool rests = false);

  const Inputs& inputs() const { return inputs_; }

 private:
  void check_ending(const Place::Played& played, const std::string& how, const StreamRules& rules);
  void check_counters(const v1::StopResponse& stop, const std::string& how, const StreamRules& rules);

  Place& place_;
  const Expectation& expected_;
  Findings& findings_;
  const Inputs inputs_;
};

void Replays::play(const char* check, const std::string& how, const std::vector<v1::RunRequest>& requests,
                   const PlayOptions& options, bool rests) {
  StreamRules rules(expected_.map, findings_, how);
  const Place::Played played = place_.play(expected_.conversation.configure, requests, rules, options);
  if (!played.status.ok()) return findings_.fail(check, fmt::format("{}: {}", how, message_of(played.status)));
  const std::string difference =
      first_difference(expected_.answers, answers_of(played.conversation, expected_.map), expected_.map);
  if (!played.ended.ok()) {
    findings_.fail(check, fmt::format("{}: the run ends with {}", how, text_of(played.ended)));
  } else {
    findings_.expect(check, difference.empty(), fmt::format("{}: {}", how, difference));
  }
  rules.on_end();
  check_ending(played, how, rules);
  if (rests && played.ended.ok()) rules.on_rest();
}

void Replays::check_ending(const Place::Played& played, const std::string& how, const StreamRules& rules) {
  findings_.expect("half_close", played.ended.ok(),
                   fmt::format("{}: the half-closed stream ends with {}", how, text_of(played.ended)));
  if (!played.stopped.ok()) return findings_.fail("stop", fmt::format("{}: Stop: {}", how, text_of(played.stopped)));
  check_counters(played.conversation.stop, how, rules);
}

void Replays::check_counters(const v1::StopResponse& stop, const std::string& how, const StreamRules& rules) {
  for (const auto& [id, channel] : expected_.map.crossing()) {
    if (channel.inbound) continue;
    const auto counters = std::find_if(stop.channels().begin(), stop.channels().end(),
                                       [number = id](const auto& each) { return each.channel() == number; });
    if (counters == stop.channels().end()) {
      findings_.fail("stop", fmt::format("{}: Stop has no counters of {}", how, describe(channel)));
      continue;
    }
    const StreamRules::Sent sent = rules.sent(id);
    findings_.expect("stop", counters->words() == sent.words && counters->packets() == sent.packets,
                     fmt::format("{}: Stop counts {} words and {} packets of {}, and {} words of {} packets came", how,
                                 counters->words(), counters->packets(), describe(channel), sent.words, sent.packets));
  }
}

/// A place that is asked for its counters while a run goes on.
void ask_metrics(Place& place, const std::string& run_id, Findings& findings) {
  for (const bool only : {false, true}) {
    v1::MetricsRequest request;
    request.set_run_id(run_id);
    request.set_partitions_only(only);
    v1::MetricsResponse response;
    const grpc::Status status = place.calls().metrics(request, response, place.timeout());
    findings.expect("metrics", status.ok(),
                    fmt::format("Metrics during a run{}: {}", only ? " with partitions_only" : "", text_of(status)));
  }
}

/// Records that break one rule, in a run that is right but for them.
class Refusals {
 public:
  Refusals(Place& place, const Expectation& expected, Findings& findings)
      : place_(place), expected_(expected), findings_(findings) {}

  /// Takes the first burst of the conversation as an example. False if there is none.
  bool find_example();
  void run();

 private:
  void refuse(const char* check, const std::string& what, const std::vector<Record>& records, size_t cut = 0);
  /// The example `slots` of the word clock later.
  Record later(int64_t slots) const;

  Place& place_;
  const Expectation& expected_;
  Findings& findings_;
  const Channel* channel_ = nullptr;
  Record example_;
};

bool Refusals::find_example() {
  const Inputs inputs(expected_.map, expected_.conversation.requests());
  for (const Record& record : inputs.records()) {
    channel_ = expected_.map.find(record.channel);
    if (record.kind != RecordKind::kBurst || channel_ == nullptr) continue;
    example_ = record;
    return true;
  }
  return false;
}

Record Refusals::later(int64_t slots) const {
  Record record = example_;
  const int64_t edge = channel_->word_clock.edge_at_or_after(example_.time() - channel_->latency);
  record.set_time(channel_->word_clock.edge(edge + slots) + channel_->latency);
  return record;
}

void Refusals::refuse(const char* check, const std::string& what, const std::vector<Record>& records, size_t cut) {
  if (!findings_.wanted(check)) return;
  v1::RunRequest request;
  std::string& blob = *request.mutable_records();
  Time last;
  for (const Record& record : records) {
    append(record, blob);
    if (record.kind != RecordKind::kEnd) last = std::max(last, record.time());
  }
  for (const auto& [id, channel] : expected_.map.crossing()) {
    if (channel.inbound && id != channel_->id) append(make_promise(id, last + Time::from_us(1)), blob);
  }
  blob.resize(blob.size() - cut);
  // What the rules say of a run that is to be refused is of no interest.
  Findings nobody;
  StreamRules rules(expected_.map, nobody, what);
  const Place::Played played = place_.play(expected_.conversation.configure, {request}, rules);
  if (!played.status.ok()) return findings_.fail(check, fmt::format("{}: {}", what, message_of(played.status)));
  auto code = static_cast<int>(played.ended.error_code());
  for (const StreamMessage& message : played.conversation.messages) {
    const auto* response = std::get_if<v1::RunResponse>(&message);
    if (response != nullptr && response->error_code() != 0) code = response->error_code();
  }
  findings_.expect(check, code == grpc::DATA_LOSS,
                   fmt::format("{}: {}", what,
                               code == grpc::OK ? "it answers as if nothing was wrong"
                                                : fmt::format("the run ends with code {} and not with DATA_LOSS: {}",
                                                              code, played.ended.error_message())));
}

void Refusals::run() {
  const std::string name = describe(*channel_);
  const auto changed = [&](auto change) {
    Record record = later(40);
    change(record);
    return std::vector<Record>{record};
  };
  refuse("refuse.order", fmt::format("{}: a burst that arrives before the one before it", name),
         {later(40), later(20)});
  refuse("refuse.order", fmt::format("{}: a burst that arrives before what was promised", name),
         {make_promise(channel_->id, later(40).time()), later(20)});
  refuse("refuse.channel", fmt::format("a record on channel {}, which begins at the place", channel_->reverse),
         changed([&](Record& record) { record.channel = channel_->reverse; }));
  refuse("refuse.channel", fmt::format("a record on channel {}, which does not exist", UINT32_MAX),
         changed([&](Record& record) { record.channel = UINT32_MAX; }));
  refuse("refuse.kind", fmt::format("{}: a record of kind 77", name),
         changed([&](Record& record) { record.kind = static_cast<RecordKind>(77); }));
  refuse("refuse.content", fmt::format("{}: a record of kind 6 (packet)", name),
         changed([&](Record& record) { record.kind = RecordKind::kPacket; }));
  refuse("refuse.vc", fmt::format("{}: a burst on VC {} of {}", name, channel_->vcs, channel_->vcs),
         changed([&](Record& record) { record.vc = static_cast<uint8_t>(channel_->vcs); }));
  for (const uint8_t count : {uint8_t{0}, uint8_t{4}}) {
    refuse("refuse.count", fmt::format("{}: a burst of {} words", name, count),
           changed([&](Record& record) { record.count = count; }));
  }
  refuse("refuse.credit", fmt::format("{}: a credit of 0", name), changed([&](Record& record) {
           record.kind = RecordKind::kCredit;
           record.count = 0;
         }));
  refuse("refuse.slot", fmt::format("{}: a burst 1 fs off its slot", name),
         changed([&](Record& record) { record.set_time(record.time() + Time::from_fs(1)); }));
  refuse("refuse.end", fmt::format("{}: a burst after an end", name), {make_end(channel_->id), later(40)});
  refuse("refuse.size", fmt::format("{}: records of 63 bytes", name), {later(40)}, 1);
}

}  // namespace

void check_replays(Place& place, const Expectation& expected, Findings& findings) {
  Replays replays(place, expected, findings);
  const Inputs& inputs = replays.inputs();
  const bool rules = findings.wanted_group("stream") || findings.wanted_group("credits") ||
                     findings.wanted_group("promise") || findings.wanted_group("rows");
  if (rules || findings.wanted("replay.at_once") || findings.wanted("half_close") || findings.wanted("stop"))
    replays.play("replay.at_once", "with all records in one request", inputs.at_once(), {}, true);
  if (rules || findings.wanted("replay.one_by_one"))
    replays.play("replay.one_by_one", "with records one by one", inputs.one_by_one(kMostRequests), {}, true);
  if (rules || findings.wanted("replay.creep"))
    replays.play("replay.creep", "with promises in small steps",
                 inputs.creeping(small_step(expected.map), kMostRequests));
  if (findings.wanted("replay.end")) replays.play("replay.end", "with ends", inputs.with_ends());
  if (findings.wanted("hold_back")) {
    replays.play("hold_back", "with eight requests at a time whose answers nobody reads",
                 inputs.one_by_one(kMostRequests), {.ahead = kWindow, .half_way = {}});
  }
  if (!findings.wanted("metrics")) return;
  Findings nobody;
  StreamRules nothing(expected.map, nobody, "");
  (void)place.play(expected.conversation.configure, inputs.one_by_one(2), nothing,
                   {.ahead = 1, .half_way = [&](const std::string& run_id) { ask_metrics(place, run_id, findings); }});
  findings.skip("metrics", "no run came to its middle");
}

void check_refusals(Place& place, const Expectation& expected, Findings& findings) {
  Refusals refusals(place, expected, findings);
  if (refusals.find_example()) return refusals.run();
  for (const CheckKind& kind : all_checks()) {
    if (kind.name.starts_with("refuse.")) findings.skip(kind.name, "nothing was sent to the place");
  }
}

void measure_speed(Place& place, const Expectation& expected, Findings& findings) {
  if (!findings.wanted("speed")) return;
  const Inputs inputs(expected.map, expected.conversation.requests());
  std::vector<v1::RunRequest> trips;
  for (int i = 0; i < kTrips; ++i) {
    v1::RunRequest request;
    for (const uint32_t channel : inputs.channels())
      append(make_promise(channel, Time::from_ns(i)), *request.mutable_records());
    trips.push_back(std::move(request));
  }
  Findings nobody;
  StreamRules nothing(expected.map, nobody, "");
  const Place::Played round = place.play(expected.conversation.configure, trips, nothing);
  StreamRules nothing_else(expected.map, nobody, "");
  const Place::Played whole = place.play(expected.conversation.configure, inputs.at_once(), nothing_else);
  for (const Place::Played* played : {&round, &whole}) {
    if (!played->status.ok()) return findings.fail("speed", std::string(message_of(played->status)));
  }
  size_t records = inputs.records().size();
  for (const auto& [id, log] : answers_of(whole.conversation, expected.map))
    records += log.words.size() + log.credits.size();
  findings.ok("speed", fmt::format("{:.0f} round trips a second; {:.0f} records a second in one request",
                                   kTrips / round.seconds, static_cast<double>(records) / whole.seconds));
}

void check_file(Place& place, const Expectation& expected, Findings& findings) {
  Replays replays(place, expected, findings);
  replays.play("replay.file", "with the requests of the file", expected.conversation.requests());
}

}  // namespace fabrictwin::bridges::conformance
