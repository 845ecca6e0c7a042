// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
#include "tests/rtl/ape_router/ape_traffic.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace fabrictwin::test {
namespace {

constexpr uint64_t kMarkInFooter = uint64_t{1} << 32;  ///< In the second 64 bits.

}  // namespace

ApeTraffic::ApeTraffic(std::unique_ptr<ApeModel> model, const ApeConfig& config, const ApeTrafficPlan& plan)
    : model_(std::move(model)),
      shape_(model_->shape()),
      config_(config),
      plan_(plan),
      random_(plan.seed, 0, RandomPurpose::kTest) {
  for (int p = 0; p < shape_.ports(); ++p) {
    if (plan.tiny_neighbours) {
      config_.initial_words[p] = shape_.max_words();
      config_.initial_packets[p] = 1;
    }
    for (Source& source : sources_[p]) {
      source.words = shape_.buffer_words(p);
      source.packets = shape_.header_depth;
    }
  }
  config_.mark_threshold = plan.mark_threshold;
  config_.mark_rate = plan.mark_rate;
  config_.mark_least = plan.mark_least;
  config_.mark_hosts = plan.mark_hosts;
  if (plan.mark_threshold > 0) marks_.emplace(shape_, config_);
  model_->reset(config_);
}

void ApeTraffic::run() {
  const int limit = 30'000 + plan_.packets * 600;
  for (int k = 0; k < limit; ++k) {
    reconfigure();
    drive_words();
    take_words();
    return_credits();
    model_->edge();
    if (marks_) watch_marks();
    take_credits();
    if (!plan_.overflow) {
      ASSERT_EQ(model_->errors(), 0u) << "edge " << k;
    }
    if (model_->stalled() != 0) ++coverage_.credit_stalls;
    if (testing::Test::HasFatalFailure()) return;
    if (started_ >= plan_.packets && quiet()) break;
  }
  check_end();
}

bool ApeTraffic::quiet() const {
  if (!model_->idle()) return false;
  for (int p = 0; p < shape_.ports(); ++p) {
    for (int vc = 0; vc < 2; ++vc) {
      const Source& source = sources_[p][vc];
      if (source.next != source.packet.size() || sinks_[p][vc].held_words != 0 || sinks_[p][vc].held_packets != 0)
        return false;
    }
  }
  return true;
}

void ApeTraffic::start_packet(int port, int vc) {
  ApeHeader header;
  for (int d = 0; d < 3; ++d) header.to[d] = below(config_.dims[d]);
  // The own node often enough that all tile ports get something.
  if (chance(25, 100)) header.to = config_.here;
  const int kind = below(4);
  if (kind == 0) header.payload_bytes = below(shape_.max_payload + 1);
  if (kind == 1) header.payload_bytes = shape_.max_payload;
  if (kind == 2) header.payload_bytes = below(3 * shape_.word_bytes());
  header.tile_port = below(shape_.intra);
  header.ties = below(8);
  header.source = 2 * port + vc;
  header.sequence = ++sequence_;
  const Bad bad = chance(plan_.bad, 1000) ? static_cast<Bad>(1 + below(7)) : Bad::kNone;
  if (bad == Bad::kLength) header.payload_bytes = shape_.max_payload + 1 + below(1023 - shape_.max_payload);
  if (bad == Bad::kOutside) header.to[below(3)] = 255 - below(100);
  if (bad == Bad::kNoTilePort) {
    header.to = config_.here;
    header.tile_port = 7;
  }
  Source& source = sources_[port][vc];
  source.next = 0;
  source.packet = make_ape_packet(shape_, header, vc, random_.next());
  if (marks_) source.packet.back().data[1] &= ~kMarkInFooter;
  source.hop.reset();
  ++started_;
  Expected expected;
  expected.input = 2 * port + vc;
  expected.words = source.packet;
  const size_t payload = source.packet.size() - 2;
  const ApeWord zero{};
  if (bad == Bad::kTooShort && payload > 0) {
    // Some payload is missing, the footer comes.
    const size_t keep = static_cast<size_t>(below(static_cast<int>(payload)));
    source.packet.erase(source.packet.begin() + 1 + static_cast<ptrdiff_t>(keep), source.packet.end() - 1);
    for (size_t i = keep; i < payload; ++i) expected.words[1 + i] = zero;
  } else if (bad == Bad::kCutOff) {
    // The next packet, or a stray word, comes before the footer.
    const size_t keep = static_cast<size_t>(below(static_cast<int>(payload) + 1));
    source.packet.resize(1 + keep);
    for (size_t i = keep; i <= payload; ++i) expected.words[1 + i] = zero;
    ApeHeader next;
    next.to = {255, 255, 255};
    source.packet.push_back(next.encode(vc));
    ++expected_dropped_route_;
    ApeWord footer;
    footer.vc = vc;
    footer.eop = true;
    source.packet.push_back(footer);
  } else if (bad == Bad::kTooLong) {
    ApeWord more;
    more.vc = vc;
    more.data[0] = ~uint64_t{0};
    source.packet.insert(source.packet.end() - 1, more);
    expected.words.back() = zero;
  } else if (bad == Bad::kStray) {
    ApeWord stray;
    stray.vc = vc;
    stray.eop = chance(50, 100);
    source.packet.insert(source.packet.begin(), stray);
  }
  for (ApeWord& word : expected.words) word.sop = word.eop = false;
  expected.words.front().sop = true;
  expected.words.back().eop = true;
  if (bad == Bad::kLength) return;
  const std::optional<ApeHop> hop = reference_route(shape_, config_, header, port, vc);
  if (!hop) {
    ++expected_dropped_route_;
    return;
  }
  expected.hop = *hop;
  source.hop = hop;
  expected.lossy = (plan_.toggled >> port & 1) != 0 || (plan_.toggled >> hop->port & 1) != 0;
  for (ApeWord& word : expected.words) word.vc = hop->vc;
  expected_[header.sequence] = std::move(expected);
}

