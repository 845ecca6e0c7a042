// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A waveform holds the window that was asked for, with every edge in it, and watching changes nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "gtkwave/fstapi.h"
#include "tests/rtl/router_network.h"
#include "tests/rtl/star_network.h"

namespace fabrictwin::test {
namespace {

/// A waveform file read back.
struct Wave {
  int timescale = 0;
  std::map<std::string, std::vector<std::pair<uint64_t, std::string>>>
      changes;  ///< By signal name without scopes; the last of a name wins.
};

Wave read_wave(const std::string& file) {
  Wave wave;
  void* reader = fstReaderOpen(file.c_str());
  if (reader == nullptr) return wave;
  wave.timescale = fstReaderGetTimescale(reader);
  std::map<fstHandle, std::string> names;
  while (fstHier* item = fstReaderIterateHier(reader)) {
    if (item->htyp != FST_HT_VAR) continue;
    const std::string name(item->u.var.name, item->u.var.name_length);
    names[item->u.var.handle] = name.substr(0, name.find(' '));
  }
  fstReaderSetFacProcessMaskAll(reader);
  struct Context {
    Wave* wave;
    std::map<fstHandle, std::string>* names;
  } context{&wave, &names};
  fstReaderIterBlocks(
      reader,
      [](void* user, uint64_t time, fstHandle handle, const unsigned char* value) {
        auto* c = static_cast<Context*>(user);
        c->wave->changes[(*c->names)[handle]].emplace_back(time, reinterpret_cast<const char*>(value));
      },
      &context, nullptr);
  fstReaderClose(reader);
  return wave;
}

class RouterWaveTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / ("wave_test_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::vector<ArrivedWord> run(const rtl::router::Wave& wave) {
    NetworkOptions options;
    options.dims = {2, 1, 1};
    options.waves = {wave};
    RouterNetwork network(options);
    network.add_random_traffic(40, 400);
    const absl::Status status = network.run(Time::from_ns(60), Time::from_us(30));
    EXPECT_TRUE(status.ok()) << status;
    return network.tile(1).words();
  }

  std::filesystem::path folder_;
};

TEST_F(RouterWaveTest, HoldsTheWindowAndChangesNothing) {
  const Time from = Time::from_us(1);
  const Time to = Time::from_us(3);
  const std::vector<ArrivedWord> watched = run({path("a.fst"), from, to});
  EXPECT_EQ(watched, run({}));

  const Wave wave = read_wave(path("a.fst"));
  EXPECT_EQ(wave.timescale, -15);
  ASSERT_TRUE(wave.changes.contains("clk_i"));
  std::vector<uint64_t> rising;
  for (const auto& [time, value] : wave.changes.at("clk_i")) {
    if (value == "1") rising.push_back(time);
  }
  // The first edge at or after 1 us is number 157; the traffic is dense, so few edges of the 312 are skipped.
  ASSERT_GT(rising.size(), 200u);
  EXPECT_EQ(rising.front() % 6'400'000u, 0u);
  EXPECT_GE(rising.front(), static_cast<uint64_t>(from.fs()));
  EXPECT_LT(rising.back(), static_cast<uint64_t>(to.fs()));
  EXPECT_GT(wave.changes.at("tx_valid_o").size(), 20u);
  EXPECT_GT(wave.changes.at("tx_data_o").size(), 20u);
  // Inputs change away from the edge that samples them.
  for (const auto& [time, value] : wave.changes.at("rx_valid_i")) EXPECT_NE(time % 6'400'000u, 0u) << time;
}

TEST_F(RouterWaveTest, HoldsTheWholeRunByDefault) {
  run({path("b.fst"), Time::zero(), Time::never()});
  const Wave wave = read_wave(path("b.fst"));
  ASSERT_TRUE(wave.changes.contains("tx_valid_o"));
  EXPECT_GT(wave.changes.at("tx_valid_o").back().first, static_cast<uint64_t>(Time::from_us(3).fs()));
}

// The router with 64 ports is the same with a waveform and without.
TEST_F(RouterWaveTest, HoldsRoutersWithMorePorts) {
  for (const int ports : {16, 64}) {
    const auto watch = [ports](const rtl::router::Wave& wave) {
      NetworkOptions options;
      options.waves = {wave};
      StarNetwork network(options, ports);
      network.add_random_traffic(20, 200);
      const absl::Status status = network.run(Time::from_ns(60), Time::from_us(20));
      EXPECT_TRUE(status.ok()) << status;
      return network.tile(ports - 1).words();
    };
    EXPECT_EQ(watch({path("c.fst"), Time::zero(), Time::from_us(2)}), watch({}));
    const Wave wave = read_wave(path("c.fst"));
    ASSERT_TRUE(wave.changes.contains("tx_valid_o"));
    ASSERT_GT(wave.changes.at("tx_valid_o").size(), 20u);
    EXPECT_EQ(wave.changes.at("tx_valid_o").back().second.size(), static_cast<size_t>(ports));
  }
}

TEST_F(RouterWaveTest, RefusesAFileThatCannotBeWritten) {
  rtl::router::Config config;
  config.name = "router[0]";
  config.router_clock = Clock(Frequency{156'250'000});
  config.wave.file = path("none/a.fst");
  const auto router = rtl::router::Transactor::create(config);
  EXPECT_EQ(router.status().code(), absl::StatusCode::kPermissionDenied);
  EXPECT_THAT(std::string(router.status().message()), testing::HasSubstr("none/a.fst: No such file"));
}

}  // namespace
}  // namespace fabrictwin::test
