// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Files for trace viewers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cosim/base/time.h"

namespace fabrictwin::report {

/// Writes events in the JSON form of the Trace Event Format, which ui.perfetto.dev opens. Tracks belong to processes,
/// both of which are numbers with names; times are written as microseconds with all digits of a femtosecond. Names may
/// be any text. Not thread-safe.
class TraceEventWriter {
 public:
  struct Track {
    int32_t process = 0;
    int32_t number = 0;
  };

  void name_process(Track track, const std::string& name) { describe(track, "process_name", name); }
  void name_track(Track track, const std::string& name) { describe(track, "thread_name", name); }
  /// Opens a slice of a track, which ends with the next end() that no other slice has taken. `more` are further fields
  /// of its `args` in JSON, each after a comma.
  void begin(Track track, Time from, Time to, std::string_view category, std::string_view name,
             std::string_view more = {});
  void end(Track track, Time time);
  /// A slice with no other inside; none if it has no length.
  void slice(Track track, Time from, Time to, std::string_view category, std::string_view name);
  /// The values of a counter from `time` on.
  void count(Track track, Time time, std::string_view name,
             const std::vector<std::pair<std::string_view, double>>& values);

  /// The whole file.
  std::string json() const { return "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n" + text_ + "\n]}\n"; }

 private:
  void open(Track track, std::string_view phase);
  void describe(Track track, std::string_view what, const std::string& name);

  std::string text_;
};

}  // namespace fabrictwin::report
