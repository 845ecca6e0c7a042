// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a network of packets meets links of words: docs/models/word-edge.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "cosim/base/time.h"
#include "cosim/link/packet.h"
#include "cosim/link/record.h"
#include "cosim/run/cut_port.h"
#include "cosim/system/system_graph.h"
#include "models/fabric/packet_records.h"
#include "models/nic/word_packet.h"

namespace fabrictwin::fabric {

/// A port of a network of packets or flits at a link that carries words. A packet leaves as its header, its body, which
/// is made from what its message says, and its footer. Words that come are a packet, which is in the network as soon as
/// its header is; each of its words is compared with what its message says. Packets of a flow come and leave in order.
/// Memory grows with the flows that cross. Not thread-safe.
class WordEdge {
 public:
  /// What the network moves, and returns credits for.
  enum class Unit : uint8_t {
    kPackets,  ///< See send() and give_back().
    kFlits,    ///< A flit is a word: see begin(), send_flit() and give_back_flits().
  };
  /// A packet that comes.
  struct Arrival {
    CrossingPacket packet;
    uint8_t vc = 0;
    Time head;   ///< When its header has arrived.
    Time known;  ///< When what it says has arrived, not before `head`: of the first packet of a message, its envelope.
  };
  /// A word that comes.
  struct Word {
    Time arrived;
    uint8_t vc = 0;
    bool enters = false;  ///< It is the one at which the next of the arrivals is known.
  };
  /// Space that is free at the other end, and known from `arrived` on.
  struct Space {
    Time arrived;
    uint8_t vc = 0;
    int32_t bytes = 0;
  };

  /// `graph` and what `port` points to outlive it. `seed` is that of the tie bits of flows.
  WordEdge(const system::SystemGraph& graph, uint64_t seed, run::CutPort port, Unit unit = Unit::kPackets);

  /// Takes the records that arrive before `until` and adds what they bring; to `words`, if that is not null, all words
  /// in the order of their arrival, some of which may be after `until`. DataLoss, with channel and time, for words that
  /// are not those of the next packet of a flow between plain network interfaces, or for which there is no space, and
  /// for credits of more than has been sent.
  absl::Status receive(Time until, std::vector<Arrival>& arrivals, std::vector<Space>& spaces,
                       std::vector<Word>* words = nullptr);

  /// Sends a packet whose header has left at `header_left`, and its last word at `footer_left`, or, as the link has
  /// slots, soon after that.
  void send(const CrossingPacket& packet, uint8_t vc, Time header_left, Time footer_left);
  /// The oldest packet of a VC that has come and has not been given back leaves its buffer at `sent`. Its credit leaves
  /// then, but not before its last word has come.
  void give_back(Time sent, uint8_t vc);

  /// Begins a packet of flits, which is the next one to leave by a VC.
  void begin(const CrossingPacket& packet, uint8_t vc);
  /// Sends the next flit of the packet of a VC with a slot of the link, or with the first one after it that is free.
  void send_flit(uint8_t vc, int64_t slot);
  /// Flits that have come leave the buffer of their VC at `sent`, and their credits with them.
  void give_back_flits(Time sent, uint8_t vc, int32_t count);

  /// Packets of which words are still to come.
  size_t packets_coming() const;

 private:
  /// Source and destination.
  using Flow = std::pair<int32_t, int32_t>;
  /// How far a flow has come in one direction.
  struct Progress {
    uint32_t sequence = 0;  ///< Number of the message that is crossing, or of the next one.
    uint64_t bytes = 0;     ///< Bytes of it that have crossed, with the envelope.
    nic::Envelope envelope;
  };
  /// A packet whose words are coming.
  struct Composing {
    link::PacketHeader header;
    nic::PacketWords words;
    int32_t count = 0;     ///< Words that have come; 0 between packets.
    bool entered = false;  ///< The network has the packet.
    Time head;
    nic::Envelope envelope;  ///< Once it has entered.
    uint64_t offset = 0;
  };
  /// A packet in the buffer of a VC.
  struct Buffered {
    uint8_t words = 0;
    Time tail = Time::never();    ///< When its last word has arrived.
    Time leaves = Time::never();  ///< When it has left the buffer.
  };
  /// A packet whose flits are leaving.
  struct Leaving {
    nic::PacketWords words;
    int32_t count = 0;
    int32_t next = 0;
  };
  struct Vc {
    Composing composing;
    Leaving leaving;
    std::deque<Buffered> buffered;  ///< The oldest first; of flits only the one that is coming.
    int64_t sent = 0;               ///< Words whose credits are not back,
    int64_t here = 0;               ///< and words from there whose credits have not been returned.
  };

  absl::Status receive_burst(const link::Record& record, std::vector<Arrival>& arrivals, std::vector<Word>* words);
  absl::Status take_word(const link::Record& record, int32_t index, Time time, std::vector<Arrival>& arrivals);
  absl::Status begin(const link::Record& record, Composing& packet) const;
  absl::Status enter(const link::Record& record, Time time, std::vector<Arrival>& arrivals);
  absl::Status note(const link::Record& record, Progress& flow) const;
  absl::Status finish(const link::Record& record, Time time);
  void return_credits(uint8_t vc);
  /// The words of the next packet of a flow that leaves. Returns how many they are.
  int32_t make_words(const CrossingPacket& packet, nic::PacketWords& words);
  void send_word(int64_t slot, uint8_t vc, int32_t index, int32_t count, const link::Word& word);
  absl::Status broken(const link::Record& record, std::string_view what) const;

  link::PacketHeader header_of(int32_t source, int32_t destination, uint32_t sequence, uint16_t payload) const;

  const system::SystemGraph& graph_;
  int32_t hosts_;
  uint64_t seed_;
  int32_t buffer_words_;  ///< Size of the buffer of each VC.
  run::CutPort port_;
  Unit unit_;
  std::array<Vc, link::kVcs> vcs_;
  absl::flat_hash_map<Flow, Progress> incoming_;
  absl::flat_hash_map<Flow, Progress> outgoing_;
  int64_t next_slot_ = 0;
};

}  // namespace fabrictwin::fabric
