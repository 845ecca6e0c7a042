// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/control/controller_reference.h"

#include <bit>
#include <functional>
#include <stdexcept>

namespace fabrictwin {
namespace {

using Port = NetworkStatus::Port;
using Link = NetworkStatus::Link;

// Where each field that the network IP decides comes from; the names are those of the table.
const std::map<std::string, std::function<uint32_t(const Port&)>>& port_sources() {
  static const auto* sources = new std::map<std::string, std::function<uint32_t(const Port&)>>{
      {"port_status.credit_stall", [](const Port& port) { return port.credit_stall ? 1u : 0u; }},
      {"port_status.error", [](const Port& port) { return port.error ? 1u : 0u; }},
      {"port_status.neighbour_health", [](const Port& port) { return port.neighbour_health; }},
      {"route_drops.count", [](const Port& port) { return port.route_drops; }},
      {"disabled_drops.count", [](const Port& port) { return port.disabled_drops; }},
      {"malformed.count", [](const Port& port) { return port.malformed; }},
      {"sent.count", [](const Port& port) { return port.sent; }},
      {"discarded.count", [](const Port& port) { return port.discarded; }},
      {"marked.count", [](const Port& port) { return port.marked; }},
      {"input_vc0.words", [](const Port& port) { return port.words[0]; }},
      {"input_vc0.packets", [](const Port& port) { return port.packets[0]; }},
      {"input_vc1.words", [](const Port& port) { return port.words[1]; }},
      {"input_vc1.packets", [](const Port& port) { return port.packets[1]; }},
      {"port_events.error", [](const Port& port) { return port.error ? 1u : 0u; }},
      {"port_events.route_drop", [](const Port& port) { return port.route_drops; }},
      {"port_events.disabled_drop", [](const Port& port) { return port.disabled_drops; }},
      {"port_events.malformed", [](const Port& port) { return port.malformed; }},
      {"port_events.discarded", [](const Port& port) { return port.discarded; }},
  };
  return *sources;
}

const std::map<std::string, std::function<uint32_t(const Link&)>>& link_sources() {
  static const auto* sources = new std::map<std::string, std::function<uint32_t(const Link&)>>{
      {"link_used.vc0", [](const Link& link) { return link.used[0]; }},
      {"link_used.vc1", [](const Link& link) { return link.used[1]; }},
      {"link_waiting.vc0", [](const Link& link) { return link.waiting[0]; }},
      {"link_waiting.vc1", [](const Link& link) { return link.waiting[1]; }},
      {"link_status.error", [](const Link& link) { return link.error ? 1u : 0u; }},
      {"link_status.up", [](const Link& link) { return link.up ? 1u : 0u; }},
      {"link_downs.count", [](const Link& link) { return link.downs; }},
      {"link_aborted.count", [](const Link& link) { return link.aborted; }},
      {"link_events.down", [](const Link& link) { return link.downs; }},
      {"link_events.aborted", [](const Link& link) { return link.aborted; }},
      {"link_corrected.count", [](const Link& link) { return link.corrected; }},
      {"link_uncorrectable.count", [](const Link& link) { return link.uncorrectable; }},
      {"link_crc_errors.count", [](const Link& link) { return link.crc_errors; }},
      {"link_dropped.count", [](const Link& link) { return link.dropped; }},
      {"link_resyncs.count", [](const Link& link) { return link.resyncs; }},
      {"link_events.error", [](const Link& link) { return link.error ? 1u : 0u; }},
      {"link_events.corrected", [](const Link& link) { return link.corrected; }},
      {"link_events.uncorrectable", [](const Link& link) { return link.uncorrectable; }},
      {"link_events.crc_error", [](const Link& link) { return link.crc_errors; }},
      {"link_events.dropped", [](const Link& link) { return link.dropped; }},
      {"link_events.resync", [](const Link& link) { return link.resyncs; }},
  };
  return *sources;
}

uint32_t source(const rtl::control::RegisterEntry& entry, const std::string& field, int copy,
                const NetworkStatus& status) {
  const std::string name = entry.name + "." + field;
  if (const auto port = port_sources().find(name); port != port_sources().end())
    return port->second(status.ports[copy]);
  if (const auto link = link_sources().find(name); link != link_sources().end())
    return link->second(status.links[copy]);
  throw std::logic_error("the reference does not know where " + name + " comes from");
}

}  // namespace

ControllerReference::ControllerReference(const rtl::control::RegisterMap& map, const ControllerShape& shape)
    : map_(map), shape_(shape) {
  for (const rtl::control::RegisterEntry& entry : map.registers) {
    if (entry.access == rtl::control::RegisterAccess::kReadOnly) continue;
    for (int copy = 0; copy < copies_of(entry); ++copy) values_[{entry.name, copy}] = entry.reset();
  }
}

int ControllerReference::copies_of(const rtl::control::RegisterEntry& entry) const {
  return entry.copies == rtl::control::RegisterCopies::kPorts   ? shape_.ports()
         : entry.copies == rtl::control::RegisterCopies::kLinks ? shape_.links
                                                                : 1;
}

std::optional<ControllerReference::Position> ControllerReference::find(uint32_t address) const {
  const uint32_t word = address / 4 * 4;
  for (const rtl::control::RegisterEntry& entry : map_.registers) {
    const uint32_t end = entry.offset + 4 * static_cast<uint32_t>(copies_of(entry));
    if (word >= entry.offset && word < end) return Position{&entry, static_cast<int>(word - entry.offset) / 4};
  }
  return std::nullopt;
}

uint32_t ControllerReference::field(const std::string& name, const std::string& field, int copy) const {
  for (const rtl::control::RegisterEntry& entry : map_.registers) {
    for (const rtl::control::RegisterField& f : entry.fields) {
      if (entry.name == name && f.name == field) return (values_.at({name, copy}) & f.mask()) >> f.low;
    }
  }
  throw std::logic_error("the table has no " + name + "." + field);
}

bool ControllerReference::any(const std::string& name) const {
  for (const auto& [key, value] : values_) {
    if (key.first == name && value != 0) return true;
  }
  return false;
}

uint32_t ControllerReference::hardware(const rtl::control::RegisterEntry& entry, const std::string& field, int copy,
                                       const NetworkStatus& status) const {
  if (entry.name == "shape") {
    if (field == "intra_ports") return static_cast<uint32_t>(shape_.intra_ports);
    if (field == "inter_ports") return static_cast<uint32_t>(shape_.links);
    if (field == "counter_width") return static_cast<uint32_t>(shape_.counter_width);
    if (field == "link_counter_width") return static_cast<uint32_t>(shape_.link_counter_width);
  }
  if (entry.name == "fifo_shape") {
    // The defaults of the parameters.
    if (field == "intra_words") return 12;
    if (field == "inter_words") return 10;
    return 7;
  }
  if (entry.name == "status") {
    if (field == "idle") return status.idle ? 1 : 0;
    if (field == "in_reset") return in_reset_ ? 1 : 0;
    if (field == "port_events" || field == "link_events") return any(field) ? 1 : 0;
  }
  return source(entry, field, copy, status);
}

uint32_t ControllerReference::read(const Position& position, const NetworkStatus& status) const {
  if (position.entry->access != rtl::control::RegisterAccess::kReadOnly)
    return values_.at({position.entry->name, position.copy});
  uint32_t value = 0;
  for (const rtl::control::RegisterField& f : position.entry->fields) {
    value |= (f.reset ? *f.reset : hardware(*position.entry, f.name, position.copy, status)) << f.low;
  }
  return value;
}

uint32_t ControllerReference::events(const rtl::control::RegisterEntry& entry, int copy,
                                     const NetworkStatus& status) const {
  uint32_t bits = 0;
  for (const rtl::control::RegisterField& f : entry.fields) {
    const uint32_t now = source(entry, f.name, copy, status);
    const uint32_t then = source(entry, f.name, copy, before_);
    // An error is a level, and its end is no event.
    if (f.name == "error" ? now > then : now != then) bits |= f.mask();
  }
  return bits;
}

void ControllerReference::edge(const AxiMasterPins& master, const AxiSlavePins& slave, const NetworkStatus& status) {
  // A read shows what is there before the edge.
  std::optional<AxiAnswer> read_now;
  if (read_address_ && !read_answer_) {
    const std::optional<Position> position = find(*read_address_);
    read_now = position ? AxiAnswer{kAxiOkay, read(*position, status)} : AxiAnswer{kAxiSlaveError, 0};
  }

  const bool soft_reset = field("control", "soft_reset") != 0;
  std::optional<Position> written;
  uint32_t bytes = 0;
  std::optional<AxiAnswer> write_now;
  if (write_address_ && write_data_ && !write_answer_) {
    written = find(*write_address_);
    if (written && written->entry->access == rtl::control::RegisterAccess::kReadOnly) written.reset();
    write_now = AxiAnswer{written ? kAxiOkay : kAxiSlaveError, 0};
    for (int b = 0; b < 4; ++b) bytes |= (write_data_->bytes >> b & 1) != 0 ? 0xFFu << (8 * b) : 0;
  }
  for (const rtl::control::RegisterEntry& entry : map_.registers) {
    if (entry.access == rtl::control::RegisterAccess::kReadOnly) continue;
    for (int copy = 0; copy < copies_of(entry); ++copy) {
      uint32_t& value = values_[{entry.name, copy}];
      const bool here = written && written->entry == &entry && written->copy == copy;
      if (entry.access == rtl::control::RegisterAccess::kReadWrite) {
        if (here) value = ((value & ~bytes) | (write_data_->data & bytes)) & entry.mask();
      } else {
        const uint32_t clear = here ? write_data_->data & bytes : 0;
        const uint32_t set = in_reset_ ? 0 : events(entry, copy, status);
        races_ += std::popcount(value & clear & set);
        value = (value & ~clear) | set;
      }
    }
  }
  before_ = status;
  free_edges_ = soft_reset ? 0 : free_edges_ + 1;
  in_reset_ = free_edges_ < 3;

  if (write_answer_ && slave.bvalid && master.bready) {
    write_answer_.reset();
    write_address_.reset();
    write_data_.reset();
  }
  if (read_answer_ && slave.rvalid && master.rready) {
    read_answer_.reset();
    read_address_.reset();
  }
  if (write_now) write_answer_ = write_now;
  if (read_now) read_answer_ = read_now;
  if (master.awvalid && slave.awready) {
    if (write_address_) fault_ = "a second write address";
    write_address_ = master.awaddr;
  }
  if (master.wvalid && slave.wready) {
    if (write_data_) fault_ = "second write data";
    write_data_ = WriteData{master.wdata, master.wstrb};
  }
  if (master.arvalid && slave.arready) {
    if (read_address_) fault_ = "a second read address";
    read_address_ = master.araddr;
  }
}

NetworkSettings ControllerReference::settings() const {
  NetworkSettings out;
  out.in_reset = in_reset_;
  out.coordinates = field("coordinates", "x") | field("coordinates", "y") << 8 | field("coordinates", "z") << 16;
  out.last = field("lattice", "last_x") | field("lattice", "last_y") << 8 | field("lattice", "last_z") << 16;
  out.dimension_order = field("routing", "first") | field("routing", "second") << 2 | field("routing", "third") << 4;
  out.vc_by_direction = field("routing", "vc_by_direction") != 0;
  out.fixed_priority = field("routing", "fixed_priority") != 0;
  out.health = field("health", "health");
  out.supervise = field("control", "supervise") != 0;
  out.tred = field("tred", "threshold");
  out.tile_words = field("tile_credits", "words");
  out.tile_packets = field("tile_credits", "packets");
  out.mark_threshold = field("marking", "threshold");
  out.mark_rate = field("marking", "rate");
  out.mark_least = field("marking_packets", "least");
  out.mark_hosts = field("marking_packets", "hosts") != 0;
  for (int p = 0; p < shape_.ports(); ++p) {
    out.enable[p] = field("port_control", "enable", p) != 0;
    out.priority[p] = field("port_control", "priority", p);
  }
  return out;
}

}  // namespace fabrictwin
