// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/control/controller_bench.h"

#include <gtest/gtest.h>

namespace fabrictwin {

ControllerBench::ControllerBench(ControllerVariant variant, const rtl::control::RegisterMap& map, uint32_t seed)
    : pins_(make_controller(variant)), shape_(pins_->shape()), reference_(map, shape_), random_(seed) {
  for (int i = 0; i < 2; ++i) pins_->edge(true, master_, status_);
  compare();
}

void ControllerBench::submit_write(uint32_t address, uint32_t data, uint32_t strobes) {
  write_addresses_.push_back(address);
  write_data_.push_back({data, strobes});
  ++writes_;
}

void ControllerBench::submit_read(uint32_t address) {
  read_addresses_.push_back(address);
  ++reads_;
}

AxiAnswer ControllerBench::write(uint32_t address, uint32_t data, uint32_t strobes) {
  submit_write(address, data, strobes);
  finish();
  return last_write_;
}

AxiAnswer ControllerBench::read(uint32_t address) {
  submit_read(address);
  finish();
  return last_read_;
}

void ControllerBench::finish() {
  for (int edges = 0; busy(); ++edges) {
    ASSERT_LT(edges, 1000) << "an access is not answered";
    step();
  }
}

// A master keeps its valid with the payload until it is taken; ready comes and goes.
void ControllerBench::drive() {
  if (!master_.awvalid && !write_addresses_.empty() && !chance(stalls_)) {
    master_.awvalid = true;
    master_.awaddr = write_addresses_.front();
  }
  if (!master_.wvalid && !write_data_.empty() && !chance(stalls_)) {
    master_.wvalid = true;
    master_.wdata = write_data_.front().data;
    master_.wstrb = write_data_.front().strobes;
  }
  if (!master_.arvalid && !read_addresses_.empty() && !chance(stalls_)) {
    master_.arvalid = true;
    master_.araddr = read_addresses_.front();
  }
  master_.bready = !chance(stalls_);
  master_.rready = !chance(stalls_);
}

void ControllerBench::step() {
  drive();
  const AxiSlavePins before = pins_->axi();
  const NetworkSettings settings = pins_->settings();
  reference_.edge(master_, before, status_);
  pins_->edge(false, master_, status_);
  const bool offered = master_.awvalid || master_.wvalid || master_.arvalid;
  observe(before);
  compare();
  compare_idle(before.idle && !offered, settings);
  // The counters of the network IP change at the same edge.
  if (settings.in_reset) {
    status_ = NetworkStatus();
  } else {
    run_network();
  }
}

void ControllerBench::observe(const AxiSlavePins& before) {
  const bool aw = master_.awvalid && before.awready;
  const bool w = master_.wvalid && before.wready;
  if (aw && w) ++coverage_.together;
  if (aw && !w && !data_taken_) ++coverage_.address_first;
  if (w && !aw && !address_taken_) ++coverage_.data_first;
  if (before.bvalid && !master_.bready) ++coverage_.write_stalled;
  if (before.rvalid && !master_.rready) ++coverage_.read_stalled;
  if (before.bvalid && master_.awvalid) ++coverage_.write_waited;
  if (before.rvalid && master_.arvalid) ++coverage_.read_waited;
  if (aw) {
    master_.awvalid = false;
    address_taken_ = true;
    write_addresses_.pop_front();
  }
  if (w) {
    master_.wvalid = false;
    data_taken_ = true;
    write_data_.pop_front();
  }
  if (master_.arvalid && before.arready) {
    master_.arvalid = false;
    read_taken_ = true;
    read_addresses_.pop_front();
  }
  const bool b = before.bvalid && master_.bready;
  const bool r = before.rvalid && master_.rready;
  if (b) {
    last_write_ = {before.bresp, 0};
    address_taken_ = data_taken_ = false;
    --writes_;
  }
  if (r) {
    last_read_ = {before.rresp, before.rdata};
    read_taken_ = false;
    --reads_;
  }
  const AxiSlavePins after = pins_->axi();
  if (!before.bvalid && after.bvalid && !before.rvalid && after.rvalid) ++coverage_.both_answered;
}

// The reference keeps an answer until it is taken, so an answer that is dropped, changed or given twice is seen here.
void ControllerBench::compare() {
  const AxiSlavePins axi = pins_->axi();
  ASSERT_EQ(reference_.fault(), "");
  ASSERT_EQ(axi.bvalid, reference_.write_answer().has_value());
  if (axi.bvalid) {
    ASSERT_EQ(axi.bresp, reference_.write_answer()->resp);
  }
  ASSERT_EQ(axi.rvalid, reference_.read_answer().has_value());
  if (axi.rvalid) {
    ASSERT_EQ(axi.rresp, reference_.read_answer()->resp);
    ASSERT_EQ(axi.rdata, reference_.read_answer()->data);
  }
  ASSERT_EQ(pins_->settings(), reference_.settings());
}

// Who skips edges of an idle controller must miss nothing, and one at rest must let them be skipped.
void ControllerBench::compare_idle(bool was_idle, const NetworkSettings& before) {
  const AxiSlavePins axi = pins_->axi();
  const bool under_way = address_taken_ || data_taken_ || read_taken_;
  const bool changed = pins_->settings() != before;
  if (was_idle) {
    ASSERT_FALSE(changed) << "a change without input, after idle";
    ASSERT_TRUE(axi.idle);
  }
  if (under_way) {
    ASSERT_FALSE(axi.idle) << "idle within an access";
    ++coverage_.under_way;
  }
  rest_ = under_way || changed || master_.awvalid || master_.wvalid || master_.arvalid ? 0 : rest_ + 1;
  if (rest_ > 5) {
    ASSERT_TRUE(axi.idle) << "not idle at rest";
    ++coverage_.at_rest;
  }
}

void ControllerBench::run_network() {
  if (events_ == 0) return;
  const uint32_t mask = shape_.counter_width == 32 ? ~0u : (1u << shape_.counter_width) - 1;
  const auto count = [&](uint32_t& counter, uint32_t most, uint32_t bits) {
    if (chance(events_)) counter = (counter + 1 + random_() % most) & bits;
  };
  if (chance(events_)) status_.idle = !status_.idle;
  for (int p = 0; p < shape_.ports(); ++p) {
    NetworkStatus::Port& port = status_.ports[p];
    if (chance(events_)) port.credit_stall = !port.credit_stall;
    if (chance(events_)) port.error = !port.error;
    if (chance(events_)) port.neighbour_health = random_() % 8;
    if (chance(events_)) {
      for (uint32_t& words : port.words) words = random_() % 8192;
      for (uint32_t& packets : port.packets) packets = random_() % 256;
    }
    for (uint32_t* counter :
         {&port.route_drops, &port.disabled_drops, &port.malformed, &port.sent, &port.discarded, &port.marked}) {
      count(*counter, 3, mask);
    }
  }
  for (int l = 0; l < shape_.links; ++l) {
    NetworkStatus::Link& link = status_.links[l];
    if (chance(events_)) link.error = !link.error;
    if (chance(events_)) {
      for (uint32_t& used : link.used) used = random_() % 2048;
      for (uint32_t& waiting : link.waiting) waiting = random_() % 4096;
      link.up = random_() % 2 != 0;
    }
    for (uint32_t* counter : {&link.corrected, &link.uncorrectable, &link.crc_errors, &link.dropped, &link.resyncs,
                              &link.downs, &link.aborted}) {
      count(*counter, 1, (1u << shape_.link_counter_width) - 1);
    }
  }
}

}  // namespace fabrictwin
