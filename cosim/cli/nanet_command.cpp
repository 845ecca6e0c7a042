// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "bridges/ethernet/pcap.h"
#include "bridges/ethernet/tap.h"
#include "cosim/base/text.h"
#include "cosim/cli/commands.h"
#include "cosim/cli/options/record.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/support/interrupt.h"
#include "cosim/cli/support/provenance.h"
#include "cosim/report/message_json.h"
#include "rtl/nanet/host/session.h"

namespace fabrictwin::cli {
namespace {

using bridges::ethernet::CapturedFrame;
using rtl::nanet::host::Session;

constexpr int kMostCount = 1'000'000'000;

/// A capture or a TAP device, and the port whose line it is.
struct Source {
  std::string name;
  int port = 0;
};

struct NanetArguments {
  std::vector<std::string> pcap_in, tap;
  std::string pcap_out, data_out;
  std::vector<Source> sources;  ///< Captures or TAP devices.
  std::string mac = "02:00:00:00:00:02";
  std::string ip = "10.0.0.2";
  std::string reply_to;
  std::vector<int> udp_ports{5000};
  int64_t frames = 0;
  rtl::nanet::host::SessionOptions options;
  bool json = false;
  options::RecordArguments record;
};

/// All that determines what is replayed, which is the name of the result in a history. Captures of other contents have
/// other hashes, which `provenance` has.
std::string name_of(const NanetArguments& arguments, const v1::Provenance& provenance) {
  constexpr size_t kDigits = 8;
  std::string name = "nanet";
  for (size_t i = 0; i < arguments.sources.size(); ++i) {
    const Source& source = arguments.sources[i];
    name += fmt::format(" {}@{}", std::filesystem::path(source.name).stem().string(), source.port);
    if (static_cast<int>(i) < provenance.inputs_size())
      name += fmt::format(":{}", provenance.inputs(static_cast<int>(i)).xxh128().substr(0, kDigits));
  }
  name += fmt::format(", {}, {}, UDP {}, {} B buffers, {} cycles", arguments.mac, arguments.ip,
                      fmt::join(arguments.udp_ports, " "), arguments.options.buffer_bytes,
                      arguments.options.timeout_cycles);
  if (arguments.options.gpu) name += ", GPU";
  return arguments.reply_to.empty() ? name : fmt::format("{}, replies to {}", name, arguments.reply_to);
}

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

/// InvalidArgument if the address of a port that is used would carry into the next byte: `byte` is that of port 0.
absl::Status check_carry(std::string_view option, std::string_view text, uint64_t byte, std::string_view which,
                         const std::vector<int>& ports) {
  constexpr int kMostByte = 255;
  const int last = std::ranges::max(ports);
  if (static_cast<int>(byte & kMostByte) + last <= kMostByte) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("{}: \"{}\" leaves no address for port {}, which has {} more in the {} byte; write at most {} there",
                  option, text, last, last, which, kMostByte - last));
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
  if (absl::Status status = check_carry("--reply-to", text, *ip >> 8, "third", options.ports); !status.ok())
    return status;
  options.reply_to = rtl::nanet::host::ReplyTo{.ip = *ip, .port = static_cast<uint16_t>((*port)[0])};
  return absl::OkStatus();
}

/// "NAME" or "NAME@PORT". Sources without a port have the first ones that are free, in order.
absl::Status read_sources(std::string_view option, const std::vector<std::string>& texts, NanetArguments& arguments) {
  std::array<bool, rtl::nanet::kPorts> used{};
  std::vector<int>& ports = arguments.options.ports;
  ports.clear();
  for (const std::string& text : texts) {
    const size_t at = text.rfind('@');
    Source source{.name = text};
    if (at != std::string::npos) {
      const auto port = parts_of(std::string_view(text).substr(at + 1), ' ', 1, rtl::nanet::kPorts - 1, 10);
      if (!port) {
        return absl::InvalidArgumentError(
            fmt::format("{}: \"{}\" is not NAME@PORT with a port from 0 to {}", option, text, rtl::nanet::kPorts - 1));
      }
      source = {.name = text.substr(0, at), .port = static_cast<int>((*port)[0])};
    } else {
      while (source.port < rtl::nanet::kPorts && used.at(static_cast<size_t>(source.port))) ++source.port;
    }
    if (source.port == rtl::nanet::kPorts || used.at(static_cast<size_t>(source.port))) {
      return absl::InvalidArgumentError(
          fmt::format("{}: \"{}\" has no port of its own; write {}@PORT with another port from 0 to {}", option, text,
                      source.name, rtl::nanet::kPorts - 1));
    }
    used.at(static_cast<size_t>(source.port)) = true;
    ports.push_back(source.port);
    arguments.sources.push_back(std::move(source));
  }
  std::ranges::sort(ports);
  return absl::OkStatus();
}

/// InvalidArgument if a UDP port is there twice: a datagram comes to one stream.
absl::Status check_udp_ports(const std::vector<int>& ports) {
  std::vector<int> sorted = ports;
  std::ranges::sort(sorted);
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice == sorted.end()) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format("--udp-port: {} is there twice; name each port once", *twice));
}

