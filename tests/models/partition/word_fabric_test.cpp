// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Nodes of exanest whose routers are packets, beside those that move words.
#include "models/partition/word_fabric.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cosim/engine/partition.h"
#include "cosim/link/channel_receiver.h"
#include "cosim/link/channel_sender.h"
#include "cosim/link/packet.h"
#include "tests/models/router/packet/packet_run.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

constexpr const char* kAllPackets = "use { select: \"*\" implementation: MODEL depth: PACKET } ";

std::string exanest(int blades, int boards, const std::string& rest) {
  return fmt::format("topology {{ exanest {{ blades: {} qfdbs: {} }} }} {}", blades, boards, rest);
}

/// Rules by which the nodes of `packets` are packets, by number.
std::string packets_of(const std::vector<bool>& packets) {
  std::string selector;
  for (size_t node = 0; node < packets.size(); ++node) {
    if (!packets[node]) continue;
    if (!selector.empty()) selector += ",";
    selector += node % 4 == 0 ? fmt::format("qfdb[{}].router", node / 4)
                              : fmt::format("qfdb[{}].switch[{}]", node / 4, node % 4);
  }
  return selector.empty() ? "" : fmt::format("use {{ select: \"{}\" implementation: MODEL depth: PACKET }} ", selector);
}

std::string use(const std::string& select, const std::string& depth) {
  return fmt::format("use {{ select: \"{}\" implementation: MODEL depth: {} }} ", select, depth);
}

/// Where routers may be packets, and where those meet words.
const std::string kDepths[] = {use("*", "PACKET"), use("*", "PACKET") + use("qfdb[0].*", "EXANET"),
                               use("*", "PACKET") + use("qfdb[*].router", "EXANET"), use("qfdb[*].router", "PACKET")};

/// None, one with which the latencies of the two directions of a link differ, and one with a routing block.
const std::string kCalibrations[] = {"", "calibration: \"workloads/experiments/data/exanest-calibration.textproto\" ",
                                     "calibration: \"workloads/experiments/data/exanest-prototype.textproto\" "};

// Messages of one host, by every kind of link and of packet, arrive to the femtosecond when they do as words.
TEST(WordFabricTest, MessagesAloneTakeTheTimeOfWords) {
  for (const std::string& calibration : kCalibrations) {
    for (const int host : {0, 5}) {
      for (const char* payload : {"32B", "100B", "256B"}) {
        const std::string text =
            exanest(2, 4,
                    calibration +
                        fmt::format("workload {{ traffic {{ duration: \"400us\" class {{ hosts: \"{}\" payload: \"{}\" "
                                    "pattern: UNIFORM load: 0.003 }} }} }} ",
                                    host, payload));
        const v1::Report words = report_of(text, {}, false);
        ASSERT_GT(words.packets_delivered(), 5u);
        for (const std::string& depths : kDepths) {
          const v1::Report packets = report_of(depths + text, {}, false);
          EXPECT_EQ(packets.timing_digest(), words.timing_digest())
              << payload << " from host " << host << ", " << depths << calibration;
          for (int i = 0; i < words.links_size(); ++i) {
            // At the end, an answer may be on its way, which counts when it begins to leave.
            EXPECT_LE(packets.links(i).packets() - words.links(i).packets(), 1u) << words.links(i).name();
          }
        }
      }
    }
  }
}

// So do those of a host that sends as much as it can to another board.
TEST(WordFabricTest, PacketsOfAHostFollowEachOtherAsWordsDo) {
  for (const char* destination : {"4", "5"}) {
    const std::string text =
        exanest(1, 4,
                fmt::format("workload {{ traffic {{ duration: \"60us\" class {{ hosts: \"0\" pattern: HOTSPOT "
                            "hotspot_fraction: 1 hotspot_hosts: {} load: 0.6 }} }} }} ",
                            destination));
    const v1::Report words = report_of(text, {}, false);
    for (const std::string& depths : kDepths)
      EXPECT_EQ(report_of(depths + text, {}, false).timing_digest(), words.timing_digest()) << destination << depths;
  }
}

// Where packets wait for each other, times are nearly those of words.
TEST(WordFabricTest, UnderLoadLatenciesAreNearlyThoseOfWords) {
  const std::string text =
      exanest(2, 2, "workload { traffic { pattern: UNIFORM load: 0.15 duration: \"150us\" } } seed: 4 ");
  const v1::Report words = report_of(text, {}, false);
  const v1::Report packets = report_of(kAllPackets + text, {}, false);
  EXPECT_EQ(packets.payload_digest(), words.payload_digest());
  EXPECT_NE(packets.timing_digest(), words.timing_digest());
  EXPECT_NEAR(packets.traffic().latency_seconds().mean() / words.traffic().latency_seconds().mean(), 1, 0.02);
}

