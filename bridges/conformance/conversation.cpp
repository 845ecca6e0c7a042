// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/conformance/conversation.h"

#include <google/protobuf/util/json_util.h>

#include <utility>

#include "bridges/conformance/records.h"
#include "cosim/base/text.h"
#include "fmt/format.h"

namespace fabrictwin::bridges::conformance {
namespace {

using nlohmann::ordered_json;

constexpr const char* kFormat = "fabrictwin conversation";
constexpr int kVersion = 1;

/// The JSON form of protobuf.
ordered_json json_of(const google::protobuf::Message& message) {
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  std::string text;
  // Every message has a JSON form.
  (void)google::protobuf::util::MessageToJsonString(message, &text, options);
  return ordered_json::parse(text, nullptr, false);
}

absl::Status parse_message(const ordered_json& json, google::protobuf::Message& message) {
  google::protobuf::util::JsonParseOptions options;
  options.ignore_unknown_fields = true;
  const auto status = google::protobuf::util::JsonStringToMessage(json.dump(), &message, options);
  return status.ok() ? absl::OkStatus() : absl::InvalidArgumentError(std::string(status.message()));
}

/// A message of the stream, its records one by one.
template <class Message>
ordered_json with_records(Message message) {
  ordered_json records = ordered_json::array();
  for (const link::Record& record : records_of(message.records())) records.push_back(record_json(record));
  message.clear_records();
  ordered_json json = json_of(message);
  if (!records.empty()) json["records"] = std::move(records);
  return json;
}

template <class Message>
absl::Status parse_with_records(ordered_json json, Message& message) {
  if (!json.is_object()) return absl::InvalidArgumentError("a message is an object");
  ordered_json records = ordered_json::array();
  if (json.contains("records")) {
    records = std::move(json["records"]);
    json.erase("records");
  }
  if (!records.is_array()) return absl::InvalidArgumentError("records are a list");
  if (absl::Status status = parse_message(json, message); !status.ok()) return status;
  for (const ordered_json& each : records) {
    const absl::StatusOr<link::Record> record = parse_record(each);
    if (!record.ok()) return record.status();
    append(*record, *message.mutable_records());
  }
  return absl::OkStatus();
}

absl::Status parse_call(const ordered_json& line, Conversation& conversation) {
  const ordered_json& call = line["call"];
  const ordered_json request = line.value("request", ordered_json::object());
  const ordered_json response = line.value("response", ordered_json::object());
  if (call == "Hello") return parse_message(response, conversation.hello);
  if (call == "Describe") return parse_message(response, conversation.describe);
  if (call == "Configure") return parse_message(request, conversation.configure);
  if (call == "Stop") return parse_message(response, conversation.stop);
  if (call == "Connect") return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format("there is no call {}", call.dump()));
}

absl::Status parse_line(const ordered_json& line, Conversation& conversation) {
  if (line.contains("call")) return parse_call(line, conversation);
  if (line.contains("request")) {
    v1::RunRequest request;
    if (absl::Status status = parse_with_records(line["request"], request); !status.ok()) return status;
    conversation.messages.emplace_back(std::move(request));
    return absl::OkStatus();
  }
  if (line.contains("response")) {
    v1::RunResponse response;
    if (absl::Status status = parse_with_records(line["response"], response); !status.ok()) return status;
    conversation.messages.emplace_back(std::move(response));
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError("neither a call nor a request or response of the stream");
}

void log_burst(const link::Record& burst, const Channel& channel, ChannelLog& log) {
  const Time leaves = std::max(Time::zero(), burst.time() - channel.latency);
  const int64_t slot = std::max<int64_t>(0, channel.word_clock.edge_at_or_after(leaves) - 1);
  for (int i = 0; i < std::min<int>(burst.count, link::kRecordWords); ++i) {
    const int header = i == 0 ? burst.flags & link::kStartOfPacket : 0;
    const int footer = i + 1 == burst.count ? burst.flags & link::kEndOfPacket : 0;
    // A burst that is off the word clock is off it here, too.
    const Time arrives = i == 0 ? burst.time() : channel.word_clock.edge(slot + i + 1) + channel.latency;
    log.words.push_back({arrives, burst.vc, static_cast<uint8_t>(header | footer), 0, burst.words[i]});
  }
}

std::string text_of(const ChannelLog::Item& item, bool word) {
  if (!word) return fmt::format("a credit of {} on VC {} at {}", item.count, item.vc, describe(item.stamp));
  return fmt::format(
      "a word on VC {}{}{} at {}: {:016x}{:016x}", item.vc, (item.flags & link::kStartOfPacket) != 0 ? ", header," : "",
      (item.flags & link::kEndOfPacket) != 0 ? ", footer," : "", describe(item.stamp), item.word.hi, item.word.lo);
}

struct Difference {
  Time stamp = Time::never();
  std::string text;
};

/// The first difference between two lists, each of which goes as far as its log.
void compare(const std::vector<ChannelLog::Item>& expected, Time expected_until,
             const std::vector<ChannelLog::Item>& came, Time came_until, bool word, const Channel& channel,
             Difference& first) {
  size_t i = 0;
  while (i < expected.size() && i < came.size() && expected[i] == came[i]) ++i;
  const bool both = i < expected.size() && i < came.size();
  const bool missing = !both && i < expected.size() && expected[i].stamp < came_until;
  const bool added = !both && i < came.size() && came[i].stamp < expected_until;
  if (!both && !missing && !added) return;
  const Time stamp = std::min(i < expected.size() ? expected[i].stamp : Time::never(),
                              i < came.size() ? came[i].stamp : Time::never());
  if (stamp >= first.stamp) return;
  first.stamp = stamp;
  const std::string what = word ? "word" : "credit";
  first.text = fmt::format(
      "{}, {} {} of the channel: expected {}, and {} came", describe(channel), what, i,
      i < expected.size() ? text_of(expected[i], word) : fmt::format("none before {}", describe(expected_until)),
      i < came.size() ? text_of(came[i], word) : fmt::format("none before {}", describe(came_until)));
}

}  // namespace

std::vector<v1::RunRequest> Conversation::requests() const {
  std::vector<v1::RunRequest> requests;
  for (const StreamMessage& message : messages) {
    if (const auto* request = std::get_if<v1::RunRequest>(&message)) requests.push_back(*request);
  }
  return requests;
}

std::map<uint32_t, ChannelLog> answers_of(const Conversation& conversation, const ChannelMap& map) {
  std::map<uint32_t, ChannelLog> logs;
  for (const auto& [id, channel] : map.crossing()) {
    if (!channel.inbound) logs[id];
  }
  for (const StreamMessage& message : conversation.messages) {
    const auto* response = std::get_if<v1::RunResponse>(&message);
    if (response == nullptr) continue;
    for (const link::Record& record : records_of(response->records())) {
      const auto log = logs.find(record.channel);
      if (log == logs.end() || !has_plausible_stamp(record)) continue;
      log->second.horizon =
          std::max(log->second.horizon, record.kind == link::RecordKind::kEnd ? Time::never() : record.time());
      if (record.kind == link::RecordKind::kBurst) log_burst(record, *map.find(record.channel), log->second);
      if (record.kind == link::RecordKind::kCredit)
        log->second.credits.push_back({record.time(), record.vc, 0, record.count, {}});
    }
  }
  return logs;
}

std::string first_difference(const std::map<uint32_t, ChannelLog>& expected, const std::map<uint32_t, ChannelLog>& came,
                             const ChannelMap& map) {
  Difference first;
  for (const auto& [id, log] : expected) {
    const auto other = came.find(id);
    const Channel* channel = map.find(id);
    if (other == came.end() || channel == nullptr) continue;
    compare(log.words, log.horizon, other->second.words, other->second.horizon, true, *channel, first);
    compare(log.credits, log.horizon, other->second.credits, other->second.horizon, false, *channel, first);
  }
  return first.text;
}

std::string conversation_text(const Conversation& conversation) {
  std::string text;
  const auto add = [&](const ordered_json& line) {
    text += line.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
  };
  add({{"format", kFormat}, {"version", kVersion}});
  add({{"call", "Hello"}, {"response", json_of(conversation.hello)}});
  add({{"call", "Describe"}, {"response", json_of(conversation.describe)}});
  add({{"call", "Configure"}, {"request", json_of(conversation.configure)}});
  v1::ConnectRequest connect;
  connect.set_run_id(conversation.configure.run_id());
  connect.set_transport(v1::BRIDGE_TRANSPORT_STREAM);
  add({{"call", "Connect"}, {"request", json_of(connect)}});
  for (const StreamMessage& message : conversation.messages) {
    if (const auto* request = std::get_if<v1::RunRequest>(&message)) {
      add({{"request", with_records(*request)}});
    } else {
      add({{"response", with_records(std::get<v1::RunResponse>(message))}});
    }
  }
  add({{"call", "Stop"}, {"response", json_of(conversation.stop)}});
  return text;
}

absl::StatusOr<Conversation> parse_conversation(std::string_view text) {
  Conversation conversation;
  size_t number = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.empty()) continue;
    const auto bad = [&](std::string_view what) {
      return absl::InvalidArgumentError(fmt::format("line {}: {}", number, what));
    };
    const ordered_json json = ordered_json::parse(line, nullptr, false);
    if (!json.is_object()) return bad("no JSON object");
    if (number == 1) {
      if (json.value("format", ordered_json()) != kFormat) return bad("no conversation that conformance has recorded");
      if (json.value("version", ordered_json()) != kVersion)
        return bad("a version of the format that is not known here");
      continue;
    }
    if (absl::Status status = parse_line(json, conversation); !status.ok()) return bad(message_of(status));
  }
  if (conversation.configure.partitions_size() == 0) return absl::InvalidArgumentError("it has no call Configure");
  if (conversation.requests().empty()) return absl::InvalidArgumentError("it has no request of a Run stream");
  return conversation;
}

}  // namespace fabrictwin::bridges::conformance
