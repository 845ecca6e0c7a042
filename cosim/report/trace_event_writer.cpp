// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/trace_event_writer.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "cosim/report/message_json.h"

namespace fabrictwin::report {
namespace {

std::string microseconds(Time time) {
  return fmt::format("{}.{:09}", time.fs() / 1'000'000'000, time.fs() % 1'000'000'000);
}

std::string json_string(std::string_view text) { return json_text(std::string(text)); }

}  // namespace

void TraceEventWriter::open(Track track, std::string_view phase) {
  fmt::format_to(std::back_inserter(text_), "{}{{\"ph\":\"{}\",\"pid\":{},\"tid\":{}", text_.empty() ? "" : ",\n",
                 phase, track.process, track.number);
}

void TraceEventWriter::describe(Track track, std::string_view what, const std::string& name) {
  open(track, "M");
  fmt::format_to(std::back_inserter(text_), ",\"name\":\"{}\",\"args\":{{\"name\":{}}}}}", what, json_string(name));
}

void TraceEventWriter::begin(Track track, Time from, Time to, std::string_view category, std::string_view name,
                             std::string_view more) {
  open(track, "B");
  fmt::format_to(std::back_inserter(text_), ",\"ts\":{},\"cat\":\"{}\",\"name\":{},\"args\":{{\"fs\":{}{}}}}}",
                 microseconds(from), category, json_string(name), (to - from).fs(), more);
}

void TraceEventWriter::end(Track track, Time time) {
  open(track, "E");
  fmt::format_to(std::back_inserter(text_), ",\"ts\":{}}}", microseconds(time));
}

void TraceEventWriter::slice(Track track, Time from, Time to, std::string_view category, std::string_view name) {
  if (from == to) return;
  begin(track, from, to, category, name);
  end(track, to);
}

void TraceEventWriter::count(Track track, Time time, std::string_view name,
                             const std::vector<std::pair<std::string_view, double>>& values) {
  open(track, "C");
  fmt::format_to(std::back_inserter(text_), ",\"ts\":{},\"name\":{},\"args\":{{", microseconds(time),
                 json_string(name));
  std::string_view separator;
  for (const auto& [series, value] : values) {
    fmt::format_to(std::back_inserter(text_), "{}{}:{}", separator, json_string(series), value);
    separator = ",";
  }
  text_ += "}}";
}

}  // namespace fabrictwin::report