// Cells fill a link between boards, with the framing behind each.
TEST(WordFabricTest, StreamsAreAsFastAsWords) {
  const std::string text =
      exanest(1, 2, "workload { osu { benchmark: BW sizes: \"8KiB\" } placement { hosts: \"0,4\" } } ");
  const v1::Report words = report_of(text, {}, false);
  const v1::Report packets = report_of(kAllPackets + text, {}, false);
  EXPECT_EQ(packets.payload_digest(), words.payload_digest());
  EXPECT_NEAR(packets.simulated_seconds() / words.simulated_seconds(), 1, 0.003);
}

// Whichever nodes are packets, hosts receive the same, and neither the steps in which that is simulated show nor where
// words become packets and packets words.
RC_GTEST_PROP(WordFabric, AnyNodesMayBePackets, ()) {
  const auto packets = *rc::gen::container<std::vector<bool>>(16, rc::gen::arbitrary<bool>());
  const int64_t step = *rc::gen::inRange<int64_t>(1, 3000);
  const std::string text =
      exanest(1, 4,
              fmt::format("workload {{ skeleton {{ ranks: 16 minife {{ global: \"12x12x12\" iterations: 1 }} }} }} "
                          "seed: {} ",
                          *rc::gen::inRange(1, 1000)));
  const v1::Report words = report_of(text, {}, false);
  const v1::Report mixed = report_of(packets_of(packets) + text, {}, false);
  RC_ASSERT(mixed.complete());
  RC_ASSERT(mixed.payload_digest() == words.payload_digest());
  RC_ASSERT(mixed.packets_delivered() == words.packets_delivered());
  const absl::StatusOr<v1::Report> stepped = run_models(packets_of(packets) + text, {}, Time::from_ns(step));
  RC_ASSERT(stepped.ok());
  RC_ASSERT(stepped->timing_digest() == mixed.timing_digest());
}

/// In the place of the RTL of a node: sends what it is told to by its port f1 at the beginning, and nothing else.
class Scripted : public engine::Partition {
 public:
  using Script = std::function<void(link::ChannelSender&, const system::SystemGraph&)>;

  Scripted(const run::PartitionContext& context, Script script) : context_(context), script_(std::move(script)) {}
  absl::Status advance(Time until) override {
    for (const run::CutPort& port : context_.ports) {
      while (port.receiver->front() != nullptr && port.receiver->front()->time() < until) port.receiver->pop();
      const system::SystemGraph& graph = context_.plan->graph;
      if (!sent_ && graph.elements[static_cast<size_t>(port.element)].ports[static_cast<size_t>(port.port)] == "f1")
        script_(*port.sender, graph);
    }
    sent_ = true;
    return absl::OkStatus();
  }
  Time next_event() const override {
    Time next = sent_ ? Time::never() : Time::zero();
    for (const run::CutPort& port : context_.ports) next = std::min(next, port.sender->next_departure());
    return next;
  }
  uint64_t events() const override { return 0; }

 private:
  run::PartitionContext context_;
  Script script_;
  bool sent_ = false;
};

/// F2 of the first of two boards is scripted, and all others are packets. Its link leads to port f2 of F1.
absl::StatusOr<v1::Report> run_scripted(const Scripted::Script& script) {
  const std::string text =
      exanest(1, 2,
              "use { select: \"*\" implementation: MODEL depth: PACKET } "
              "use { select: \"qfdb[0].switch[1]\" implementation: RTL } "
              "workload { traffic { duration: \"2us\" class { hosts: \"1\" pattern: UNIFORM load: 0.5 } } } ");
  absl::StatusOr<std::unique_ptr<run::Run>> run =
      prepare_models(text, {}, Time::never(), 1, nullptr,
                     [&](const run::PartitionContext& context) { return std::make_unique<Scripted>(context, script); });
  if (!run.ok()) return run.status();
  if (absl::Status status = (*run)->execute(std::stop_token()); !status.ok()) return status;
  return (*run)->report();
}

constexpr int64_t kSlot = 100;

/// The header of a packet of 18 words from F2 of the first board to F1 of the other one.
link::PacketHeader header_in(const system::SystemGraph& graph) {
  link::PacketHeader header;
  header.payload_bytes = link::kMaxPayloadBytes;
  for (const system::Element& element : graph.elements) {
    if (element.name == "qfdb[0].switch[1]") header.source = element.address;
    if (element.name != "qfdb[1].router") continue;
    header.destination = element.address;
    std::copy(element.coordinates.begin(), element.coordinates.end(), header.coordinates.begin());
  }
  return header;
}

