// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a rank calls and how much it passes, in a line of text: of runs that our recorder recorded.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <map>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "workloads/trace/format/source.h"
#include "workloads/trace/tools/compare.h"

namespace fabrictwin {

/// Calls of one kind.
struct CallTotal {
  uint64_t calls = 0;
  uint64_t bytes = 0;  ///< Of a collective: of the rank's own data.
};

/// What a rank calls.
struct RankCalls {
  uint64_t hash = 0;  ///< Over actions, peers, tags and datatypes, in order.
  std::map<std::string, CallTotal> calls;
};

/// Events as the recorder writes them, without computations, counts, and communicators made and freed: a SENDRECV is an
/// IRECV, an ISEND and their two waits, and a wait does not say what for. Sums up what it has passed on.
class RecordedEvents final : public trace::format::EventSource {
 public:
  explicit RecordedEvents(std::unique_ptr<trace::format::EventSource> source) : source_(std::move(source)) {}
  const std::map<std::string, CallTotal>& calls() const { return calls_; }

  absl::StatusOr<bool> next(trace::format::Event& event) override {
    while (waiting_.empty()) {
      absl::StatusOr<bool> more = source_->next(event);
      if (!more.ok() || !*more) return more;
      expand(event);
    }
    event = std::move(waiting_.front());
    waiting_.erase(waiting_.begin());
    return true;
  }

 private:
  void expand(const trace::format::Event& event) {
    trace::format::Event wait;
    wait.action = v1::WAIT;
    switch (event.action) {
      case v1::COMPUTE:
      case v1::COMM_CREATE:
      case v1::COMM_FREE:
        return;
      case v1::WAIT_RECV:
      case v1::WAIT:
        return add(wait);
      case v1::SENDRECV: {
        trace::format::Event half;
        half.action = v1::IRECV;
        half.peer = event.receive_peer;
        half.datatype = event.receive_datatype;
        half.count = event.receive_count;
        add(half);
        half.action = v1::ISEND;
        half.peer = event.peer;
        half.datatype = event.datatype;
        half.count = event.count;
        add(half);
        add(wait);
        return add(wait);
      }
      default:
        return add(event);
    }
  }

  void add(trace::format::Event event) {
    if (event.action != v1::WAIT && event.action != v1::IRECV) {
      CallTotal& total = calls_[std::string(trace::format::action_name(event.action))];
      ++total.calls;
      total.bytes += trace::format::event_bytes(event) +
                     std::accumulate(event.send_counts.begin(), event.send_counts.end(), uint64_t{0}) *
                         trace::format::datatype_bytes(event.datatype);
    }
    event.count = event.receive_count = 0;
    event.send_counts.assign(event.send_counts.size(), 0);
    event.receive_counts.assign(event.receive_counts.size(), 0);
    waiting_.push_back(std::move(event));
  }

  std::unique_ptr<trace::format::EventSource> source_;
  std::vector<trace::format::Event> waiting_;
  std::map<std::string, CallTotal> calls_;
};

inline RankCalls calls_of(const trace::format::Source& trace, uint32_t rank) {
  RecordedEvents events(trace.rank(rank));
  const absl::StatusOr<uint64_t> hash = trace::tools::communication_hash(events);
  EXPECT_TRUE(hash.ok()) << hash.status();
  return {hash.value_or(0), events.calls()};
}

/// The lines "NAME RANK HASH allreduce:216:1284 ..." of run `name` in `file`, in rank order.
inline std::vector<RankCalls> recorded_calls(const std::string& file, const std::string& name) {
  std::ifstream lines(file);
  std::vector<RankCalls> ranks;
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string run;
    size_t rank = 0;
    RankCalls calls;
    if (!(words >> run >> rank >> std::hex >> calls.hash >> std::dec) || run != name) continue;
    EXPECT_EQ(rank, ranks.size()) << "a line of " << name << " is missing";
    std::string word;
    while (words >> word) {
      const size_t first = word.find(':');
      const size_t second = word.rfind(':');
      calls.calls[word.substr(0, first)] = {std::stoull(word.substr(first + 1)), std::stoull(word.substr(second + 1))};
    }
    ranks.push_back(std::move(calls));
  }
  return ranks;
}

}  // namespace fabrictwin
