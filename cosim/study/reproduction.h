// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Published figures and how this program computes its own: docs/reproduction.md.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::study {

/// The predictions so far, by the id of the figure.
using Predictions = std::map<std::string, double, std::less<>>;

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
  bool shown = true;  ///< False if the figure was not published and only equations of others need it.
};

/// One run of an experiment, and the figures that are read from its report.
struct ReproductionRun {
  std::string file;               ///< The file, from the folder of the experiments.
  std::vector<std::string> sets;  ///< Arguments as for --set.
  bool slow = false;              ///< True if it takes minutes: run with --all only.
  std::vector<PublishedFigure> figures;
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
  std::vector<ReproductionRun> runs;
  std::vector<MissingFigure> missing;
};

Reproduction exanest_reproduction();
/// Congestion management: figures of other simulators and closed forms.
Reproduction congestion_reproduction();
/// The reproductions of Tofu, Tofu2 and TofuD.
std::vector<Reproduction> tofu_reproductions();

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
std::string reproduction_json(const std::vector<ReproducedFigure>& figures);
std::string reproduction_text(const std::vector<ReproducedFigure>& figures, const std::vector<MissingFigure>& missing);
std::string reproduction_markdown(const std::vector<ReproducedFigure>& figures,
                                  const std::vector<MissingFigure>& missing);

}  // namespace fabrictwin::study