void ApeTraffic::drive_words() {
  for (int p = 0; p < shape_.ports(); ++p) {
    if (!chance(plan_.rx, 100)) continue;
    const int vc = below(2);
    Source& source = sources_[p][vc];
    if (source.next == source.packet.size()) {
      if (started_ >= plan_.packets) continue;
      start_packet(p, vc);
    }
    const ApeWord& word = source.packet[source.next];
    int& credits = word.sop ? source.packets : source.words;
    const bool costs = word.sop || !word.eop;
    if (costs && credits <= 0) {
      ++coverage_.full;
      if (!plan_.overflow || p != 0 || vc != 0) continue;
      ++coverage_.overflows;
    }
    if (costs) --credits;
    model_->rx(p, word);
    if (marks_) marks_->entered(2 * p + vc, word, source.hop);
    ++source.next;
  }
}

void ApeTraffic::take_words() {
  for (int p = 0; p < shape_.ports(); ++p) {
    shown_[p] = model_->tx_valid(p);
    if (!chance(plan_.ready, 100)) {
      ended_[p] = false;
      continue;
    }
    model_->ready(p);
    shown_[p] = false;
    if (!model_->tx_valid(p)) {
      ended_[p] = false;
      continue;
    }
    const ApeWord word = model_->tx(p);
    if (ended_[p] && word.sop) ++coverage_.back_to_back;
    ended_[p] = word.eop;
    if (word.vc != last_vc_[p] && !word.sop) ++coverage_.mixed;
    last_vc_[p] = word.vc;
    check_word(p, word);
    if (testing::Test::HasFatalFailure()) return;
  }
}

void ApeTraffic::check_word(int port, const ApeWord& word) {
  Sink& sink = sinks_[port][word.vc];
  if (sink.packet == nullptr) {
    ASSERT_TRUE(word.sop) << "a packet begins without a header";
    const ApeHeader header = ApeHeader::decode(word);
    const auto found = expected_.find(header.sequence);
    ASSERT_NE(found, expected_.end()) << "a packet twice, or one that nobody sent";
    sink.packet = &found->second;
    sink.sequence = header.sequence;
    sink.next = 0;
    ASSERT_EQ(sink.packet->hop.port, port) << "wrong port";
    ASSERT_EQ(sink.packet->hop.vc, word.vc) << "wrong VC";
    uint32_t& newest = newest_[sink.packet->input];
    ASSERT_GT(header.sequence, newest) << "packets of one input overtake each other";
    newest = header.sequence;
    ++ways_[sink.packet->input * 100 + 2 * port + word.vc];
    ASSERT_LT(sink.held_packets, config_.initial_packets[port]) << "more packets than credits";
    ++sink.held_packets;
  }
  ApeWord wanted = sink.packet->words[sink.next];
  // A packet from a port that goes off ends with zeros.
  if (sink.packet->lossy && word.data == std::array<uint64_t, 8>{}) wanted.data = {};
  if (plan_.overflow && sink.packet->input == 0) wanted.data = word.data;
  if (marks_ && word.eop) wanted.data[1] |= word.data[1] & kMarkInFooter;
  ASSERT_EQ(word, wanted) << "words mixed or changed";
  if (!word.sop && !word.eop) {
    ASSERT_LT(sink.held_words, config_.initial_words[port]) << "more words than credits";
    ++sink.held_words;
  }
  if (++sink.next < sink.packet->words.size()) return;
  ++coverage_.delivered;
  if (sink.packet->words.size() == 2) ++coverage_.empty_packets;
  if (static_cast<int>(sink.packet->words.size()) == shape_.max_words() + 2) ++coverage_.largest_packets;
  ++sent_[port];
  sink.packet = nullptr;
  expected_.erase(sink.sequence);
}

