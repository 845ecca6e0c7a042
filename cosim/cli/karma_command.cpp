// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cosim/base/text.h"
#include "cosim/cli/commands.h"
#include "cosim/cli/karma_plot.h"
#include "cosim/cli/options/record.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/support/provenance.h"
#include "cosim/report/message_json.h"
#include "rtl/karma/karma.h"

namespace fabrictwin::cli {
namespace {

const std::map<std::string, rtl::karma::TopKind> kTops = {{"router", rtl::karma::TopKind::kRouter},
                                                          {"link", rtl::karma::TopKind::kLink},
                                                          {"node", rtl::karma::TopKind::kNode}};

struct KarmaArguments {
  std::string top;
  rtl::karma::Options options;
  bool json = false;
  std::string plot;
  options::RecordArguments record;
};

/// What is measured, which is the name of the result in a history.
std::string name_of(const KarmaArguments& arguments) {
  const rtl::karma::Options& of = arguments.options;
  std::string name = fmt::format("karma {}, {} B, {}, {}, {} packets", arguments.top, of.payload_bytes,
                                 counted(static_cast<uint64_t>(of.senders), "sender"),
                                 counted(static_cast<uint64_t>(of.hops), "hop"), of.packets);
  return of.error_rate > 0 ? fmt::format("{}, error rate {}", name, of.error_rate) : name;
}

std::string karma_json(const KarmaArguments& arguments, const rtl::karma::Result& result) {
  const nlohmann::ordered_json json = {{"name", name_of(arguments)},
                                       {"top", arguments.top},
                                       {"packet_bytes", arguments.options.payload_bytes},
                                       {"senders", arguments.options.senders},
                                       {"hops", arguments.options.hops},
                                       {"efficiency", result.efficiency},
                                       {"payload_gbps", result.payload_gbps},
                                       {"one_way_cycles", result.one_way_cycles},
                                       {"round_trip_ns", result.round_trip_ns},
                                       {"packets", result.packets},
                                       {"errors", result.errors},
                                       {"cycles", result.cycles}};
  return report::json_text(json, 2) + "\n";
}

std::string karma_text(const KarmaArguments& arguments, const rtl::karma::Result& result) {
  std::string text;
  text +=
      fmt::format("efficiency    {:.2f} % ({:.3f} Gb/s of payload)\n", result.efficiency * 100, result.payload_gbps);
  text += fmt::format("one way       {} cycles ({:.1f} ns)\n", result.one_way_cycles,
                      result.one_way_cycles * rtl::karma::kKarmaCycleNs);
  text += fmt::format("round trip    {:.1f} ns\n", result.round_trip_ns);
  text += fmt::format("packets       {} of {}\n", result.packets,
                      counted(static_cast<uint64_t>(arguments.options.payload_bytes), "byte"));
  text += fmt::format("errors        {}\n", result.errors);
  return text;
}

/// Prints a result as its text or as JSON with its provenance, and records it.
absl::Status put_out(const KarmaArguments& arguments, const std::string& json, const std::string& text) {
  const std::string whole = support::with_provenance(json, support::make_provenance());
  if (absl::Status printed = support::print_data(arguments.json ? whole : text); !printed.ok()) return printed;
  return options::record(arguments.record, whole);
}

absl::Status test(const KarmaArguments& arguments) {
  if (absl::Status status = options::check_record(arguments.record); !status.ok()) return status;
  const absl::StatusOr<rtl::karma::Result> result = rtl::karma::run_karma(arguments.options);
  if (!result.ok()) return result.status();
  return put_out(arguments, karma_json(arguments, *result), karma_text(arguments, *result));
}

absl::Status plot(const KarmaArguments& arguments) {
  // Check the output file before the work is done.
  absl::Status status = support::check_file(arguments.plot);
  if (!status.ok()) return status;
  if (status = options::check_record(arguments.record); !status.ok()) return status;
  status = support::check_distinct({{"--plot", arguments.plot}, options::recorded_file(arguments.record)}, {});
  if (!status.ok()) return status;
  const absl::StatusOr<std::vector<KarmaCurve>> curves = measure_karma_curves(arguments.options.packets);
  if (!curves.ok()) return curves.status();
  const absl::StatusOr<std::string> svg = karma_svg(*curves);
  if (!svg.ok()) return svg.status();
  status = support::write_file(arguments.plot, *svg);
  if (!status.ok()) return status;
  return put_out(arguments, karma_points_json(*curves, arguments.options.packets), karma_table(*curves));
}

support::ExitCode run(const KarmaArguments& arguments, bool plots) {
  const absl::Status status = plots ? plot(arguments) : test(arguments);
  if (!status.ok()) support::print_error(message_of(status));
  return support::exit_code_of_input(status);
}

}  // namespace

void add_karma_command(CLI::App& app, support::ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand(
      "karma", "Run the self-test of the ExaNet RTL: bandwidth and latency of router, link and nodes");
  auto arguments = std::make_shared<KarmaArguments>();
  rtl::karma::Options& asked = arguments->options;
  CLI::Option* top =
      command
          ->add_option("--top", arguments->top,
                       "What to test: router, one APErouter; link, one APElink; node, a row of three network IPs")
          ->check(CLI::IsMember(kTops));
  CLI::Option* size =
      command->add_option("--packet-bytes", asked.payload_bytes, "Payload of a packet in bytes, 0 to 512")
          ->capture_default_str();
  CLI::Option* senders =
      command
          ->add_option("--senders", asked.senders,
                       "1 or 2; the second sends to the same receiver, at a link in the other direction")
          ->capture_default_str();
  CLI::Option* hops =
      command->add_option("--hops", asked.hops, "With --top node: links of the path, 0 to 2 (default 1)");
  command->add_option("--packets", asked.packets, "Packets of each sender while bandwidth is measured")
      ->capture_default_str();
  CLI::Option* error_rate = command
                                ->add_option("--error-rate", asked.error_rate,
                                             "Chance of a wrong bit on a link in 64 bits, while bandwidth is measured")
                                ->capture_default_str();
  command->add_flag("--json", arguments->json, "Print one JSON object");
  options::add_record_option(*command, arguments->record);
  CLI::Option* plot_file =
      command
          ->add_option("--plot", arguments->plot,
                       "Instead of one test: writes a plot of the bandwidth of router and link over the payload (SVG)")
          ->type_name("FILE")
          ->excludes(top, size, senders, hops, error_rate);
  command->callback([arguments, top, hops, plot_file, &exit_code] {
    if (!plot_file->empty()) {
      exit_code = run(*arguments, true);
      return;
    }
    if (top->empty()) throw CLI::RequiredError("--top or --plot");
    arguments->options.top = kTops.at(arguments->top);
    if (hops->empty()) arguments->options.hops = arguments->options.top == rtl::karma::TopKind::kNode ? 1 : 0;
    exit_code = run(*arguments, false);
  });
}

}  // namespace fabrictwin::cli
