// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A port of a user's own router behind a shell, whose links are watched.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <new>
#include <optional>
#include <string>

#include "bridges/board/shell/port.h"
#include "cosim/link/channel_receiver.h"
#include "cosim/link/channel_sender.h"
#include "cosim/link/ring.h"

namespace fabrictwin::bridges::board::shell {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr link::LinkType kWords{.vcs = 3, .word_bits = 32, .credit_words = 2};
constexpr int kVcBits = 2;
constexpr int32_t kCredits = 2;  ///< For four words.

class ShellPort : public ::testing::Test {
 protected:
  struct Ring {
    Ring() : bytes(new (std::align_val_t{64}) std::byte[link::ring_bytes(link::kDefaultRingSlots)]()) {}
    ~Ring() { ::operator delete[](bytes, std::align_val_t{64}); }
    Ring(const Ring&) = delete;
    Ring& operator=(const Ring&) = delete;
    link::RingMemory* memory() { return link::initialize_ring(bytes, link::kDefaultRingSlots); }
    std::byte* bytes;
  };

  ShellPort() {
    config_.enabled = true;
    config_.word_clock = clock_;
    config_.initial_credits = kCredits;
    config_.sender = &sender_;
    config_.receiver = &receiver_;
    port_.emplace(config_, clock_, kVcBits);
    port_->watch(kWords);
  }

  /// The router sends so many words of a packet, from its beginning on, in records of one.
  std::string send(int words, uint8_t vc, bool end) {
    std::string error;
    for (int i = 0; i < words && error.empty(); ++i) {
      Slot slot;
      slot.kind = Kind::kWords;
      slot.edge = edge_++;
      slot.vc = vc;
      slot.count = 1;
      slot.flags =
          static_cast<uint8_t>((i == 0 ? link::kStartOfPacket : 0) | (end && i == words - 1 ? link::kEndOfPacket : 0));
      error = std::string(port_->send(slot).message());
    }
    return error;
  }
  std::string give_back(uint8_t vc, uint8_t count) {
    Slot slot;
    slot.kind = Kind::kCredits;
    slot.edge = edge_++;
    slot.add_credit({0, vc, count}, kVcBits);
    return std::string(port_->send(slot).message());
  }
  /// So many words of a packet come from the neighbour.
  std::string come(int words, uint8_t vc) {
    for (int i = 0; i < words; ++i) neighbour_.send_word(slot_++, vc, i == 0 ? link::kStartOfPacket : 0, link::Word{});
    neighbour_.flush(clock_.edge(slot_ + 1));
    return take();
  }
  std::string take() {
    EXPECT_TRUE(receiver_.poll().ok());
    return std::string(port_->receive(clock_.edge(slot_ + 1000)).message());
  }

  const Clock clock_{Frequency{100'000'000}};
  Ring to_memory_, from_memory_;
  link::RingMemory* to_ = to_memory_.memory();
  link::RingMemory* from_ = from_memory_.memory();
  const link::ChannelSpec to_spec_{2, "router[4].x+->router[5].x-", Time::from_ns(10), clock_, kWords, false};
  const link::ChannelSpec from_spec_{3, "router[5].x-->router[4].x+", Time::from_ns(10), clock_, kWords, false};
  link::ChannelSender neighbour_{to_spec_, to_};
  link::ChannelReceiver receiver_{to_spec_, to_};
  link::ChannelSender sender_{from_spec_, from_};
  PortConfig config_;
  std::optional<Port> port_;
  int64_t edge_ = 1;
  int64_t slot_ = 1;
};

TEST_F(ShellPort, LetsPassWhatHasCredits) {
  EXPECT_EQ(send(4, 2, true), "");
  EXPECT_EQ(send(3, 0, true), "");
  EXPECT_EQ(come(4, 1), "");
  EXPECT_EQ(give_back(1, 0), "") << "nothing is given back for nothing";
  EXPECT_EQ(give_back(1, 2), "");
}

TEST_F(ShellPort, NamesTheLinkOfAWordWithoutACredit) {
  EXPECT_EQ(send(4, 2, false), "");
  edge_ = 50;
  Slot slot;
  slot.kind = Kind::kWords;
  slot.edge = edge_;
  slot.vc = 2;
  slot.count = 1;
  EXPECT_THAT(std::string(port_->send(slot).message()), AllOf(HasSubstr("at 500 ns: "), HasSubstr(from_spec_.name),
                                                              HasSubstr("it sends on VC 2 without a credit")));
}

TEST_F(ShellPort, NamesVcsAndPacketsThatAreNone) {
  EXPECT_THAT(send(1, 3, true), HasSubstr("it sends on VC 3, and there are 3"));
  EXPECT_EQ(send(2, 1, false), "");
  EXPECT_THAT(send(1, 1, false), HasSubstr("it sends a packet without an end, or without a beginning"));
}

TEST_F(ShellPort, NamesCreditsThatWereNotUsed) {
  EXPECT_THAT(give_back(0, 1), AllOf(HasSubstr(from_spec_.name), HasSubstr("more credits of VC 0 than were used")));
  neighbour_.send_credit(clock_.edge(slot_), 1, 1);
  neighbour_.flush(clock_.edge(slot_ + 1));
  EXPECT_THAT(take(), AllOf(HasSubstr(to_spec_.name), HasSubstr("more credits come for VC 1 than there are")));
}

TEST_F(ShellPort, NamesTheNeighbourThatSendsWithoutACredit) {
  EXPECT_THAT(come(5, 1), AllOf(HasSubstr(to_spec_.name), HasSubstr("a word comes on VC 1 without a credit")));
}

}  // namespace
}  // namespace fabrictwin::bridges::board::shell
