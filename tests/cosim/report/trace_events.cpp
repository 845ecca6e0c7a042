// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/cosim/report/trace_events.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

namespace fabrictwin {
namespace {

using nlohmann::json;

struct Slice {
  double begin = 0;
  double length = 0;  ///< As `args` says, in microseconds.
  bool life = false;
};

struct Track {
  std::vector<Slice> open;
  double now = 0;
  bool named = false;
  TracedLife life;
};

/// A microsecond has 1e9 fs; a double of some of them is good for a femtosecond or so.
constexpr double kTolerance = 2e-9;

void begin(const json& event, Track& track) {
  const double now = event.at("ts");
  const json& arguments = event.at("args");
  const int64_t fs = arguments.at("fs");
  const std::string category = event.at("cat");
  EXPECT_EQ(category == "packet", track.open.empty()) << event;
  EXPECT_LE(track.open.size(), 1u) << event;
  EXPECT_TRUE(track.named) << event;
  track.open.push_back({now, static_cast<double>(fs) * 1e-9, category == "packet"});
  if (category == "packet") {
    track.life.source = arguments.at("source");
    track.life.destination = arguments.at("destination");
    track.life.number = arguments.at("number");
    track.life.flits = arguments.at("flits");
    track.life.fs = fs;
    EXPECT_EQ(event.at("pid"), track.life.source + 1) << event;
  } else {
    // A wait follows a move at once and the other way round.
    EXPECT_EQ(now, track.now) << event;
    track.life.names.push_back(event.at("name"));
    EXPECT_TRUE(category == "wait" || category == "move") << event;
    (category == "wait" ? track.life.waits_fs : track.life.moves_fs) += fs;
  }
}

void end(const json& event, Track& track) {
  ASSERT_FALSE(track.open.empty()) << event;
  const double now = event.at("ts");
  const Slice slice = track.open.back();
  track.open.pop_back();
  EXPECT_NEAR(now - slice.begin, slice.length, kTolerance * (1 + std::abs(now))) << event;
  if (slice.life) {
    EXPECT_EQ(now, track.now) << "its last slice does not end with the packet: " << event;
  }
}

}  // namespace

std::vector<TracedLife> read_trace_events(const std::string& text) {
  const json trace = json::parse(text, nullptr, false);
  EXPECT_FALSE(trace.is_discarded()) << "not JSON: " << text.substr(0, 200);
  if (trace.is_discarded()) return {};
  EXPECT_EQ(trace.at("displayTimeUnit"), "ns");
  std::map<std::pair<int64_t, int64_t>, Track> tracks;
  std::set<int64_t> processes;
  std::vector<std::pair<int64_t, int64_t>> order;
  for (const json& event : trace.at("traceEvents")) {
    const std::pair<int64_t, int64_t> id(event.at("pid"), event.at("tid"));
    Track& track = tracks[id];
    const std::string phase = event.at("ph");
    if (phase == "M") {
      if (event.at("name") == "process_name") {
        EXPECT_TRUE(processes.insert(id.first).second) << event;
      }
      if (event.at("name") == "thread_name") {
        order.push_back(id);
        track.named = true;
      }
      EXPECT_FALSE(event.at("args").at("name").get<std::string>().empty()) << event;
      continue;
    }
    const double now = event.at("ts");
    EXPECT_GE(now, track.now) << event;
    if (phase == "B") begin(event, track);
    if (phase == "E") end(event, track);
    EXPECT_TRUE(phase == "B" || phase == "E") << event;
    track.now = now;
  }
  std::vector<TracedLife> lives;
  for (const auto& id : order) {
    const Track& track = tracks[id];
    EXPECT_TRUE(track.open.empty());
    EXPECT_TRUE(processes.contains(id.first));
    EXPECT_EQ(track.life.waits_fs + track.life.moves_fs, track.life.fs);
    lives.push_back(track.life);
  }
  return lives;
}

}  // namespace fabrictwin
