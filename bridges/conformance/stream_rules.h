// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The rules of docs/bridge-protocol.md that hold for every message of a run, whatever the place simulates.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "bridges/conformance/channel_map.h"
#include "bridges/conformance/findings.h"
#include "cosim/link/record.h"
#include "fabrictwin/v1/bridge.pb.h"

namespace fabrictwin::bridges::conformance {

/// Sees all messages of one Run stream in their order and says what breaks a rule: the checks stream.*, credits.taken,
/// credits.returned, promise.reach and rows.* but rows.rest. Used by one thread.
class StreamRules {
 public:
  /// Both must outlive this object. `run` says in findings which run it was: "in the run", "with records one by one".
  StreamRules(const ChannelMap& map, Findings& findings, std::string run);

  /// Before the request is sent.
  void on_request(const v1::RunRequest& request);
  void on_response(const v1::RunResponse& response);
  /// After the end of the stream, of a run whose requests were all to be answered.
  void on_end();
  /// After an answer to all requests in a run in which nothing is left to do: credits.all and rows.rest.
  void on_rest();

  /// Words and packets that came from the place on a channel.
  struct Sent {
    uint64_t words = 0;
    uint64_t packets = 0;
  };
  Sent sent(uint32_t channel) const;

 private:
  /// Words of a VC as credits count them.
  struct Flow {
    int64_t words = 0;        ///< Words so far of the packet under way.
    bool open = false;        ///< A packet is under way.
    int64_t used = 0;         ///< Credits that its words have taken so far.
    std::vector<Time> taken;  ///< When each of those: when the word is there, or, of words from the place, begins.
  };
  struct Side {
    const Channel* channel = nullptr;
    Time last;     ///< The last stamp.
    Time horizon;  ///< Nothing comes before.
    bool ended = false;
    int64_t slot = -1;                                           ///< The slot of the last word.
    std::vector<Time> records;                                   ///< Stamps of counted records.
    std::vector<Flow> flows;                                     ///< By VC.
    std::vector<std::vector<std::pair<Time, int64_t>>> credits;  ///< By VC: stamps, and all credits up to then.
    Sent sent;
  };
  struct Row {
    bool there = false;
    v1::SyncRow row;
  };

  void take(Side& side, const link::Record& record);
  bool check_form(const link::Record& record);
  void check_order(Side& side, const link::Record& record);
  void check_words(Side& side, const link::Record& record);
  void check_credit_taken(Side& side, uint8_t vc, Time begins, const link::Record& record);
  void check_credit_returned(Side& side, const link::Record& record);
  void check_row_time(Side& side, size_t index, const link::Record& record);
  void check_row(const v1::SyncRow& row);
  void check_reach(uint64_t consumed);
  /// The stamp of the first record that a row does not count as consumed.
  Time first_uncounted(const ChannelMap::Partition& partition, const v1::SyncRow& row) const;
  void fail(const char* check, const std::string& what);
  std::string where(const link::Record& record) const;

  const ChannelMap& map_;
  Findings& findings_;
  const std::string run_;
  std::map<uint32_t, Side> sides_;
  std::vector<Row> rows_;  ///< By partition.
  struct Told {
    uint64_t number = 0;
    std::vector<Time> reach;  ///< How far each partition may advance.
  };
  std::deque<Told> told_;
  uint64_t requests_ = 0;
  uint64_t consumed_ = 0;
  uint64_t responses_ = 0;
};

}  // namespace fabrictwin::bridges::conformance
