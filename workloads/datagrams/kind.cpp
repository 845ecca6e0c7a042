// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Datagrams to and from a NaNet-10 in an experiment: docs/models/nanet.md.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/host/workload_kind.h"
#include "models/nanet/frames.h"
#include "models/nanet/workload.h"
#include "rtl/nanet/interface/card_spec.h"
#include "workloads/datagrams/results_text.h"

namespace fabrictwin::datagrams {
namespace {

using experiment::MessageReader;
using nanet::CaptureSpec;
using nanet::DatagramsSpec;
using nanet::Direction;
using nanet::StreamSpec;

constexpr int32_t kFirstUdpPort = 5000;
constexpr int32_t kMostCount = 10'000'000;
/// The record of a buffer has 16 bits for the number of its datagrams.
constexpr int32_t kMostOfBuffer = 65535;
constexpr int64_t kLeastBuffer = 512;
constexpr int64_t kMostBuffer = 1 << 20;
constexpr int32_t kMostBuffers = 4096;
constexpr Time kLeastTimeout = Time::from_fs(5'000'000);
constexpr Time kMostTimeout = Time::from_fs(20'000'000'000'000'000);
constexpr Time kMostStart = Time::from_fs(100'000'000'000'000'000);

/// Reads the message; what is wrong with it is complained of where it stands.
class DatagramsReader {
 public:
  DatagramsReader(const v1::Datagrams& message, int32_t ports, const experiment::FileChecker& files,
                  const MessageReader& reader)
      : message_(message), ports_(ports), files_(files), reader_(reader) {}

  DatagramsSpec read() {
    DatagramsSpec spec;
    spec.timeout = time("timeout", kLeastTimeout, kMostTimeout, reader_);
    for (int i = 0; i < message_.capture_size(); ++i) read_capture(i, spec);
    for (int i = 0; i < message_.stream_size(); ++i) read_stream(i, spec);
    if (spec.streams.empty())
      reader_.complain({}, "there is no stream of datagrams; write stream { rate: \"5Gbps\" }, or more of it");
    check_rates(spec);
    return spec;
  }

 private:
  static Time time(std::string_view name, Time least, Time most, const MessageReader& reader) {
    const Time time = reader.quantity<Time>(name, parse_time);
    if (time >= least && time <= most) return time;
    reader.complain(name,
                    fmt::format("{} {}: write {} to {}", name, to_string(time), to_string(least), to_string(most)));
    return least;
  }

  void read_capture(int i, DatagramsSpec& spec) {
    const MessageReader reader = reader_.of(message_.capture(i), fmt::format("capture[{}]", i));
    CaptureSpec capture;
    capture.port = port_of(reader);
    if (captured_.at(static_cast<size_t>(capture.port)))
      reader.complain({}, fmt::format("port {} has a capture already; leave one out", capture.port));
    captured_.at(static_cast<size_t>(capture.port)) = true;
    capture.start = time("start", Time::zero(), kMostStart, reader);
    if (message_.capture(i).file().empty()) {
      reader.complain({}, "the capture has no file; write file: \"FILE.pcap\"");
    } else {
      capture.file = files_.find(reader.path_of("file"), message_.capture(i).file(), "a PCAP file",
                                 "capture frames with tcpdump -w FILE.pcap, or write where it is");
    }
    spec.captures.push_back(std::move(capture));
  }

  int32_t port_of(const MessageReader& reader) const { return reader.number("port", 0, ports_ - 1); }

  void read_stream(int i, DatagramsSpec& spec) {
    const v1::DatagramStream& message = message_.stream(i);
    const MessageReader reader = reader_.of(message, fmt::format("stream[{}]", i));
    StreamSpec stream;
    stream.port = port_of(reader);
    stream.direction = direction_of(reader);
    std::array<int32_t, 2>& used = used_.at(static_cast<size_t>(stream.port));
    const int32_t before = used[0] + used[1];
    stream.index = used.at(stream.received() ? 0 : 1)++;
    if (stream.index >= rtl::nanet::kPortStreams) {
      return reader.complain(
          {}, fmt::format("port {} has {} streams of direction {} already, and cannot have more; "
                          "use another port",
                          stream.port, rtl::nanet::kPortStreams, stream.received() ? "RECEIVE" : "SEND"));
    }
    stream.udp_port = static_cast<uint16_t>(reader.number("udp_port", 1, 65535, kFirstUdpPort + before));
    if (!udp_ports_.emplace(stream.port, stream.udp_port).second) {
      reader.complain_near("udp_port", fmt::format("port {} has a stream for UDP port {} already; write another one",
                                                   stream.port, stream.udp_port));
    }
    read_sending(reader, stream);
    read_memory(reader, stream);
    if (stream.received()) {
      read_buffers(message, reader, stream);
    } else {
      refuse_buffers(message, reader);
      stream.size_log2 = nanet::kSendBufferLog2;
      stream.buffers_log2 = nanet::kSendBuffersLog2;
    }
    spec.streams.push_back(stream);
  }

  static Direction direction_of(const MessageReader& reader) {
    const auto direction = reader.choice<v1::DatagramStream::Direction>("direction");
    if (direction != v1::DatagramStream::RECEIVE && direction != v1::DatagramStream::SEND)
      reader.complain("direction", "unknown direction; write RECEIVE or SEND");
    return direction == v1::DatagramStream::SEND ? Direction::kSend : Direction::kReceive;
  }

  void read_sending(const MessageReader& reader, StreamSpec& stream) const {
    const int64_t bytes = reader.quantity<Bytes>("bytes", parse_bytes).count;
    const bool possible = bytes >= nanet::kLeastPayload && bytes <= nanet::kMostPayload;
    stream.bytes = possible ? static_cast<int32_t>(bytes) : nanet::kMostPayload;
    if (!possible) {
      reader.complain("bytes", fmt::format("bytes {}B: a datagram that is generated has {}B to {}B", bytes,
                                           nanet::kLeastPayload, nanet::kMostPayload));
    }
    stream.count = reader.number("count", 1, kMostCount);
    stream.start = time("start", Time::zero(), kMostStart, reader);
    if (!reader.has_text("rate")) {
      if (!stream.received()) {
        reader.complain({}, "the stream has the direction SEND and no rate; write rate: \"5Gbps\"");
      } else if (!captured_.at(static_cast<size_t>(stream.port))) {
        reader.complain({}, fmt::format("the stream sends nothing, as it has no rate, and port {} has no capture; "
                                        "write rate: \"5Gbps\", or capture {{ port: {} file: \"FILE.pcap\" }}",
                                        stream.port, stream.port));
      }
      return;
    }
    const auto rate = reader.parsed<Bandwidth>("rate", parse_bandwidth);
    if (!rate) return;
    if (rate->bits_per_second < 1000 || rate->bits_per_second > rtl::nanet::kLineRate.bits_per_second) {
      return reader.complain("rate", fmt::format("rate {}: write 1kbps to {}, the rate of a line", to_string(*rate),
                                                 to_string(rtl::nanet::kLineRate)));
    }
    stream.rate = *rate;
    check_length(reader, stream);
  }

  static void check_length(const MessageReader& reader, const StreamSpec& stream) {
    const auto bits = static_cast<double>(nanet::line_bytes(stream.bytes + nanet::kUdpHeaders)) * 8 * stream.count;
    const double seconds = bits / static_cast<double>(stream.rate.bits_per_second);
    if (seconds <= nanet::kMostSending.seconds()) return;
    reader.complain_near("count", fmt::format("count {}: so many datagrams of {}B take {:.0f} s at {}, and {} is the "
                                              "most; write fewer, or a higher rate",
                                              stream.count, stream.bytes, seconds, to_string(stream.rate),
                                              to_string(nanet::kMostSending)));
  }

  static void read_memory(const MessageReader& reader, StreamSpec& stream) {
    const auto memory = reader.choice<v1::DatagramStream::Memory>("memory");
    if (memory != v1::DatagramStream::CPU && memory != v1::DatagramStream::GPU)
      reader.complain("memory", "unknown memory; write CPU or GPU");
    stream.gpu = memory == v1::DatagramStream::GPU;
  }

  static void refuse_buffers(const v1::DatagramStream& message, const MessageReader& reader) {
    const auto refuse = [&reader](std::string_view name) {
      reader.complain_near(name, fmt::format("{0}: it is of receive buffers, and the direction of the stream is SEND; "
                                             "leave {0} out",
                                             name));
    };
    if (!message.buffer().empty()) refuse("buffer");
    if (message.buffers() != 0) refuse("buffers");
    if (message.widen()) refuse("widen");
  }

  static void read_buffers(const v1::DatagramStream& message, const MessageReader& reader, StreamSpec& stream) {
    const int64_t bytes = reader.quantity<Bytes>("buffer", parse_bytes).count;
    if (bytes < kLeastBuffer || bytes > kMostBuffer || !std::has_single_bit(static_cast<uint64_t>(bytes))) {
      reader.complain("buffer", fmt::format("buffer {}B: a buffer has a power of two of bytes, {}B to {}B", bytes,
                                            kLeastBuffer, kMostBuffer));
    } else {
      stream.size_log2 = std::countr_zero(static_cast<uint64_t>(bytes));
    }
    const int32_t buffers = reader.number("buffers", 1, kMostBuffers);
    if (!std::has_single_bit(static_cast<uint32_t>(buffers)))
      reader.complain("buffers", fmt::format("buffers {}: write a power of two", buffers));
    stream.buffers_log2 = std::countr_zero(static_cast<uint32_t>(buffers));
    stream.widen = message.widen();
    const int32_t space = stream.widen ? (stream.bytes + 1) / 2 * 4 : stream.bytes;
    const int32_t taken = (space + 15) / 16 * 16;
    if (stream.generated() && stream.size_log2 > 0 && (1 << stream.size_log2) / taken > kMostOfBuffer) {
      reader.complain_near("buffer", fmt::format("buffer {}B: {} datagrams fit into it, and a card counts at most {} "
                                                 "in one; write a smaller buffer",
                                                 bytes, (1 << stream.size_log2) / taken, kMostOfBuffer));
    }
    if (stream.generated() && stream.size_log2 > 0 && taken > 1 << stream.size_log2) {
      reader.complain_near("buffer", fmt::format("buffer {}B: a datagram takes {}B in it, and would be dropped; write "
                                                 "a larger buffer",
                                                 bytes, space));
    }
  }

  void check_rates(const DatagramsSpec& spec) const {
    for (const Direction direction : {Direction::kReceive, Direction::kSend}) {
      std::array<int64_t, 4> sums{};
      for (const StreamSpec& stream : spec.streams) {
        if (stream.direction == direction) sums.at(static_cast<size_t>(stream.port)) += stream.rate.bits_per_second;
      }
      for (size_t port = 0; port < sums.size(); ++port) {
        if (sums.at(port) <= rtl::nanet::kLineRate.bits_per_second) continue;
        reader_.complain({}, fmt::format("the streams of port {} send {} in one direction, and its line carries {}; "
                                         "write lower rates",
                                         port, to_string(Bandwidth{sums.at(port)}), to_string(rtl::nanet::kLineRate)));
      }
    }
  }

  const v1::Datagrams& message_;
  int32_t ports_;
  const experiment::FileChecker& files_;
  const MessageReader& reader_;
  std::array<bool, 4> captured_{};
  std::array<std::array<int32_t, 2>, 4> used_{};  ///< Streams of each port that are received, and sent.
  std::set<std::pair<int32_t, uint16_t>> udp_ports_;
};

class Datagrams final : public host::WorkloadKindOf<v1::Workload::kDatagrams, v1::Datagrams, DatagramsSpec> {
  DatagramsSpec check(v1::Datagrams& message, experiment::Experiment& experiment, const experiment::FileChecker& files,
                      const MessageReader& reader) const override {
    if (experiment.topology != v1::Topology::kNanet) {
      reader.complain({}, "datagrams go to a card; write topology { nanet { } }, or another workload");
      return {};
    }
    const int32_t ports = experiment.topology_as<rtl::nanet::CardSpec>().ports;
    DatagramsSpec spec = DatagramsReader(message, ports, files, reader).read();
    for (size_t i = 0; i < spec.captures.size(); ++i)
      message.mutable_capture(static_cast<int>(i))->set_file(spec.captures[i].file);
    return spec;
  }
  void add_results(const v1::Report& report, std::string& text) const override { datagrams::add_results(report, text); }
  std::string text(const DatagramsSpec& spec, const experiment::Experiment& /*experiment*/) const override {
    int64_t count = 0;
    for (const StreamSpec& stream : spec.streams) count += stream.generated() ? stream.count : 0;
    return fmt::format("{} UDP datagrams in {} streams, {} captures", count, spec.streams.size(), spec.captures.size());
  }
  absl::StatusOr<std::unique_ptr<host::Workload>> make(const DatagramsSpec& spec,
                                                       const experiment::Experiment& experiment,
                                                       const system::SystemGraph& /*graph*/) const override {
    return std::make_unique<nanet::Workload>(spec, experiment.topology_as<rtl::nanet::CardSpec>().ports);
  }
};

}  // namespace

const host::WorkloadKind& datagrams() {
  static const Datagrams kind;
  return kind;
}

}  // namespace fabrictwin::datagrams
