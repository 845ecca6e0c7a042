// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bridges/ethernet/pcap.h"
#include "bridges/ethernet/tap.h"
#include "cosim/base/text.h"
#include "cosim/cli/commands.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/support/interrupt.h"
#include "cosim/report/message_json.h"
#include "rtl/nanet/host/session.h"

namespace fabrictwin::cli {
namespace {

using bridges::ethernet::CapturedFrame;
using rtl::nanet::host::Session;

struct NanetArguments {
  std::string pcap_in, pcap_out, data_out, tap;
  std::string mac = "02:00:00:00:00:02";
  std::string ip = "10.0.0.2";
  std::string reply_to;
  std::vector<int> udp_ports{5000};
  int64_t frames = 0;
  rtl::nanet::host::SessionOptions options;
  bool json = false;
};

/// Numbers between separators, each of at most `most`.
std::optional<std::vector<uint32_t>> parts_of(std::string_view text, char separator, size_t count, uint32_t most,
                                              int base) {
  std::vector<uint32_t> parts;
  while (true) {
    const std::string_view part = text.substr(0, text.find(separator));
    uint32_t value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value, base);
    if (error != std::errc() || end != part.data() + part.size() || value > most) return {};
    parts.push_back(value);
    if (part.size() == text.size()) break;
    text.remove_prefix(part.size() + 1);
  }
  if (parts.size() != count) return {};
  return parts;
}

absl::StatusOr<uint32_t> ip_of(std::string_view option, std::string_view text) {
  const auto parts = parts_of(text, '.', 4, 255, 10);
  if (!parts)
    return absl::InvalidArgumentError(fmt::format("{}: \"{}\" is no IPv4 address, such as 10.0.0.2", option, text));
  return (*parts)[0] << 24 | (*parts)[1] << 16 | (*parts)[2] << 8 | (*parts)[3];
}

absl::StatusOr<uint64_t> mac_of(std::string_view text) {
  const auto parts = parts_of(text, ':', 6, 255, 16);
  if (!parts || ((*parts)[0] & 1) != 0) {
    return absl::InvalidArgumentError(
        fmt::format("--mac: \"{}\" is no MAC address of one station, such as 02:00:00:00:00:02", text));
  }
  uint64_t mac = 0;
  for (const uint32_t part : *parts) mac = mac << 8 | part;
  return mac;
}

absl::Status read_reply_to(const std::string& text, rtl::nanet::host::SessionOptions& options) {
  if (text.empty()) return absl::OkStatus();
  const size_t colon = text.find(':');
  const auto port =
      colon == std::string::npos ? std::nullopt : parts_of(std::string_view(text).substr(colon + 1), ' ', 1, 65535, 10);
  if (!port)
    return absl::InvalidArgumentError(fmt::format("--reply-to: \"{}\" is not IP:PORT, such as 10.0.0.1:6000", text));
  const absl::StatusOr<uint32_t> ip = ip_of("--reply-to", text.substr(0, colon));
  if (!ip.ok()) return ip.status();
  options.reply_to = rtl::nanet::host::ReplyTo{.ip = *ip, .port = static_cast<uint16_t>((*port)[0])};
  return absl::OkStatus();
}

absl::Status check(NanetArguments& arguments) {
  const absl::StatusOr<uint64_t> mac = mac_of(arguments.mac);
  if (!mac.ok()) return mac.status();
  const absl::StatusOr<uint32_t> ip = ip_of("--ip", arguments.ip);
  if (!ip.ok()) return ip.status();
  arguments.options.mac = *mac;
  arguments.options.ip = *ip;
  arguments.options.udp_ports.assign(arguments.udp_ports.begin(), arguments.udp_ports.end());
  if (absl::Status status = read_reply_to(arguments.reply_to, arguments.options); !status.ok()) return status;
  for (const std::string& file : {arguments.pcap_out, arguments.data_out}) {
    if (file.empty()) continue;
    if (absl::Status status = support::check_file(file); !status.ok()) return status;
  }
  return absl::OkStatus();
}

/// Frames at the times of their capture; what they are to become of is over a while after the last one.
absl::Status replay(const std::string& file, Session& session) {
  const absl::StatusOr<std::vector<CapturedFrame>> frames = bridges::ethernet::read_pcap(file);
  if (!frames.ok()) return frames.status();
  const support::Interrupt interrupt;
  for (const CapturedFrame& frame : *frames) {
    if (interrupt.requested()) return absl::CancelledError("interrupted");
    if (frame.bytes.empty()) continue;
    session.receive(frame.bytes, static_cast<double>(frame.time_ns - frames->front().time_ns));
  }
  session.finish();
  return absl::OkStatus();
}

/// Frames as they come, until there were `most`, if that is not 0, or somebody interrupts.
absl::Status serve(const std::string& name, int64_t most, Session& session, std::vector<CapturedFrame>& sent) {
  absl::StatusOr<bridges::ethernet::Tap> tap = bridges::ethernet::Tap::open(name);
  if (!tap.ok()) return tap.status();
  const support::Interrupt interrupt;
  constexpr int kWaitMs = 50;
  for (int64_t frames = 0; !interrupt.requested() && (most == 0 || frames < most);) {
    const auto frame = tap->read(session.busy() ? 0 : kWaitMs);
    if (frame && !frame->empty()) {
      session.receive(*frame, 0);
      ++frames;
    }
    if (session.busy() || frame) session.advance();
    for (const auto& out : session.take_sent()) {
      tap->write(out.bytes);
      sent.push_back({.time_ns = static_cast<int64_t>(out.time_ns),
                      .bytes = out.bytes,
                      .length = static_cast<uint32_t>(out.bytes.size())});
    }
  }
  session.finish();
  for (const auto& out : session.take_sent()) {
    tap->write(out.bytes);
    sent.push_back({.time_ns = static_cast<int64_t>(out.time_ns),
                    .bytes = out.bytes,
                    .length = static_cast<uint32_t>(out.bytes.size())});
  }
  return absl::OkStatus();
}

std::string nanet_json(const rtl::nanet::host::SessionReport& report) {
  nlohmann::ordered_json counters;
  for (const auto& [name, count] : report.counters) counters[name] = count;
  return report::json_text({{"simulated_ns", report.simulated_ns},
                            {"frames_in", report.frames_in},
                            {"frames_out", report.frames_out},
                            {"buffers", report.buffers},
                            {"bytes", report.bytes},
                            {"tlb_misses", report.tlb_misses},
                            {"counters", counters}},
                           2) +
         "\n";
}

std::string nanet_text(const rtl::nanet::host::SessionReport& report) {
  std::string text = fmt::format("simulated     {:.3f} us\n", report.simulated_ns / 1000);
  text += fmt::format("frames        {} in, {} out\n", report.frames_in, report.frames_out);
  text += fmt::format("buffers       {} with {} bytes\n", report.buffers, report.bytes);
  text += fmt::format("TLB misses    {}\n", report.tlb_misses);
  for (const auto& [name, count] : report.counters) {
    if (count > 0) text += fmt::format("{:<13} {}\n", name, count);
  }
  return text;
}

absl::Status work(NanetArguments& arguments) {
  if (absl::Status status = check(arguments); !status.ok()) return status;
  Session session(arguments.options);
  std::vector<CapturedFrame> sent;
  const absl::Status status = arguments.tap.empty() ? replay(arguments.pcap_in, session)
                                                    : serve(arguments.tap, arguments.frames, session, sent);
  if (!status.ok()) return status;
  for (const auto& out : session.take_sent()) {
    sent.push_back({.time_ns = static_cast<int64_t>(out.time_ns),
                    .bytes = out.bytes,
                    .length = static_cast<uint32_t>(out.bytes.size())});
  }
  if (!arguments.pcap_out.empty()) {
    if (absl::Status written = support::write_file(arguments.pcap_out, bridges::ethernet::pcap_text(sent));
        !written.ok())
      return written;
  }
  if (!arguments.data_out.empty()) {
    if (absl::Status written = support::write_file(arguments.data_out, session.data()); !written.ok()) return written;
  }
  const rtl::nanet::host::SessionReport report = session.report();
  return support::print_data(arguments.json ? nanet_json(report) : nanet_text(report));
}

}  // namespace

