// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The model of the network interface and the RTL at the two ends of a link, each with a driver.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "cosim/link/packet_mark.h"
#include "models/kernel/systemc_context.h"
#include "models/nic/exanet/driver/driver.h"
#include "models/nic/exanet/ni.h"
#include "tests/models/nic/exanet/message_endpoint.h"
#include "tests/models/nic/exanet/rtl_ni.h"
#include "tests/rtl/rdma/rdma_packet.h"

namespace fabrictwin::test {
namespace {

using ::testing::IsEmpty;
using Planned = MessageEndpoint::Planned;

/// Stands in the link and writes down what passes, each direction apart.
class Tap : public sc_core::sc_module {
 public:
  explicit Tap(const sc_core::sc_module_name& name) : sc_module(name), in("in"), out("out") {
    in.register_b_transport(this, &Tap::pass);
  }
  tlm_utils::simple_target_socket<Tap> in;
  tlm_utils::simple_initiator_socket<Tap> out;
  std::vector<nic::exanet::Words> packets;
  std::vector<int64_t> slots;  ///< When each has begun to leave.
  /// What a router marks.
  std::function<bool(const nic::exanet::Words&)> marks;

 private:
  void pass(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const auto* extension = payload.get_extension<kernel::LinkExtension>();
    if (extension->kind == link::RecordKind::kBurst) {
      nic::exanet::Words packet;
      packet.vc = extension->vc;
      packet.count = static_cast<uint8_t>(payload.get_data_length() / link::kWordBytes);
      std::memcpy(packet.words.data(), payload.get_data_ptr(), payload.get_data_length());
      packets.push_back(packet);
      slots.push_back(extension->first_slot);
      if (marks && marks(packet)) {
        nic::exanet::Words marked = packet;
        link::Word& footer = marked.words[marked.count - size_t{1}];
        footer.hi |= link::kMarkBit;
        std::memcpy(payload.get_data_ptr(), marked.words.data(), payload.get_data_length());
      }
    }
    out->b_transport(payload, delay);
  }
};

class TwoHosts {
 public:
  struct Options {
    bool rtl[2] = {false, true};
    bool wait_for_clearing = true;
    int32_t firmware = 0;
    nic::exanet::CcaSettings congestion;
    int32_t marks = 0;  ///< So many of the first cells of host 0 are marked.
  };