void ApeTraffic::return_credits() {
  for (int p = 0; p < shape_.ports(); ++p) {
    if (!chance(plan_.credit, 100)) continue;
    const int vc = below(2);
    Sink& sink = sinks_[p][vc];
    // The slot of a packet is free when all of it has come.
    const int packets = std::min(sink.held_packets - (sink.packet != nullptr ? 1 : 0), 15);
    const int words = std::min(sink.held_words, 255);
    if (packets == 0 && words == 0) continue;
    model_->credit(p, {vc, words, packets});
    returned_[p] = ApeCredit{vc, words, packets};
    sink.held_words -= words;
    sink.held_packets -= packets;
  }
}

void ApeTraffic::take_credits() {
  for (int p = 0; p < shape_.ports(); ++p) {
    if (!model_->credit_valid(p)) continue;
    const ApeCredit credit = model_->credit(p);
    Source& source = sources_[p][credit.vc];
    source.words += credit.words;
    source.packets += credit.packets;
    ASSERT_LE(source.words, shape_.buffer_words(p)) << "credit for words that were not sent";
    ASSERT_LE(source.packets, shape_.header_depth) << "credit for packets that were not sent";
  }
}

void ApeTraffic::reconfigure() {
  bool changed = false;
  if (chance(plan_.reconfigure, 1000)) {
    config_.fixed_priority = chance(50, 100);
    for (int p = 0; p < shape_.ports(); ++p) config_.priority[p] = below(4);
    ++coverage_.priority_changes;
    changed = true;
  }
  const bool end = started_ >= plan_.packets;
  if (plan_.toggled != 0 &&
      (end ? (config_.port_enable & plan_.toggled) != plan_.toggled : chance(plan_.toggle, 1000))) {
    if (end) {
      config_.port_enable |= plan_.toggled;
    } else {
      int port = below(shape_.ports());
      while ((plan_.toggled >> port & 1) == 0) port = (port + 1) % shape_.ports();
      config_.port_enable ^= 1u << port;
      ++coverage_.disables;
    }
    changed = true;
  }
  if (changed) model_->configure(config_);
}

// What the edge has moved from the buffers into the output registers.
void ApeTraffic::watch_marks() {
  for (int p = 0; p < shape_.ports(); ++p) {
    if (!model_->tx_valid(p) || shown_[p]) continue;
    const ApeWord word = model_->tx(p);
    const Expected*& packet = leaving_[p][word.vc];
    if (word.sop) packet = &expected_.at(ApeHeader::decode(word).sequence);
    marks_->left(packet->input, p, word, static_cast<int>(packet->words.size()),
                 word.eop && (word.data[1] & kMarkInFooter) != 0);
  }
  for (int p = 0; p < shape_.ports(); ++p) {
    if (returned_[p]) marks_->credited(p, *returned_[p]);
    returned_[p].reset();
  }
  marks_->edge();
}

void ApeTraffic::check_end() {
  std::array<int, kApeMaxPorts> marked{};
  EXPECT_TRUE(model_->idle());
  EXPECT_TRUE(quiet()) << "packets or credits are stuck";
  for (int p = 0; p < shape_.ports(); ++p) {
    const ApeCounters counters = model_->counters(p);
    coverage_.dropped_route += counters.dropped_route;
    coverage_.dropped_disabled += counters.dropped_disabled;
    coverage_.malformed += counters.malformed;
    EXPECT_EQ(counters.sent, sent_[p]);
    EXPECT_EQ(counters.discarded, 0);
    marked[p] = counters.marked;
    for (int vc = 0; vc < 2; ++vc) {
      if (plan_.overflow && p == 0 && vc == 0) continue;
      EXPECT_EQ(sources_[p][vc].words, shape_.buffer_words(p)) << "credits lost at port " << p;
      EXPECT_EQ(sources_[p][vc].packets, shape_.header_depth) << "credits lost at port " << p;
    }
  }
  if (plan_.overflow) {
    std::erase_if(expected_, [](const auto& entry) { return entry.second.input == 0; });
  }
  int lossy = 0;
  for (const auto& [sequence, packet] : expected_) {
    EXPECT_TRUE(packet.lossy) << "packet " << sequence << " lost";
    if (packet.lossy) ++lossy;
  }
  if (plan_.toggled == 0 && !plan_.overflow) {
    EXPECT_EQ(coverage_.dropped_route, expected_dropped_route_);
    EXPECT_EQ(coverage_.dropped_disabled, 0);
    EXPECT_EQ(coverage_.malformed == 0, plan_.bad == 0);
  } else if (!plan_.overflow && plan_.bad == 0) {
    // Each packet is delivered or counted; none is both.
    EXPECT_EQ(coverage_.dropped_disabled + coverage_.dropped_route - expected_dropped_route_, lossy);
  }
  coverage_.ways = ways_.size();
  if (!marks_) {
    EXPECT_EQ(marked, (std::array<int, kApeMaxPorts>{})) << "marks without a threshold";
    return;
  }
  marks_->check_end(marked);
  coverage_.marked = marks_->marked();
  coverage_.must_mark = marks_->must();
  coverage_.must_not_mark = marks_->unmarked();
}

}  // namespace fabrictwin::test
