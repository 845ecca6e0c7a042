// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The host port and the errors of a node's transactor, over logic that is none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "cosim/link/host_message.h"
#include "rtl/transactor/node/transactor.h"
#include "rtl/transactor/node/verilated_node.h"
#include "tests/cosim/link/ring_memory.h"
#include "tests/rtl/transactor/fake_fpga.h"

namespace fabrictwin::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Time kLatency = Time::from_ps(62'500);

struct NoClocks {
  static void lower(FakeRoot&) {}
};

struct FakeNode : rtl::node::VerilatedNode<FakeFpga, NoClocks> {
  FakeFpga& fpga() { return model(); }
};

struct Wire {
  Wire(uint32_t id, const char* name)
      : spec{id, name, kLatency, Clock::of_words(Bandwidth{16'000'000'000}, link::kWordBits)},
        sender(spec, ring.get()),
        receiver(spec, ring.get()) {}
  link::ChannelSpec spec;
  TestRing ring{1024};
  link::ChannelSender sender;
  link::ChannelReceiver receiver;
};

class NodeHostPortTest : public ::testing::Test {
 protected:
  NodeHostPortTest() {
    auto model = std::make_unique<FakeNode>();
    fpga_ = &model->fpga();
    auto node = rtl::node::Transactor::create(config(), std::move(model));
    EXPECT_TRUE(node.ok()) << node.status();
    node_ = *std::move(node);
  }

  rtl::node::Config config() {
    rtl::node::Config config;
    config.name = "qfdb[0].switch[1]";
    config.kind = rtl::node::FpgaKind::kPlain;
    config.node = 5;
    config.router_clock = Clock(Frequency{156'250'000});
    config.ports[0].enabled = true;
    config.ports[0].sender = &up_.sender;
    config.ports[0].receiver = &down_.receiver;
    config.ports[1].enabled = true;
    config.ports[1].word_clock = out_.spec.word_clock;
    config.ports[1].initial_credits = rtl::node::kNodeBoardCredits;
    config.ports[1].sender = &out_.sender;
    config.ports[1].receiver = &in_.receiver;
    return config;
  }

  void say(const link::HostMessage& message) { down_.sender.send_record(now_, message.encode()); }

  /// Advances by `time` and answers memory accesses 100 ns later unless `deaf`.
  absl::Status run(Time time, Time step = Time::from_ns(50)) {
    const Time end = now_ + time;
    while (now_ < end) {
      now_ = std::min(end, now_ + step);
      for (Wire* wire : {&down_, &in_}) {
        wire->sender.flush(now_);
        if (absl::Status status = wire->receiver.poll(); !status.ok()) return status;
      }
      if (absl::Status status = node_->advance(now_); !status.ok()) return status;
      up_.sender.flush(now_);
      EXPECT_TRUE(up_.receiver.poll().ok());
      for (; const link::Record* record = up_.receiver.front(); up_.receiver.pop()) {
        heard_.push_back(*link::HostMessage::decode(*record));
        times_.push_back(record->time());
        if (!deaf_) answer(heard_.back());
      }
    }
    return absl::OkStatus();
  }

  void answer(const link::HostMessage& message) {
    const Time sent = now_ + Time::from_ns(100);
    if (message.operation == link::HostOperation::kMemoryRead) {
      for (uint32_t i = 0; i < message.words; i += 2) {
        const std::array<link::Word, 2> data{link::Word{message.address + i, 0},
                                             link::Word{message.address + i + 1, 0}};
        down_.sender.send_record(sent, link::HostMessage::memory_data(message.tag, message.address == 0xbad0,
                                                                      data.data(), std::min(2u, message.words - i))
                                           .encode());
      }
    }
    if (message.operation == link::HostOperation::kMemoryWrite)
      down_.sender.send_record(sent,
                               link::HostMessage::memory_written(message.tag, message.address == 0xbad0).encode());
  }

  Wire down_{0, "mpsoc[0]->qfdb[0].switch[1].host"}, up_{1, "qfdb[0].switch[1].host->mpsoc[0]"};
  Wire in_{2, "qfdb[0].router.f2->qfdb[0].switch[1].f1"}, out_{3, "qfdb[0].switch[1].f1->qfdb[0].router.f2"};
  FakeFpga* fpga_ = nullptr;
  std::unique_ptr<rtl::node::Transactor> node_;
  Time now_;
  bool deaf_ = false;
  std::vector<link::HostMessage> heard_;
  std::vector<Time> times_;
};

TEST_F(NodeHostPortTest, MakesAccessesOfAllWidthsInOrder) {
  using enum link::HostRegion;
  say(link::HostMessage::register_write(kMessages, 0x40, 8, 1, {0x1122334455667788, 0}));
  say(link::HostMessage::register_write(kMessages, 0x4c, 4, 2, {0xaabbccdd, 0}));
  say(link::HostMessage::register_write(kRdma, 0x100, 16, 3, {1, 2}));
  say(link::HostMessage::register_write(kRdma, 0x108, 8, 4, {3, 99}));
  say(link::HostMessage::register_read(kMessages, 0x40, 8, 5));
  say(link::HostMessage::register_read(kMessages, 0x4c, 4, 6));
  say(link::HostMessage::register_read(kRdma, 0x100, 16, 7));
  say(link::HostMessage::register_read(kRdma, 0x108, 8, 8));
  say(link::HostMessage::register_read(kRdma, 0x104, 4, 9));
  say(link::HostMessage::register_write(kController, 0x1c, 4, 10, {0x12345678, 0}));
  say(link::HostMessage::register_read(kController, 0x1c, 4, 11));
  say(link::HostMessage::register_read(kController, 0x18, 4, 12));
  ASSERT_TRUE(run(Time::from_us(4)).ok());
  ASSERT_EQ(heard_.size(), 12u);
  for (uint32_t i = 0; i < 12; ++i) {
    EXPECT_EQ(heard_[i].tag, i + 1);
    EXPECT_EQ(heard_[i].response, 0u);
  }
  EXPECT_EQ(heard_[4].data[0], (link::Word{0x1122334455667788, 0}));
  EXPECT_EQ(heard_[5].data[0], (link::Word{0xaabbccdd, 0}));
  EXPECT_EQ(heard_[6].data[0], (link::Word{1, 3}));
  EXPECT_EQ(heard_[7].data[0], (link::Word{3, 0}));
  EXPECT_EQ(heard_[8].data[0], (link::Word{0, 0}));
  EXPECT_EQ(heard_[10].data[0], (link::Word{0x12345678, 0}));
  EXPECT_EQ(heard_[11].data[0], (link::Word{0, 0}));
  EXPECT_TRUE(node_->next_event().is_never()) << "idle again";
}

TEST_F(NodeHostPortTest, PassesOnWhatTheLogicAnswers) {
  fpga_->messages.refused = 0x48;
  say(link::HostMessage::register_write(link::HostRegion::kMessages, 0x48, 8, 1, {}));
  say(link::HostMessage::register_read(link::HostRegion::kMessages, 0x48, 8, 2));
  // No bus can make these.
  say(link::HostMessage::register_read(link::HostRegion::kController, 0x1000, 4, 3));
  say(link::HostMessage::register_write(link::HostRegion::kMessages, 0x40, 16, 4, {}));
  say(link::HostMessage::register_write(link::HostRegion::kRdma, 0x20000, 8, 5, {}));
  ASSERT_TRUE(run(Time::from_us(2)).ok());
  std::vector<uint32_t> responses;
  for (const link::HostMessage& message : heard_) responses.push_back(message.response);
  EXPECT_THAT(responses, ElementsAre(2, 2, 3, 3, 3));
}

TEST_F(NodeHostPortTest, ActsAtTheFirstEdgeAndSkipsTheRest) {
  ASSERT_TRUE(run(Time::from_us(1)).ok());
  const uint64_t before = node_->events();
  EXPECT_LT(before, 5u) << "nothing happens";
  say(link::HostMessage::register_write(link::HostRegion::kController, 0x1000, 4, 3, {}));
  ASSERT_TRUE(run(Time::from_us(1)).ok());
  // Arrives at 1062.5 ns, so it acts at edge 167 (1068.8 ns), and so does its answer.
  ASSERT_EQ(times_.size(), 1u);
  EXPECT_EQ(times_[0], Time::from_ps(1'068'800) + kLatency);
  EXPECT_EQ(fpga_->times.back(), 167u) << "the logic is told the number of the edge";
}

TEST_F(NodeHostPortTest, CarriesMemoryAccesses) {
  for (uint64_t i = 0; i < 20; ++i) {
    fpga_->reads.push_back({i == 7 ? 0xbad0 : 0x1000 + 256 * i, std::vector<uint64_t>(1 + i % 16)});
    fpga_->writes.push_back({i == 5 ? 0xbad0 : 0x8000 + 256 * i, std::vector<uint64_t>(1 + i % 16, i)});
  }
  fpga_->events = {3, 3, 63};
  say(link::HostMessage::register_write(link::HostRegion::kMessages, 0, 8, 1, {}));  // Something that wakes the logic.
  ASSERT_TRUE(run(Time::from_us(20)).ok());
  std::vector<std::pair<uint64_t, int>> expected;
  std::vector<int> written(20, 0);
  written[5] = 2;
  for (uint64_t i = 0; i < 20; ++i) {
    for (uint64_t w = 0; w < 1 + i % 16; ++w)
      expected.emplace_back((i == 7 ? 0xbad0 : 0x1000 + 256 * i) + w, (i == 7 ? 2 : 0) + (w == i % 16 ? 100 : 0));
  }
  EXPECT_EQ(fpga_->data, expected);
  EXPECT_EQ(fpga_->written, written);
  EXPECT_EQ(fpga_->most_reads_open, 8);
  std::vector<uint32_t> events;
  uint64_t next_write = 0;
  uint32_t words = 0;
  for (const link::HostMessage& message : heard_) {
    if (message.operation == link::HostOperation::kEvent) events.push_back(message.interface);
    if (message.operation == link::HostOperation::kMemoryWrite) {
      EXPECT_EQ(words, 0u) << "the bytes of the write before are there";
      EXPECT_EQ(message.user, 0x20001u);
      words = message.words;
      EXPECT_EQ(words, 1 + next_write++ % 16);
    }
    if (message.operation == link::HostOperation::kMemoryBytes) {
      const uint32_t first = static_cast<uint32_t>((next_write - 1) % 16) + 1 - words;
      for (uint32_t k = 0; k < message.data_words; ++k) {
        EXPECT_EQ(message.data[k].lo, next_write - 1);
        EXPECT_EQ(message.strobes >> (16 * k) & 0xffff, 0x101u << (first + k) & 0xffff);
      }
      words -= message.data_words;
    }
  }
  EXPECT_EQ(next_write, 20u);
  EXPECT_THAT(events, ElementsAre(3, 3, 63));
}

TEST_F(NodeHostPortTest, TellsThatTheInterruptRises) {
  fpga_->requests = {1, 1, 1, 0, 1, 0, 0, 1};
  say(link::HostMessage::register_write(link::HostRegion::kMessages, 0, 8, 1, {}));
  ASSERT_TRUE(run(Time::from_us(2)).ok());
  size_t interrupts = 0;
  for (const link::HostMessage& message : heard_) {
    if (message.operation == link::HostOperation::kInterrupt) ++interrupts;
  }
  EXPECT_EQ(interrupts, 3u);
}

TEST_F(NodeHostPortTest, SaysWhatItWaitsFor) {
  EXPECT_THAT(node_->waits(), IsEmpty());
  fpga_->rdma.dead = true;
  say(link::HostMessage::register_read(link::HostRegion::kRdma, 0xc0, 16, 1));
  ASSERT_TRUE(run(Time::from_us(1)).ok());
  EXPECT_THAT(node_->waits(), ElementsAre("qfdb[0].switch[1] waits for the end of a read of 16 bytes at RDMA 0xc0"));
  EXPECT_FALSE(node_->next_event().is_never());
  fpga_->credit_stall_o = 3;
  EXPECT_THAT(node_->waits(),
              ElementsAre(HasSubstr("its network interface"), HasSubstr(out_.spec.name), HasSubstr("RDMA")));
}

TEST_F(NodeHostPortTest, NamesAnswersThatBelongToNothing) {
  const std::array<link::Word, 1> data{};
  say(link::HostMessage::memory_data(4, 0, data.data(), 1));
  const absl::Status status = run(Time::from_us(1));
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("qfdb[0].switch[1] at 62.5 ns: mpsoc[0]->qfdb[0].switch[1].host: protocol error: the memory "
                        "answers read 4, but none waits"));
}

TEST_F(NodeHostPortTest, NamesTooManyWords) {
  deaf_ = true;
  fpga_->reads.push_back({0x100, {0}});
  say(link::HostMessage::register_write(link::HostRegion::kMessages, 0, 8, 1, {}));
  ASSERT_TRUE(run(Time::from_us(1)).ok());
  const std::array<link::Word, 2> data{};
  say(link::HostMessage::memory_data(0, 0, data.data(), 2));
  EXPECT_THAT(std::string(run(Time::from_us(1)).message()), HasSubstr("read 0 with more than its 1 words"));
}

TEST_F(NodeHostPortTest, NamesRecordsOfAnotherPort) {
  say(link::HostMessage::event(1));
  EXPECT_THAT(std::string(run(Time::from_us(1)).message()), HasSubstr("host operation 10"));
}

TEST_F(NodeHostPortTest, NamesHostRecordsOnALink) {
  in_.sender.send_record(now_, link::HostMessage::event(1).encode());
  EXPECT_THAT(
      std::string(run(Time::from_us(1)).message()),
      HasSubstr("qfdb[0].switch[1] at 62.5 ns: qfdb[0].router.f2->qfdb[0].switch[1].f1 carries a record of kind 4"));
}

TEST_F(NodeHostPortTest, NamesWordsOnTheHostPort) {
  down_.sender.send_credit(now_, 0, 1);
  EXPECT_THAT(std::string(run(Time::from_us(1)).message()), HasSubstr("a record of kind 3"));
}

TEST_F(NodeHostPortTest, TellsOfAnErrorOfTheLogic) {
  fpga_->error_o = 1;
  say(link::HostMessage::register_write(link::HostRegion::kMessages, 0, 8, 1, {}));
  const absl::Status status = run(Time::from_us(1));
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()), HasSubstr("qfdb[0].switch[1] at"));
}

TEST_F(NodeHostPortTest, RefusesWhatTheLogicIsNot) {
  const auto error_of = [](const rtl::node::Config& config) {
    const auto node = rtl::node::Transactor::create(config, std::make_unique<FakeNode>());
    EXPECT_EQ(node.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(node.status().message());
  };
  rtl::node::Config wrong = config();
  wrong.wave.file = "a.fst";
  EXPECT_THAT(error_of(wrong), HasSubstr("qfdb[0].switch[1]: a waveform is asked for"));
  wrong = config();
  wrong.ports[0].enabled = false;
  EXPECT_THAT(error_of(wrong), HasSubstr("the host port is not connected"));
  wrong = config();
  wrong.ports[1].initial_credits = 63;
  EXPECT_THAT(error_of(wrong), HasSubstr("port 1 starts with 63 credits; the RTL of a node has 64"));
  wrong = config();
  wrong.ports[4] = wrong.ports[1];
  EXPECT_THAT(error_of(wrong), HasSubstr("port 4 is a network link, but this is a plain FPGA"));
  wrong = config();
  wrong.ports[1].word_clock = Clock(Frequency{300'000'000});
  EXPECT_THAT(error_of(wrong), HasSubstr("carries a word each"));
  wrong = config();
  wrong.coordinates = {1, 0, 0};
  EXPECT_THAT(error_of(wrong), HasSubstr("coordinate 1 of 1 in dimension 0"));
  wrong = config();
  wrong.node = 1 << 22;
  EXPECT_THAT(error_of(wrong), HasSubstr("node number 4194304"));
}

}  // namespace
}  // namespace fabrictwin::test
