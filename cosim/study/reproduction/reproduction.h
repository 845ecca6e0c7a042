// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Published figures and how this program computes its own: docs/reproduction.md.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "fabrictwin/v1/report.pb.h"
#include "fabrictwin/v1/topology.pb.h"

namespace fabrictwin::study::reproduction {

/// The predictions so far, by the id of the figure.
using Predictions = std::map<std::string, double, std::less<>>;

/// Where a published number stands beside the results of an OSU benchmark.
struct OsuPoint {
  uint64_t bytes = 0;  ///< The size of messages.
  double scale = 1;    ///< The number times this is in the unit of the benchmark: us, or MB/s.
};

/// A published number.
struct PublishedFigure {
  std::string id;    ///< "exanest.latency_0B_qfdb".
  std::string what;  ///< A description for people.
  std::string unit;  ///< "us", "Gb/s", "%".
  double paper = 0;
  bool calibrated = false;  ///< True if parameters of the experiment were chosen to match this figure.
  /// Computes the figure from the report and from earlier predictions.
  std::function<double(const v1::Report&, const Predictions&)> predicted;
  /// If the paper gives an equation: computes its value from earlier predictions, and `paper` is not used.
  std::function<double(const Predictions&)> equation{};
  std::optional<OsuPoint> osu{};  ///< Set if it is a result of an OSU benchmark.
  bool shown = true;              ///< False if the figure was not published and only equations of others need it.
};

/// One run of an experiment, and the figures that are read from its report.
struct Run {
  std::string file;               ///< The file, from the folder of the experiments.
  std::vector<std::string> sets;  ///< Arguments as for --set.
  bool slow = false;              ///< True if it takes minutes: run with --all only.
  std::vector<PublishedFigure> figures;
  /// If not empty, it is done with each of these seeds, and a figure is the median of what they give.
  std::vector<uint64_t> seeds{};
  /// If this is hardware alone, without an experiment: measures all its figures, and `file` is not used. Cancelled if a
  /// stop is requested before it has all.
  std::function<absl::StatusOr<Predictions>(const std::stop_token& stop)> measure{};
};

/// A published number that the present models cannot express.
struct MissingFigure {
  std::string what;
  std::string why;
};

/// The figures of one machine.
struct Reproduction {
  std::string name;   ///< "exanest".
  std::string about;  ///< A description of one line.
  std::vector<Run> runs;
  std::vector<MissingFigure> missing;
};

Reproduction exanest_reproduction();
/// Those of its figures that are latencies over several links between boards, by the formula of the paper.
std::vector<Run> exanest_paths();
/// The part of it that is about IP.
std::vector<Run> ip_over_exanet_runs();
/// The Allreduce accelerator beside software, of which nothing but two latencies was published.
Reproduction allreduce_reproduction();
/// Congestion management: figures of other simulators and closed forms.
Reproduction congestion_reproduction();
/// The network interface NaNet-10 in RTL.
Reproduction nanet_reproduction();
/// The reproductions of Tofu, Tofu2 and TofuD.
std::vector<Reproduction> tofu_reproductions();

/// Published results of one OSU benchmark between the same hosts.
struct PublishedOsu {
  std::string what;  ///< "one hop in a QFDB".
  /// Sizes in bytes, rising, with values in the unit of the benchmark.
  std::vector<std::pair<uint64_t, double>> points;
};

/// What was published of the benchmark with this name ("latency", as the suite has it) on the machine that the topology
/// models; nothing for other topologies. What an equation makes of predictions does not count.
std::vector<PublishedOsu> published_osu(v1::Topology::KindCase topology, std::string_view benchmark);

/// A published figure with its prediction.
struct ReproducedFigure {
  std::string id;
  std::string what;
  std::string unit;
  double paper = 0;
  double predicted = 0;
  bool calibrated = false;
  /// The error relative to the paper.
  double error() const { return paper == 0 ? 0 : predicted / paper - 1; }
};

/// The figures as a JSON array of objects, as a text table, and as a Markdown table.
std::string to_json(const std::vector<ReproducedFigure>& figures);
std::string to_text(const std::vector<ReproducedFigure>& figures, const std::vector<MissingFigure>& missing);
std::string to_markdown(const std::vector<ReproducedFigure>& figures, const std::vector<MissingFigure>& missing);

}  // namespace fabrictwin::study::reproduction