absl::Status check(NanetArguments& arguments) {
  const bool taps = !arguments.tap.empty();
  if (absl::Status status =
          read_sources(taps ? "--tap" : "--pcap-in", taps ? arguments.tap : arguments.pcap_in, arguments);
      !status.ok())
    return status;
  const absl::StatusOr<uint64_t> mac = mac_of(arguments.mac);
  if (!mac.ok()) return mac.status();
  const absl::StatusOr<uint32_t> ip = ip_of("--ip", arguments.ip);
  if (!ip.ok()) return ip.status();
  const std::vector<int>& ports = arguments.options.ports;
  if (absl::Status carry = check_carry("--mac", arguments.mac, *mac >> 8, "fifth", ports); !carry.ok()) return carry;
  if (absl::Status carry = check_carry("--ip", arguments.ip, *ip >> 8, "third", ports); !carry.ok()) return carry;
  arguments.options.mac = *mac;
  arguments.options.ip = *ip;
  if (absl::Status status = check_udp_ports(arguments.udp_ports); !status.ok()) return status;
  arguments.options.udp_ports.assign(arguments.udp_ports.begin(), arguments.udp_ports.end());
  if (absl::Status status = read_reply_to(arguments.reply_to, arguments.options); !status.ok()) return status;
  for (const std::string& file : {arguments.pcap_out, arguments.data_out}) {
    if (file.empty()) continue;
    if (absl::Status status = support::check_file(file); !status.ok()) return status;
  }
  return absl::OkStatus();
}

/// A frame of a capture, and the port that receives it.
struct PortFrame {
  CapturedFrame frame;
  int port = 0;
};

/// Frames of all captures in the order of their times, in whatever order captures have them.
absl::StatusOr<std::vector<PortFrame>> read_captures(const std::vector<Source>& sources) {
  std::vector<PortFrame> frames;
  for (const Source& source : sources) {
    absl::StatusOr<std::vector<CapturedFrame>> captured = bridges::ethernet::read_pcap(source.name);
    if (!captured.ok()) return captured.status();
    for (CapturedFrame& frame : *captured) {
      if (!frame.bytes.empty()) frames.push_back({std::move(frame), source.port});
    }
  }
  std::ranges::stable_sort(frames, {}, [](const PortFrame& frame) { return frame.frame.time_ns; });
  return frames;
}

/// Frames come at their times; what they are to become of is over a while after the last one. Cancelled if somebody
/// interrupts.
absl::Status replay(const std::vector<PortFrame>& frames, Session& session, const std::stop_token& stop) {
  for (const PortFrame& frame : frames) {
    const auto time_ns = static_cast<double>(frame.frame.time_ns - frames.front().frame.time_ns);
    if (!session.receive(frame.frame.bytes, time_ns, frame.port, stop)) return absl::CancelledError("interrupted");
  }
  return session.finish(stop) ? absl::OkStatus() : absl::CancelledError("interrupted");
}

void keep(std::vector<Session::Sent> frames, std::vector<CapturedFrame>& sent) {
  for (Session::Sent& frame : frames) {
    const auto length = static_cast<uint32_t>(frame.bytes.size());
    sent.push_back({.time_ns = static_cast<int64_t>(frame.time_ns), .bytes = std::move(frame.bytes), .length = length});
  }
}

/// Gives programs what the device has sent to them.
void give(const std::vector<Source>& sources, std::vector<bridges::ethernet::Tap>& taps, Session& session,
          std::vector<CapturedFrame>& sent) {
  std::vector<Session::Sent> frames = session.take_sent();
  for (const Session::Sent& frame : frames) {
    const auto source = std::ranges::find(sources, frame.port, &Source::port);
    taps.at(static_cast<size_t>(source - sources.begin())).write(frame.bytes);
  }
  keep(std::move(frames), sent);
}

