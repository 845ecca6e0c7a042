// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/conformance/records.h"

#include <array>
#include <charconv>
#include <cstring>
#include <string_view>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::bridges::conformance {
namespace {

using link::Record;
using link::RecordKind;
using nlohmann::ordered_json;

constexpr std::array<std::pair<RecordKind, const char*>, 13> kKinds{{{RecordKind::kPromise, "promise"},
                                                                     {RecordKind::kBurst, "burst"},
                                                                     {RecordKind::kCredit, "credit"},
                                                                     {RecordKind::kHost, "host"},
                                                                     {RecordKind::kEnd, "end"},
                                                                     {RecordKind::kPacket, "packet"},
                                                                     {RecordKind::kMessage, "message"},
                                                                     {RecordKind::kReturned, "returned"},
                                                                     {RecordKind::kFlits, "flits"},
                                                                     {RecordKind::kPath, "path"},
                                                                     {RecordKind::kPause, "pause"},
                                                                     {RecordKind::kSetAside, "set aside"},
                                                                     {RecordKind::kHot, "hot"}}};

std::string name_of(RecordKind kind) {
  for (const auto& [known, name] : kKinds) {
    if (known == kind) return name;
  }
  return fmt::format("kind {}", static_cast<int>(kind));
}

/// 32 digits, bits 127..124 first.
std::string hex(const link::Word& word) { return fmt::format("{:016x}{:016x}", word.hi, word.lo); }

bool parse_hex(std::string_view text, link::Word& word) {
  const auto half = [](std::string_view digits, uint64_t& value) {
    const char* end = digits.data() + digits.size();
    return std::from_chars(digits.data(), end, value, 16).ptr == end;
  };
  return text.size() == 32 && half(text.substr(0, 16), word.hi) && half(text.substr(16), word.lo);
}

/// How many of its words say something.
size_t words_in(const Record& record) {
  switch (record.kind) {
    case RecordKind::kPromise:
    case RecordKind::kCredit:
    case RecordKind::kEnd:
      return 0;
    case RecordKind::kBurst:
      return std::min<size_t>(record.count, record.words.size());
    default:
      return record.words.size();
  }
}

}  // namespace

std::vector<Record> records_of(const std::string& blob) {
  std::vector<Record> records(blob.size() / sizeof(Record));
  if (!records.empty()) std::memcpy(records.data(), blob.data(), records.size() * sizeof(Record));
  return records;
}

void append(const Record& record, std::string& blob) {
  blob.append(reinterpret_cast<const char*>(&record), sizeof record);
}

bool is_counted(const Record& record) {
  return record.kind == RecordKind::kBurst || record.kind == RecordKind::kCredit || record.kind == RecordKind::kHost;
}

bool has_plausible_stamp(const Record& record) {
  return !is_counted(record) || record.time() < Time::from_fs(Time::never().fs() / 4);
}

Record make_promise(uint32_t channel, Time time) {
  Record record;
  record.channel = channel;
  record.kind = RecordKind::kPromise;
  record.set_time(time);
  return record;
}

Record make_end(uint32_t channel) {
  Record record = make_promise(channel, Time::never());
  record.kind = RecordKind::kEnd;
  return record;
}

std::string describe(Time time) {
  return time.is_never() ? "never" : fmt::format("{} ({} fs)", to_string(time), time.fs());
}

std::string describe(const Channel& channel) { return fmt::format("channel {} ({})", channel.id, channel.name); }

std::string describe(const Record& record) {
  std::string text = name_of(record.kind);
  if (record.kind == RecordKind::kBurst) {
    text += fmt::format(" of {} words on VC {}", record.count, record.vc);
    if ((record.flags & link::kStartOfPacket) != 0) text += ", header first";
    if ((record.flags & link::kEndOfPacket) != 0) text += ", footer last";
  } else if (record.kind == RecordKind::kCredit) {
    text += fmt::format(" of {} on VC {}", record.count, record.vc);
  }
  return fmt::format("{} at {}", text, describe(record.time()));
}

ordered_json record_json(const Record& record) {
  ordered_json json{{"kind", name_of(record.kind)}, {"channel", record.channel}, {"stamp_fs", record.stamp}};
  if (record.kind == RecordKind::kPromise || record.kind == RecordKind::kEnd) return json;
  json["vc"] = record.vc;
  if (record.kind == RecordKind::kBurst) {
    json["header"] = (record.flags & link::kStartOfPacket) != 0;
    json["footer"] = (record.flags & link::kEndOfPacket) != 0;
  } else {
    json["count"] = record.count;
    json["flags"] = record.flags;
  }
  ordered_json words = ordered_json::array();
  for (size_t i = 0; i < words_in(record); ++i) words.push_back(hex(record.words[i]));
  if (!words.empty()) json["words"] = std::move(words);
  return json;
}

absl::StatusOr<Record> parse_record(const ordered_json& json) {
  const auto bad = [&](const std::string& what) {
    return absl::InvalidArgumentError(fmt::format("{} is no record: {}", json.dump(), what));
  };
  if (!json.is_object()) return bad("write an object");
  Record record;
  const auto number = [&](const char* name, auto& value, uint64_t most) {
    const auto found = json.find(name);
    if (found == json.end()) return true;
    if (!found->is_number_unsigned() || found->template get<uint64_t>() > most) return false;
    value = static_cast<std::remove_reference_t<decltype(value)>>(found->template get<uint64_t>());
    return true;
  };
  const auto kind = json.find("kind");
  if (kind == json.end() || !kind->is_string()) return bad("it has no kind");
  for (const auto& [known, name] : kKinds) {
    if (*kind == name) record.kind = known;
  }
  if (record.kind == RecordKind::kInvalid) return bad("there is no such kind");
  if (!json.contains("channel") || !json.contains("stamp_fs")) return bad("channel and stamp_fs are wanted");
  if (!number("channel", record.channel, UINT32_MAX) || !number("stamp_fs", record.stamp, INT64_MAX) ||
      !number("vc", record.vc, UINT8_MAX) || !number("count", record.count, UINT8_MAX) ||
      !number("flags", record.flags, UINT8_MAX))
    return bad("a number is out of range");
  if (!has_plausible_stamp(record)) return bad("no run lasts that long");
  const ordered_json words = json.value("words", ordered_json::array());
  if (!words.is_array() || words.size() > record.words.size()) return bad("words are at most three");
  for (size_t i = 0; i < words.size(); ++i) {
    if (!words[i].is_string() || !parse_hex(words[i].get<std::string>(), record.words[i]))
      return bad("a word has 32 hexadecimal digits");
  }
  if (record.kind == RecordKind::kBurst) {
    record.count = static_cast<uint8_t>(words.size());
    const auto flag = [&](const char* name) { return json.contains(name) && json[name] == true; };
    record.flags =
        static_cast<uint8_t>((flag("header") ? link::kStartOfPacket : 0) | (flag("footer") ? link::kEndOfPacket : 0));
  }
  return record;
}

}  // namespace fabrictwin::bridges::conformance
