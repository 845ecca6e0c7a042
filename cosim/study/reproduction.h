// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Published figures, and how this program comes to its own: docs/reproduction.md.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin {

/// What has been predicted so far, by the id of the figure.
using Predictions = std::map<std::string, double, std::less<>>;

/// A published number.
struct PublishedFigure {
  std::string id;    ///< "exanest.latency_0B_qfdb".
  std::string what;  ///< For people.
  std::string unit;  ///< "us", "Gb/s", "%".
  double paper = 0;
  bool calibrated = false;  ///< Parameters of the experiment were set so that this comes out.
  /// The number that the report says, with those that were predicted before.
  std::function<double(const v1::Report&, const Predictions&)> predicted;
  /// Where the paper gives an equation: its value from what was predicted before. `paper` does not count then.
  std::function<double(const Predictions&)> equation{};
  bool shown = true;  ///< False: nothing published, only what equations of others need.
};

/// One run of an experiment, and what is read from it.
struct ReproductionRun {
  std::string file;               ///< In the folder of the experiments.
  std::vector<std::string> sets;  ///< As for --set.
  bool slow = false;              ///< Takes minutes: with --all only.
  std::vector<PublishedFigure> figures;
};

/// A published number that the present parts cannot express.
struct MissingFigure {
  std::string what;
  std::string why;
};

/// The figures of one machine.
struct Reproduction {
  std::string name;   ///< "exanest".
  std::string about;  ///< One line.
  std::vector<ReproductionRun> runs;
  std::vector<MissingFigure> missing;
};

Reproduction exanest_reproduction();
/// Tofu, Tofu2 and TofuD.
std::vector<Reproduction> tofu_reproductions();

/// A figure with what came out.
struct ReproducedFigure {
  std::string id;
  std::string what;
  std::string unit;
  double paper = 0;
  double predicted = 0;
  bool calibrated = false;
  /// Relative to the paper.
  double error() const { return paper == 0 ? 0 : predicted / paper - 1; }
};

/// As an array of objects, as a table in text, and as one in Markdown.
std::string reproduction_json(const std::vector<ReproducedFigure>& figures);
std::string reproduction_text(const std::vector<ReproducedFigure>& figures, const std::vector<MissingFigure>& missing);
std::string reproduction_markdown(const std::vector<ReproducedFigure>& figures,
                                  const std::vector<MissingFigure>& missing);

}  // namespace fabrictwin