// Words that come by a cut link; the time of a failure is when what is wrong arrives.
TEST(WordFabricTest, WrongWordsOfAnotherPartitionEndTheRun) {
  Time arrives;
  const auto error = [&](link::PacketHeader (*change)(link::PacketHeader)) {
    return std::string(run_scripted([&](link::ChannelSender& sender, const system::SystemGraph& graph) {
                         arrives = sender.spec().word_clock.edge(kSlot + 1) + sender.spec().latency;
                         sender.send_word(kSlot, 0, link::kStartOfPacket, change(header_in(graph)).encode());
                       })
                           .status()
                           .message());
  };
  const auto at = [&] { return fmt::format("at {}: qfdb[0].router, port f2, VC 0: ", to_string(arrives)); };
  const std::string coordinates = error([](link::PacketHeader header) {
    header.coordinates = {0, 0, 0};
    return header;
  });
  EXPECT_THAT(coordinates, HasSubstr(at() + "a packet to node 0x"));
  EXPECT_THAT(coordinates,
              ::testing::ContainsRegex("at \\([01],[01],0\\), and its header has the coordinates \\(0,0,0\\)"));
  // To F1 itself, which would take it for a packet to another board.
  const std::string on_board = error([](link::PacketHeader header) {
    header.destination = header.source & ~3U;
    header.coordinates = {7, 7, 7};
    return header;
  });
  EXPECT_THAT(on_board, HasSubstr(at() + "a packet to node 0x"));
  EXPECT_THAT(on_board, HasSubstr("has the coordinates (7,7,7)"));
  const std::string nowhere = error([](link::PacketHeader header) {
    header.destination = 0xfffff0;
    return header;
  });
  EXPECT_THAT(nowhere, HasSubstr(at() + "a packet to node 0xfffff0, and there is none"));
}

TEST(WordFabricTest, ACreditThatIsNotOwedEndsTheRun) {
  Time arrives;
  const absl::Status status = run_scripted([&](link::ChannelSender& sender, const system::SystemGraph&) {
                                const Time sent = Time::from_ns(500);
                                arrives = sent + sender.spec().latency;
                                sender.send_credit(sent, 1, 200);
                              }).status();
  EXPECT_THAT(
      std::string(status.message()),
      HasSubstr(fmt::format("at {}: qfdb[0].router, port f2, VC 1: a credit of 200 words, and ", to_string(arrives))));
}

TEST(WordFabricTest, SaysWhatHasNotCome) {
  const absl::Status status = run_scripted([](link::ChannelSender& sender, const system::SystemGraph& graph) {
                                sender.send_word(kSlot, 0, link::kStartOfPacket, header_in(graph).encode());
                                for (int64_t i = 1; i < 17; ++i) sender.send_word(kSlot + i, 0, 0, link::Word());
                              }).status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("nothing can happen any more"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("qfdb[0].router, port f2, VC 0: 17 of 18 words have come"));
}

/// Live metrics of the buffers of routers.
int buffer_metrics(const std::string& text) {
  absl::StatusOr<std::unique_ptr<run::Run>> run = prepare_models(text);
  EXPECT_TRUE(run.ok() && (*run)->execute(std::stop_token()).ok());
  if (!run.ok()) return -1;
  const observe::MetricReports measures = (*run)->sample().measures;
  return static_cast<int>(std::count_if(measures.begin(), measures.end(), [](const v1::MetricReport& metric) {
    return metric.name().starts_with("fabrictwin_router_buffer_");
  }));
}

// Means over the routers that happen to be words would look like those of all.
TEST(WordFabricTest, BuffersAreMeasuredWhereAllAreWords) {
  const std::string text = exanest(1, 2, "workload { traffic { load: 0.1 duration: \"2us\" } } ");
  EXPECT_EQ(buffer_metrics(text), 3);
  EXPECT_EQ(buffer_metrics(use("qfdb[*].router", "PACKET") + text), 0);
}

TEST(WordFabricTest, RefusesWhatLooksAtWordsInRouters) {
  const std::string text = exanest(1, 2, "workload { traffic { load: 0.1 } } ");
  EXPECT_THAT(error_of(kAllPackets + text, {"statistics.occupancy_interval=1us"}),
              HasSubstr("test.textproto:1:15: error: depth PACKET is not possible in exanest 1x2: packet_trace and "
                        "occupancy_interval look at words in routers; leave them out"));
  EXPECT_THAT(error_of("use { select: \"mpsoc[*]\" implementation: MODEL depth: PACKET } " + text, {}),
              HasSubstr("hosts and their network interfaces are the same at all depths; select their nodes"));
}

// What only rules want that others have taken the place of is no obstacle.
TEST(WordFabricTest, RefusesOnlyWhatIsPackets) {
  const std::string text = exanest(1, 2, "workload { traffic { load: 0.1 duration: \"2us\" } } ");
  for (const std::vector<std::string>& sets :
       {std::vector<std::string>{"statistics.occupancy_interval=1us"}, {"congestion.ib_cca.threshold=8"}}) {
    EXPECT_EQ(error_of(kAllPackets + use("*", "EXANET") + text, sets), "");
    const std::string error = error_of(kAllPackets + use("qfdb[0].router", "EXANET") + text, sets);
    EXPECT_THAT(error, HasSubstr("test.textproto:1:15: error: depth PACKET is not possible in exanest 1x2: "));
    // Once for each rule.
    EXPECT_EQ(error.find("error: "), error.rfind("error: "));
  }
}

}  // namespace
}  // namespace fabrictwin
