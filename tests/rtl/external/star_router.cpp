// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A shared library with the simplest router that there is: it stores each packet and then forwards it to the host whose
// number is in bits 7 to 0 of the header.
#include <deque>
#include <stdexcept>
#include <utility>

#include "rtl/external/router.h"

namespace {

using fabrictwin::link::Word;
using fabrictwin::rtl::external::Input;
using fabrictwin::rtl::external::Output;
using fabrictwin::rtl::external::Setup;

class StarRouter final : public fabrictwin::rtl::external::Router {
 public:
  explicit StarRouter(const Setup& setup) : setup_(setup), ports_(setup.ports.size()) {
    if (setup.vcs == 32) throw std::invalid_argument("32 VCs are too many");
    for (size_t p = 0; p < ports_.size(); ++p) {
      ports_[p].credits.assign(static_cast<size_t>(setup.vcs), setup.ports[p].credits);
      if (setup.ports[p].to_host) hosts_.push_back(p);
    }
  }

  void edge(std::span<const Input> in, std::span<Output> out) override {
    for (size_t p = 0; p < ports_.size(); ++p) {
      if (in[p].credit_valid) ports_[p].credits.at(in[p].credit_vc) += in[p].credit_count;
      if (in[p].ready) out[p].valid = false;
      out[p].credit_valid = false;
      if (in[p].valid) take(in[p], p, out[p]);
    }
    for (size_t p = 0; p < ports_.size(); ++p) offer(ports_[p], out[p]);
    busy_ = false;
    for (size_t p = 0; p < ports_.size(); ++p)
      busy_ = busy_ || out[p].valid || out[p].credit_valid || !ports_[p].leaving.empty();
  }
  bool idle() const override { return !busy_; }

 private:
  struct Flit {
    Word word;
    bool first, last;
    uint8_t vc;
  };
  struct Port {
    std::deque<Flit> packet;       // That is coming.
    std::deque<Flit> leaving;      // Packets that go this way.
    std::vector<int32_t> credits;  // By VC.
    int32_t sent = 0;              // Words of the packet that is leaving.
  };

  // The space of a packet is free as soon as all of it is here. It goes on by a VC of the port that it came through.
  void take(const Input& in, size_t from, Output& out) {
    Port& port = ports_[from];
    port.packet.push_back({in.word, in.first, in.last, static_cast<uint8_t>(from % static_cast<size_t>(setup_.vcs))});
    if (!in.last) return;
    const auto words = static_cast<int32_t>(port.packet.size());
    out.credit_valid = true;
    out.credit_vc = in.vc;
    out.credit_count = static_cast<uint8_t>((words + setup_.credit_words - 1) / setup_.credit_words);
    const size_t host = port.packet.front().word.lo & 0xff;
    std::deque<Flit>& queue = ports_[hosts_.at(host)].leaving;
    queue.insert(queue.end(), port.packet.begin(), port.packet.end());
    port.packet.clear();
  }

  void offer(Port& port, Output& out) {
    out.stalled = false;
    if (out.valid || port.leaving.empty()) return;
    int32_t& credits = port.credits[port.leaving.front().vc];
    const bool needs_credit = port.sent % setup_.credit_words == 0;
    out.stalled = needs_credit && credits == 0;
    if (out.stalled) return;
    if (needs_credit) --credits;
    const Flit flit = port.leaving.front();
    port.leaving.pop_front();
    port.sent = flit.last ? 0 : port.sent + 1;
    out.valid = true;
    out.first = flit.first;
    out.last = flit.last;
    out.vc = flit.vc;
    out.word = flit.word;
  }

  Setup setup_;
  std::vector<Port> ports_;
  std::vector<size_t> hosts_;  // The port of each host.
  bool busy_ = false;
};

}  // namespace

extern "C" {
const int32_t fabrictwin_external_router_version = fabrictwin::rtl::external::kInterfaceVersion;
fabrictwin::rtl::external::Router* fabrictwin_make_external_router(const Setup& setup) {
  return setup.vcs == 31 ? nullptr : new StarRouter(setup);
}
}