  TwoHosts(std::vector<std::vector<Planned>> plans, Options options) : plans_(std::move(plans)), digests_(2) {
    systemc_ = *kernel::SystemcContext::create();
    const nic::exanet::Numbering numbering{kNiTileBits, kNiXBits, kNiYBits};
    nodes_ = {numbering.number(1, 0, 0, 1), numbering.number(0, 1, 0, 0)};
    system::Link link;
    link.rate = Bandwidth{20'000'000'000};
    link.latency = Time::from_ns(120);
    for (size_t i = 0; i < 2; ++i) {
      const std::string suffix = "_" + std::to_string(i);
      nic::exanet::driver::Driver::Config driver;
      driver.node = static_cast<int32_t>(i);
      driver.nodes = &nodes_;
      driver.digest = &digests_[i];
      driver.failure = &failure_;
      drivers_.push_back(std::make_unique<nic::exanet::driver::Driver>(("driver" + suffix).c_str(), driver));
      endpoints_.push_back(std::make_unique<MessageEndpoint>(static_cast<int32_t>(i), plans_[i]));
      endpoints_[i]->nic.bind(drivers_[i]->host);
      drivers_[i]->bind_endpoint(endpoints_[i].get());
      taps_.push_back(std::make_unique<Tap>(("tap" + suffix).c_str()));
      if (options.rtl[i]) {
        RtlNi::Config config{nodes_[i],          numbering,        9, link, 64, options.wait_for_clearing,
                             options.congestion, drivers_[i].get()};
        rtl_[i] = std::make_unique<RtlNi>(("rtl" + suffix).c_str(), config);
        drivers_[i]->bind_ni(rtl_[i].get());
        rtl_[i]->tile_out.bind(taps_[i]->in);
      } else {
        nic::exanet::Ni::Config config;
        config.node = nodes_[i];
        config.numbering = numbering;
        config.pdid = 9;
        config.link = link;
        config.client = drivers_[i].get();
        config.timing.firmware = options.firmware;
        config.congestion = options.congestion;
        model_[i] = std::make_unique<nic::exanet::Ni>(("model" + suffix).c_str(), config);
        drivers_[i]->bind_ni(model_[i].get());
        model_[i]->tile_out.bind(taps_[i]->in);
      }
    }
    taps_[0]->marks = [left = options.marks](const nic::exanet::Words& packet) mutable {
      return packet.header().kind == static_cast<uint8_t>(nic::exanet::Kind::kWrite) && left-- > 0;
    };
    for (size_t i = 0; i < 2; ++i) {
      if (rtl_[i]) taps_[1 - i]->out.bind(rtl_[i]->tile_in);
      if (model_[i]) taps_[1 - i]->out.bind(model_[i]->tile_in);
    }
  }
  ~TwoHosts() {
    endpoints_.clear();
    for (auto& rtl : rtl_) rtl.reset();
    for (auto& model : model_) model.reset();
    taps_.clear();
    drivers_.clear();
  }

  /// Until everything has been delivered and reported as sent, and a little longer.
  void run(Time limit) {
    const Time step = Time::from_us(10);
    Time last = limit;
    for (Time now; now < limit && failure_.empty() && now < last; now += step) {
      sc_core::sc_start(kernel::to_sc_time(step));
      if (last == limit && complete()) last = now + Time::from_us(50);
    }
  }
  bool complete() const {
    for (size_t i = 0; i < 2; ++i) {
      if (endpoints_[i]->arrivals.size() != plans_[1 - i].size()) return false;
      if (endpoints_[i]->sent.size() != plans_[i].size()) return false;
    }
    return true;
  }
  std::string check() const {
    if (!failure_.empty()) return failure_;
    for (size_t i = 0; i < 2; ++i) {
      const auto& arrivals = endpoints_[i]->arrivals;
      if (arrivals.size() != plans_[1 - i].size()) return "messages missing";
      for (size_t k = 0; k < arrivals.size(); ++k) {
        if (!arrivals[k].intact) return "a wrong byte";
        if (arrivals[k].order != k || arrivals[k].bytes != plans_[1 - i][k].bytes) return "out of order";
      }
      if (endpoints_[i]->sent.size() != plans_[i].size()) return "on_sent() missing";
      if (!model_[i]) continue;
      for (const uint64_t dropped : model_[i]->counters().dropped) {
        if (dropped != 0) return "the model dropped packets";
      }
    }
    return {};
  }
  const std::vector<int64_t>& slots(size_t from) const { return taps_[from]->slots; }
  const std::vector<nic::exanet::Words>& packets(size_t from) const { return taps_[from]->packets; }
  const MessageEndpoint& endpoint(size_t i) const { return *endpoints_[i]; }
  const nic::exanet::Ni& model(size_t i) const { return *model_[i]; }

 private:
  std::vector<std::vector<Planned>> plans_;
  std::unique_ptr<kernel::SystemcContext> systemc_;
  std::vector<nic::exanet::Node> nodes_;
  std::vector<observe::EndpointDigest> digests_;
  std::string failure_;
  std::vector<std::unique_ptr<nic::exanet::driver::Driver>> drivers_;
  std::vector<std::unique_ptr<MessageEndpoint>> endpoints_;
  std::vector<std::unique_ptr<Tap>> taps_;
  std::unique_ptr<RtlNi> rtl_[2];
  std::unique_ptr<nic::exanet::Ni> model_[2];
};

constexpr uint64_t kSizes[] = {0, 1, 17, 32, 33, 64, 100, 255, 256, 257, 4096, 16384, 16385, 50001};

std::vector<Planned> apart(int32_t destination) {
  std::vector<Planned> plan;
  for (const uint64_t bytes : kSizes)
    plan.push_back({Time::from_us(40 * static_cast<int64_t>(plan.size())), destination, bytes});
  return plan;
}

std::vector<Planned> at_once(int32_t destination, int copies) {
  std::vector<Planned> plan;
  for (int i = 0; i < copies; ++i) {
    for (const uint64_t bytes : kSizes)
      plan.push_back({Time::from_ns(30 * static_cast<int64_t>(plan.size())), destination, bytes});
  }
  return plan;
}

TEST(NiInteroperation, MessagesOneByOneToTheRtl) {
  TwoHosts hosts({apart(1), {}}, {});
  hosts.run(Time::from_us(5000));
  EXPECT_THAT(hosts.check(), IsEmpty());
}

TEST(NiInteroperation, MessagesOneByOneFromTheRtl) {
  TwoHosts hosts({{}, apart(0)}, {});
  hosts.run(Time::from_us(5000));
  EXPECT_THAT(hosts.check(), IsEmpty());
}

TEST(NiInteroperation, ManyMessagesBothWays) {
  TwoHosts hosts({at_once(1, 6), at_once(0, 6)}, {});
  hosts.run(Time::from_us(20000));
  EXPECT_THAT(hosts.check(), IsEmpty());
}

// A mailbox of the RTL drops messages for 210 us after reset.
TEST(NiInteroperation, AModelSendsAgainWhatAMailboxDropsAfterReset) {
  TwoHosts hosts({at_once(1, 1), at_once(0, 1)}, {.wait_for_clearing = false});
  hosts.run(Time::from_us(20000));
  EXPECT_THAT(hosts.check(), IsEmpty());
  EXPECT_GT(hosts.model(0).packetizer().copies(), 0u);
}

// The RTL and the model instead of it send the same messages one by one: the other end gets the same packets, whatever
// it is.
TEST(NiInteroperation, PacketsAreTheSameBitForBit) {
  const auto packets = [](bool first, bool second) {
    TwoHosts hosts({apart(1), apart(0)}, {.rtl = {first, second}});
    hosts.run(Time::from_us(5000));
    EXPECT_THAT(hosts.check(), IsEmpty());
    // Requests, answers and messages leave independently of each other, and the cells of two blocks take turns, of
    // which either may have the first. Each kind keeps its order within a block.
    std::array<std::map<std::array<uint64_t, 3>, std::vector<std::vector<uint64_t>>>, 2> result;
    for (size_t from = 0; from < 2; ++from) {
      for (const nic::exanet::Words& packet : hosts.packets(from)) {
        std::vector<uint64_t> words;
        for (const link::Word& word : packet.all()) {
          words.push_back(word.lo);
          words.push_back(word.hi);
        }
        const uint64_t kind = packet.header().kind;
        const uint64_t own = kind == 0 ? packet.words[1].hi >> 60 : packet.header().sequence >> 10;
        const nic::exanet::Parsed parsed = nic::exanet::parse_ni_packet(packet, packet.header().destination);
        result[from][{kind, own, parsed.rdma ? parsed.rdma->block : 0}].push_back(words);
      }
    }
    return result;
  };
  const auto rtl = packets(true, true);
  EXPECT_GT(rtl[0].size(), 30u) << "messages, their answers; cells, notifications and answers of transfers";
  const auto compare = [&](const auto& other) {
    for (size_t from = 0; from < 2; ++from) {
      ASSERT_EQ(other[from].size(), rtl[from].size());
      for (const auto& [kind, expected] : rtl[from]) {
        const auto& actual = other[from].at(kind);
        ASSERT_EQ(actual.size(), expected.size()) << kind[0] << " " << kind[1] << " " << kind[2];
        for (size_t i = 0; i < expected.size(); ++i)
          ASSERT_EQ(actual[i], expected[i])
              << "kind " << kind[0] << "/" << kind[1] << ", block " << kind[2] << ", packet " << i;
      }
    }
  };
  compare(packets(false, true));
  compare(packets(true, false));
  compare(packets(false, false));
}

// A marked cell causes a notice, and cells leave with the gaps of the table, whatever is at the two ends.
TEST(NiInteroperation, GapsBehindMarksAreTheSame) {
  nic::exanet::CcaSettings congestion;
  congestion.enabled = true;
  congestion.increase = 4;
  congestion.limit = 19;
  congestion.timer = 60000;
  congestion.shift = 1;
  for (size_t i = 0; i < congestion.table.size(); ++i) congestion.table[i] = static_cast<uint16_t>(i);
  for (const bool from : {false, true}) {
    for (const bool to : {false, true}) {
      TwoHosts hosts({{{Time::from_us(30), 1, 50'000}}, {}}, {.rtl = {from, to}, .congestion = congestion, .marks = 6});
      hosts.run(Time::from_us(2000));
      ASSERT_THAT(hosts.check(), IsEmpty()) << from << to;
      int notices = 0;
      for (const nic::exanet::Words& packet : hosts.packets(1)) {
        if (packet.header().kind != static_cast<uint8_t>(nic::exanet::Kind::kNotice)) continue;
        EXPECT_EQ(packet.vc, nic::exanet::kNiAnswerVc);
        ++notices;
      }
      EXPECT_EQ(notices, 6) << from << to;
      std::vector<int64_t> cells;
      for (size_t i = 0; i < hosts.packets(0).size(); ++i) {
        if (hosts.packets(0)[i].count == link::kMaxPacketWords) cells.push_back(hosts.slots(0)[i]);
      }
      ASSERT_GT(cells.size(), 190u);
      // Six notices lead to the limit of 19 halves.
      for (size_t i = 120; i < 180; ++i)
        EXPECT_EQ(cells[i + 1] - cells[i], 18 + 18 * 19 / 2) << from << to << " cell " << i;
    }
  }
}

// What passes is what the packet code of the RTL's own tests makes of it.
TEST(NiInteroperation, PacketsAreThoseOfTheBenches) {
  TwoHosts hosts({apart(1), apart(0)}, {.rtl = {false, false}});
  hosts.run(Time::from_us(5000));
  ASSERT_THAT(hosts.check(), IsEmpty());
  int own = 0, rdma = 0;
  for (size_t from = 0; from < 2; ++from) {
    for (const nic::exanet::Words& packet : hosts.packets(from)) {
      if (packet.header().kind == 0) {
        std::vector<NiWord> words;
        for (const link::Word& word : packet.all()) words.push_back({word.lo, word.hi});
        EXPECT_TRUE(NiPacket::parse(words, packet.vc).has_value());
        ++own;
        continue;
      }
      std::vector<FlitWord> words;
      for (size_t i = 0; i < packet.count; ++i) {
        words.push_back({make_word(packet.words[i].lo, packet.words[i].hi), i == 0, i + 1 == packet.count});
      }
      EXPECT_TRUE(test::RdmaPacket::intact(words));
      const std::vector<FlitWord> again = test::RdmaPacket::decode(words).encode();
      ASSERT_EQ(again.size(), words.size());
      // The benches leave the tie bits zero.
      words[0].data[3] &= 0x00ffffff;
      for (size_t i = 0; i + 1 < words.size(); ++i) EXPECT_EQ(again[i].data, words[i].data);
      for (size_t w = 1; w < 4; ++w) EXPECT_EQ(again.back().data[w], words.back().data[w]);
      ++rdma;
    }
  }
  EXPECT_GT(own, 90);
  EXPECT_GT(rdma, 500);
}

}  // namespace
}  // namespace fabrictwin::test