absl::StatusOr<std::vector<bridges::ethernet::Tap>> open_taps(const std::vector<Source>& sources) {
  std::vector<bridges::ethernet::Tap> taps;
  for (const Source& source : sources) {
    absl::StatusOr<bridges::ethernet::Tap> tap = bridges::ethernet::Tap::open(source.name);
    if (!tap.ok()) return tap.status();
    taps.push_back(*std::move(tap));
  }
  return taps;
}

/// Frames as they come, until there were `most`, if that is not 0, or somebody interrupts, which is how it ends. An
/// error if a device goes away.
absl::Status serve(const std::vector<Source>& sources, std::vector<bridges::ethernet::Tap>& taps, int64_t most,
                   Session& session, std::vector<CapturedFrame>& sent, const std::stop_token& stop) {
  constexpr int kWaitMs = 50;
  for (int64_t frames = 0; !stop.stop_requested() && (most == 0 || frames < most);) {
    if (!session.busy()) bridges::ethernet::Tap::wait(taps, kWaitMs);
    bool any = false;
    for (size_t i = 0; i < taps.size() && (most == 0 || frames < most); ++i) {
      const auto frame = taps[i].read(0);
      if (!frame.ok()) return frame.status();
      if (!*frame || (*frame)->empty()) continue;
      session.receive(**frame, 0, sources[i].port);
      ++frames;
      any = true;
    }
    if (session.busy() || any) session.advance();
    give(sources, taps, session, sent);
  }
  session.finish();
  give(sources, taps, session, sent);
  return absl::OkStatus();
}

nlohmann::ordered_json counters_json(const rtl::nanet::host::SessionReport::Counters& counters) {
  nlohmann::ordered_json json;
  for (const auto& [name, count] : counters) json[name] = count;
  return json;
}

std::string nanet_json(const std::string& name, const rtl::nanet::host::SessionReport& report) {
  nlohmann::ordered_json ports = nlohmann::ordered_json::array();
  for (const auto& port : report.ports) {
    ports.push_back({{"port", port.port},
                     {"frames_in", port.frames_in},
                     {"frames_out", port.frames_out},
                     {"counters", counters_json(port.counters)}});
  }
  return report::json_text({{"name", name},
                            {"simulated_ns", report.simulated_ns},
                            {"frames_in", report.frames_in},
                            {"frames_out", report.frames_out},
                            {"buffers", report.buffers},
                            {"bytes", report.bytes},
                            {"tlb_misses", report.tlb_misses},
                            {"counters", counters_json(report.counters)},
                            {"ports", ports}},
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
  if (report.ports.size() < 2) return text;
  for (const auto& port : report.ports) {
    text += fmt::format("port {}        {} frames in, {} out", port.port, port.frames_in, port.frames_out);
    for (const auto& [name, count] : port.counters) {
      if (count > 0) text += fmt::format(", {} {}", name, count);
    }
    text += "\n";
  }
  return text;
}

std::vector<std::string> captures_of(const NanetArguments& arguments) {
  std::vector<std::string> captures;
  if (!arguments.tap.empty()) return captures;
  for (const Source& source : arguments.sources) captures.push_back(source.name);
  return captures;
}

absl::Status check_files(const NanetArguments& arguments) {
  if (absl::Status status = options::check_record(arguments.record); !status.ok()) return status;
  std::vector<support::NamedFile> read;
  const std::vector<std::string> captures = captures_of(arguments);
  for (const std::string& capture : captures) read.push_back({"a capture", capture});
  return support::check_distinct({{"--pcap-out", arguments.pcap_out},
                                  {"--data-out", arguments.data_out},
                                  options::recorded_file(arguments.record)},
                                 read);
}

/// How a session has ended, and what that makes of its result; OK if it has come to its end.
absl::Status ended_early(const NanetArguments& arguments, const absl::Status& ended) {
  if (ended.ok()) return ended;
  return {ended.code(), fmt::format("{}; the result is partial{}", message_of(ended),
                                    arguments.record.record ? ", and not recorded" : "")};
}

/// Writes and prints what became of the frames of a session that has ended so; one that has not come to its end is
/// marked, and not recorded, which the error then says.
absl::Status tell(const NanetArguments& arguments, Session& session, std::vector<CapturedFrame> sent,
                  const absl::Status& ended) {
  keep(session.take_sent(), sent);
  if (!arguments.pcap_out.empty()) {
    if (absl::Status written = support::write_file(arguments.pcap_out, bridges::ethernet::pcap_text(sent));
        !written.ok())
      return written;
  }
  if (!arguments.data_out.empty()) {
    if (absl::Status written = support::write_file(arguments.data_out, session.data()); !written.ok()) return written;
  }
  const rtl::nanet::host::SessionReport report = session.report();
  std::string text = nanet_text(report);
  if (!ended.ok()) text = fmt::format("complete      no: {}\n{}", message_of(ended), text);
  const absl::Status partial = ended_early(arguments, ended);
  if (!arguments.json && !arguments.record.record) {
    const absl::Status printed = support::print_data(text);
    return printed.ok() ? partial : printed;
  }
  const v1::Provenance provenance = support::make_provenance(captures_of(arguments));
  std::string json = support::with_provenance(nanet_json(name_of(arguments, provenance), report), provenance);
  if (!ended.ok()) json = support::as_partial(json, message_of(ended));
  if (absl::Status printed = support::print_data(arguments.json ? json : text); !printed.ok()) return printed;
  return ended.ok() ? options::record(arguments.record, json) : partial;
}

absl::Status work(NanetArguments& arguments) {
  if (absl::Status status = check(arguments); !status.ok()) return status;
  if (absl::Status status = check_files(arguments); !status.ok()) return status;
  std::optional<support::Interrupt> interrupt;
  interrupt.emplace();
  std::vector<CapturedFrame> sent;
  if (arguments.tap.empty()) {
    const absl::StatusOr<std::vector<PortFrame>> frames = read_captures(arguments.sources);
    if (!frames.ok()) return frames.status();
    Session session(arguments.options);
    const absl::Status ended = replay(*frames, session, interrupt->token());
    // From here on there is nothing to stop: a signal ends the process as usual.
    interrupt.reset();
    return tell(arguments, session, std::move(sent), ended);
  }
  absl::StatusOr<std::vector<bridges::ethernet::Tap>> taps = open_taps(arguments.sources);
  if (!taps.ok()) return taps.status();
  Session session(arguments.options);
  const absl::Status ended = serve(arguments.sources, *taps, arguments.frames, session, sent, interrupt->token());
  interrupt.reset();
  return tell(arguments, session, std::move(sent), ended);
}

}  // namespace

