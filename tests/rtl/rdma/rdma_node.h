// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A node: the Verilated RDMA unit, its host's memory, and the host's accesses to descriptors and registers.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "tests/rtl/random_state_context.h"
#include "tests/rtl/rdma/axi_memory.h"
#include "tests/rtl/rdma/rdma_transfer.h"
#include "tests/rtl/rdma/skipping_twin.h"

namespace fabrictwin::test {

template <class Model>
class RdmaNode {
 public:
  /// `start` is the time at the first edge; with `twin` a second unit without idle edges is held against this one.
  RdmaNode(uint32_t number, uint64_t seed, MemoryTiming timing, uint32_t start = 0, bool twin = false)
      : memory(seed, timing),
        number_(number),
        random_(seed + 77),
        model_(std::make_unique<Model>(&context_)),
        time_(start) {
    if (twin) twin_ = std::make_unique<SkippingTwin<Model>>();
    Model& m = *model_;
    zero_inputs(m);
    m.node_i = number;
    m.tile_bits_i = 1;
    m.x_bits_i = 1;
    m.y_bits_i = 2;
    for (int i = 0; i < 2; ++i) tick();
    m.rst_ni = 1;
    for (int i = 0; i < 1030; ++i) tick();
  }

  Model& model() { return *model_; }
  uint32_t number() const { return number_; }

  using Done = std::function<void(const std::vector<Word128>& words, bool error)>;
  void host_write(uint32_t address, std::vector<Word128> words, Done done = {}) {
    operations_.push_back({true, address, std::move(words), 0, std::move(done), 0xffff});
  }
  void host_write_strobed(uint32_t address, Word128 word, uint32_t strobe, Done done = {}) {
    operations_.push_back({true, address, {word}, 0, std::move(done), strobe});
  }
  void host_read(uint32_t address, unsigned count, Done done) {
    operations_.push_back({false, address, {}, count, std::move(done), 0});
  }
  void start(const Transfer& t, Done done = {}) {
    const auto words = t.descriptor();
    host_write(t.address(), {words.begin(), words.end()}, std::move(done));
  }
  void set_page(int page, uint16_t pdid, bool enabled = true) {
    host_write(0x10000 + 16 * page, {make_word(pdid | uint64_t{enabled} << 16, 0)});
  }
  /// Times in ticks of 16 cycles.
  void configure(unsigned timeout, unsigned backoff, unsigned retries, unsigned lifetime) {
    host_write(0x10100,
               {make_word(timeout | uint64_t{backoff} << 16 | uint64_t{retries} << 32 | uint64_t{lifetime} << 36, 0)});
  }
  void set_host_stalls(unsigned percent) { host_stalls_ = percent; }
  bool host_idle() const { return operations_.empty(); }
  size_t operations() const { return operations_.size(); }

  /// Sets the host's and memory's inputs for the next edge.
  void drive() {
    Model& m = *model_;
    memory.drive(m);
    m.s_awvalid_i = m.s_wvalid_i = m.s_arvalid_i = 0;
    m.s_bready_i = m.s_rready_i = 0;
    if (operations_.empty() || random_.percent(host_stalls_)) return;
    const Operation& op = operations_.front();
    if (op.write) {
      m.s_awvalid_i = !addressed_;
      m.s_awaddr_i = op.address;
      m.s_wvalid_i = beat_ < op.words.size();
      if (m.s_wvalid_i) {
        for (int i = 0; i < 4; ++i) m.s_wdata_i[i] = op.words[beat_][i];
        m.s_wstrb_i = op.strobe;
        m.s_wlast_i = beat_ + 1 == op.words.size();
      }
      m.s_bready_i = 1;
    } else {
      m.s_arvalid_i = !addressed_;
      m.s_araddr_i = op.address;
      m.s_arlen_i = op.count - 1;
      m.s_rready_i = 1;
    }
  }
  void settle() {
    model_->time_i = time_;
    model_->clk_i = 0;
    model_->eval();
  }
  /// What happens at the edge, then the edge.
  void edge() {
    Model& m = *model_;
    memory.edge(m);
    host_edge();
    repeats_ += m.repeat_o;
    clock();
    ++cycle_;
  }
  /// Blocks that are sent again, as the unit says.
  int repeats() const { return repeats_; }
  /// Edges that the twin left out.
  int64_t skipped() const { return twin_ ? twin_->skipped() : 0; }
  int64_t cycle() const { return cycle_; }
  /// The cycle of the newest doorbell.
  int64_t doorbell() const { return doorbell_; }

  AxiMemory memory;

 private:
  struct Operation {
    bool write;
    uint32_t address;
    std::vector<Word128> words;
    unsigned count;
    Done done;
    uint32_t strobe;
  };

  void tick() {
    Model& m = *model_;
    m.time_i = time_;
    m.clk_i = 0;
    m.eval();
    clock();
  }

  void clock() {
    if (twin_) twin_->edge(*model_);
    model_->clk_i = 1;
    model_->eval();
    if (model_->rst_ni) ++time_;
  }

  void host_edge() {
    if (operations_.empty()) return;
    Model& m = *model_;
    Operation& op = operations_.front();
    bool over = false;
    bool error = false;
    if ((m.s_awvalid_i && m.s_awready_o) || (m.s_arvalid_i && m.s_arready_o)) addressed_ = true;
    if (m.s_wvalid_i && m.s_wready_o) {
      ++beat_;
      if (m.s_wlast_i) doorbell_ = cycle_;
    }
    if (m.s_bvalid_o && m.s_bready_i) {
      over = true;
      error = m.s_bresp_o != 0;
    }
    if (m.s_rvalid_o && m.s_rready_i) {
      op.words.push_back({m.s_rdata_o[0], m.s_rdata_o[1], m.s_rdata_o[2], m.s_rdata_o[3]});
      over = m.s_rlast_o;
      EXPECT_EQ(over, op.words.size() == op.count);
    }
    if (!over) return;
    const Operation finished = std::move(operations_.front());
    operations_.pop_front();
    addressed_ = false;
    beat_ = 0;
    if (finished.done) finished.done(finished.words, error);
  }

  uint32_t number_;
  RandomSource random_;
  RandomStateContext context_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<SkippingTwin<Model>> twin_;
  uint32_t time_;
  std::deque<Operation> operations_;
  bool addressed_ = false;
  size_t beat_ = 0;
  unsigned host_stalls_ = 0;
  int64_t cycle_ = 0;
  int64_t doorbell_ = 0;
  int repeats_ = 0;
};

}  // namespace fabrictwin::test