void add_nanet_command(CLI::App& app, support::ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand(
      "nanet", "Give Ethernet frames to a NaNet-10 in RTL, from a capture or from the programs of this machine");
  auto arguments = std::make_shared<NanetArguments>();
  CLI::Option* in =
      command->add_option("--pcap-in", arguments->pcap_in, "Frames to receive, at the times of their capture")
          ->type_name("FILE");
  CLI::Option* tap = command
                         ->add_option("--tap", arguments->tap,
                                      "Receive the frames of this TAP device and send to it, until interrupted; the "
                                      "device is made if there is none")
                         ->type_name("NAME")
                         ->excludes(in);
  command->add_option("--frames", arguments->frames, "With --tap: end after so many frames (default: never)")
      ->check(CLI::PositiveNumber)
      ->needs(tap);
  command->add_option("--pcap-out", arguments->pcap_out, "Write the frames that are sent")->type_name("FILE");
  command->add_option("--data-out", arguments->data_out, "Write what the receive buffers held, one after the other")
      ->type_name("FILE");
  command->add_option("--ip", arguments->ip, "IPv4 address, in a network of 24 bits")->capture_default_str();
  command->add_option("--mac", arguments->mac, "MAC address")->capture_default_str();
  command->add_option("--udp-port", arguments->udp_ports, "Where datagrams are taken, 1 to 4 ports")
      ->expected(1, 4)
      ->check(CLI::Range(1, 65535))
      ->capture_default_str();
  command
      ->add_option("--buffer-bytes", arguments->options.buffer_bytes,
                   "Size of a receive buffer: a power of two from 512 to 1048576")
      ->capture_default_str();
  command
      ->add_option("--timeout", arguments->options.timeout_cycles,
                   "Cycles of 5 ns after which a buffer that is not full is handed over")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_flag("--gpu", arguments->options.gpu, "Receive buffers are in the memory of the GPU");
  command
      ->add_option("--reply-to", arguments->reply_to,
                   "Send each buffer that was handed over as datagrams to this place")
      ->type_name("IP:PORT");
  command->add_flag("--json", arguments->json, "Print one JSON object");
  command->callback([arguments, in, tap, &exit_code] {
    if (in->empty() && tap->empty()) throw CLI::RequiredError("--pcap-in or --tap");
    const uint32_t bytes = arguments->options.buffer_bytes;
    if (bytes < 512 || bytes > 1048576 || (bytes & (bytes - 1)) != 0) {
      throw CLI::ValidationError("--buffer-bytes", "must be a power of two from 512 to 1048576");
    }
    const absl::Status status = work(*arguments);
    if (!status.ok()) support::print_error(message_of(status));
    exit_code = support::exit_code_of_input(status);
  });
}

}  // namespace fabrictwin::cli