void add_nanet_command(CLI::App& app, support::ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand(
      "nanet", "Give Ethernet frames to a NaNet-10 in RTL, from a capture or from the programs of this machine");
  auto arguments = std::make_shared<NanetArguments>();
  CLI::Option* in =
      command
          ->add_option("--pcap-in", arguments->pcap_in,
                       "Frames to receive, at the times of their capture; several captures with @PORT each")
          ->type_name("FILE[@PORT]");
  CLI::Option* tap = command
                         ->add_option("--tap", arguments->tap,
                                      "Receive the frames of this TAP device and send to it, until interrupted; the "
                                      "device is made if there is none; several devices with @PORT each")
                         ->type_name("NAME[@PORT]")
                         ->excludes(in);
  command->add_option("--frames", arguments->frames, "With --tap: end after so many frames (default: never)")
      ->check(CLI::Range(1, kMostCount))
      ->needs(tap);
  command->add_option("--pcap-out", arguments->pcap_out, "Write the frames that are sent")->type_name("FILE");
  command->add_option("--data-out", arguments->data_out, "Write what the receive buffers held, one after the other")
      ->type_name("FILE");
  command
      ->add_option("--ip", arguments->ip,
                   "IPv4 address of port 0, in a network of 24 bits; that of port P has P more in the third byte")
      ->capture_default_str();
  command->add_option("--mac", arguments->mac, "MAC address of port 0; that of port P has P more in the fifth byte")
      ->capture_default_str();
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
      ->check(CLI::Range(1, kMostCount))
      ->capture_default_str();
  command->add_flag("--gpu", arguments->options.gpu, "Receive buffers are in the memory of the GPU");
  command
      ->add_option(
          "--reply-to", arguments->reply_to,
          "Send each buffer that was handed over as datagrams to this place; from port P with P more in the third byte")
      ->type_name("IP:PORT");
  command->add_flag("--json", arguments->json, "Print one JSON object");
  options::add_record_option(*command, arguments->record);
  // What programs send is another thing each time.
  command->get_option("--record")->excludes(tap);
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
