// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The processor's side of a host port, RegisterNi, against a scripted logic behind a cut link.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cosim/link/channel_receiver.h"
#include "cosim/link/channel_sender.h"
#include "fmt/format.h"
#include "models/kernel/cut_link.h"
#include "models/kernel/systemc_context.h"
#include "models/nic/exanet/driver/register_ni.h"
#include "tests/cosim/link/ring_memory.h"

namespace fabrictwin::test {

class RegisterNiTest : public ::testing::Test, public nic::exanet::Client {
 protected:
  static constexpr Time kLatency = Time::from_ps(62'500);
  static constexpr Time kStep = Time::from_ps(12'500);
  static link::ChannelSpec spec(uint32_t id, const char* name) { return {id, name, kLatency, Clock(Frequency{1})}; }

  RegisterNiTest() : RegisterNiTest(nic::exanet::driver::RegisterNi::Config{}) {}
  explicit RegisterNiTest(nic::exanet::driver::RegisterNi::Config config) {
    config.latency = kLatency;
    config.client = this;
    config.interfaces = 2;
    ni_ = std::make_unique<nic::exanet::driver::RegisterNi>("ni", config);
    cut_ = std::make_unique<kernel::CutLink>("cut", down_, up_receiver_);
    ni_->port_out.bind(cut_->in);
    cut_->out.bind(ni_->port_in);
  }

  // nic::exanet::Client.
  void message_arrived(const nic::exanet::Message& message) override { arrived.push_back(message); }
  void message_done(int32_t channel, nic::exanet::MessageState state) override {
    done.push_back(fmt::format("{} {} at {}", channel, static_cast<int>(state), to_string(now())));
  }
  void read_memory(uint64_t address, std::span<std::byte> bytes) override {
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(address + i);
  }
  void write_memory(uint64_t address, std::span<const std::byte> bytes,
                    const std::array<uint64_t, 4>& strobes) override {
    for (size_t i = 0; i < bytes.size(); ++i) {
      if ((strobes[i / 64] >> (i % 64) & 1) != 0) memory[address + i] = bytes[i];
    }
  }
  void ni_failed(const std::string& what) override { failures.push_back(what); }

  Time now() const { return kernel::from_sc_time(sc_core::sc_time_stamp()); }

  /// Advances everything by `time`; the logic answers what `answer` says, 50 ns after it came.
  void run(Time time) {
    const Time end = now_ + time;
    while (now_ < end) {
      now_ += kStep;
      EXPECT_TRUE(up_receiver_.poll().ok());
      cut_->receive_until(now_);
      while (sc_core::sc_pending_activity_at_current_time()) sc_core::sc_start(sc_core::SC_ZERO_TIME);
      sc_core::sc_start(kernel::to_sc_time(now_ - kernel::from_sc_time(sc_core::sc_time_stamp())));
      down_.flush(now_);
      EXPECT_TRUE(down_receiver_.poll().ok());
      while (const link::Record* record = down_receiver_.front()) {
        if (record->time() >= now_) break;
        const absl::StatusOr<link::HostMessage> message = link::HostMessage::decode(*record);
        ASSERT_TRUE(message.ok()) << message.status();
        answer(*message, record->time());
        down_receiver_.pop();
      }
      up_.flush(now_);
    }
  }

  void answer(const link::HostMessage& message, Time time) {
    const Time sent = time + Time::from_ns(50);
    if (message.operation == link::HostOperation::kRegisterWrite) {
      accesses.push_back(fmt::format("{}:{:x} = {:x} {:x}", static_cast<int>(message.region), message.address,
                                     message.data[0].hi, message.data[0].lo));
      up_.send_record(sent, link::HostMessage::register_written(message.tag, response_of(message)).encode());
    } else if (message.operation == link::HostOperation::kRegisterRead) {
      accesses.push_back(fmt::format("{}:{:x}?", static_cast<int>(message.region), message.address));
      const link::Word value = value_of(message, time);
      up_.send_record(sent, link::HostMessage::register_data(message.tag, response_of(message), value).encode());
    } else {
      memory_answers.push_back(message);
    }
  }
  void say(const link::HostMessage& message) { up_.send_record(now_, message.encode()); }

  std::function<uint32_t(const link::HostMessage&)> response_of = [](const link::HostMessage&) { return 0; };
  std::function<link::Word(const link::HostMessage&, Time)> value_of = [](const link::HostMessage&, Time) {
    return link::Word{};
  };
  std::vector<std::string> accesses, done, failures;
  std::vector<link::HostMessage> memory_answers;
  std::vector<nic::exanet::Message> arrived;
  std::map<uint64_t, std::byte> memory;

  std::unique_ptr<kernel::SystemcContext> systemc_ = *kernel::SystemcContext::create();
  TestRing down_ring_{256}, up_ring_{256};
  link::ChannelSender down_{spec(0, "mpsoc->logic"), down_ring_.get()}, up_{spec(1, "logic->mpsoc"), up_ring_.get()};
  link::ChannelReceiver down_receiver_{spec(0, "mpsoc->logic"), down_ring_.get()};
  link::ChannelReceiver up_receiver_{spec(1, "logic->mpsoc"), up_ring_.get()};
  std::unique_ptr<nic::exanet::driver::RegisterNi> ni_;
  std::unique_ptr<kernel::CutLink> cut_;
  Time now_;

  // Accesses by which it is configured.
  static constexpr const char* kInterface0 = "0:80000 = 0 8000000000000001";
  static constexpr const char* kInterface1 = "0:81000 = 0 8000000000000001";
  static constexpr const char* kMailbox0 = "0:80008 = 0 8000000000000001";
  static constexpr const char* kMailbox1 = "0:81008 = 0 8000000000000001";
  static constexpr const char* kPage0 = "1:10000 = 0 10001";
};
}  // namespace fabrictwin::test
