// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/check/calibration.h"

#include <fmt/format.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <set>
#include <utility>

#include "cosim/base/text.h"
#include "cosim/experiment/location_map.h"
#include "cosim/experiment/source_text.h"

namespace fabrictwin::experiment {
namespace {

constexpr std::string_view kField = "calibration";
constexpr size_t kMaxBytes = size_t{1} << 20;
constexpr int64_t kMaxValue = 1'000'000;
constexpr int kMaxCalibrationDepth = 4;

class MistakeCollector : public google::protobuf::io::ErrorCollector {
 public:
  MistakeCollector(const SourceText& source, DiagnosticList& diagnostics)
      : source_(source), diagnostics_(diagnostics) {}
  void AddError(int line, int column, const std::string& message) override {
    diagnostics_.add(source_.location(source_.offset(line, column)),
                     fmt::format("{}; this is no calibration as `fabrictwin validate --calibrate` writes it", message));
  }

 private:
  const SourceText& source_;
  DiagnosticList& diagnostics_;
};

absl::StatusOr<std::string> read_text(const std::string& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) return absl::InvalidArgumentError("it is a folder");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rb"), &std::fclose);
  if (stream == nullptr) return absl::NotFoundError(std::strerror(errno));
  std::string text(kMaxBytes + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), stream.get()));
  if (std::ferror(stream.get()) != 0) return absl::NotFoundError(std::strerror(errno));
  if (text.size() > kMaxBytes) return absl::InvalidArgumentError(fmt::format("it is longer than {} bytes", kMaxBytes));
  return text;
}

}  // namespace

absl::StatusOr<v1::ModelCalibration> parse_calibration(std::string_view text, const std::string& file) {
  const SourceText source(file, std::string(text));
  DiagnosticList diagnostics(file);
  MistakeCollector collector(source, diagnostics);
  LocationMap locations(&source);
  v1::ModelCalibration calibration;
  google::protobuf::TextFormat::ParseInfoTree tree;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&collector);
  parser.WriteLocationsTo(&tree);
  parser.SetRecursionLimit(kMaxCalibrationDepth);
  if (!parser.ParseFromString(source.text(), &calibration)) {
    if (diagnostics.empty()) diagnostics.add(source.location(0), "this is no calibration in protobuf text format");
    return diagnostics.status();
  }
  locations.add_tree(calibration, tree);
  if (calibration.parameter().empty())
    diagnostics.add(source.location(0),
                    "the calibration has no parameters; write it with `fabrictwin validate --calibrate`");
  std::set<std::string> names;
  for (int i = 0; i < calibration.parameter_size(); ++i) {
    const v1::CalibratedParameter& parameter = calibration.parameter(i);
    const std::string path = fmt::format("parameter[{}]", i);
    if (parameter.name().empty()) {
      diagnostics.add(locations.find(path), "the parameter has no name");
    } else if (!names.insert(parameter.name()).second) {
      diagnostics.add(locations.find(path + ".name"),
                      fmt::format("\"{}\" is given twice; remove one of them", parameter.name()));
    }
    if (parameter.value() < -kMaxValue || parameter.value() > kMaxValue) {
      diagnostics.add(locations.find(path + ".value"), fmt::format("{} {}: it must be from -{} to {}", parameter.name(),
                                                                   parameter.value(), kMaxValue, kMaxValue));
    }
  }
  if (!diagnostics.empty()) return diagnostics.status();
  return calibration;
}

void check_calibration(Experiment& experiment, bool check_files, FieldChecker& fields) {
  namespace fs = std::filesystem;
  const std::string& path = experiment.message.calibration();
  experiment.calibration_location = fields.locations().find(kField);
  if (!fields.locations().has(std::string(kField))) return;
  if (path.empty() || path.find('\0') != std::string::npos) {
    fields.complain(kField,
                    "the calibration has no path; name a file that `fabrictwin validate --calibrate` has written");
    return;
  }
  if (!experiment.topology_traits.nodes) {
    fields.complain(kField,
                    "a calibration is for the models of ExaNeSt nodes; remove it, or write topology { exanest { } }");
    return;
  }
  std::error_code error;
  fs::path found = fs::path(experiment.file).parent_path() / path;
  if (fields.locations().overridden(std::string(kField)) && fs::exists(path, error)) found = path;
  const fs::path absolute = fs::absolute(found, error);
  if (!error) found = absolute.lexically_normal();
  experiment.message.set_calibration(found.string());
  if (!check_files) return;
  const absl::StatusOr<std::string> text = read_text(found.string());
  if (!text.ok()) {
    fields.complain(kField, fmt::format("{} cannot be read: {}; make it with `fabrictwin validate --calibrate`",
                                        found.string(), message_of(text.status())));
    return;
  }
  absl::StatusOr<v1::ModelCalibration> calibration = parse_calibration(*text, found.string());
  if (!calibration.ok()) {
    fields.complain(kField, fmt::format("the calibration cannot be used:\n{}", message_of(calibration.status())));
    return;
  }
  experiment.calibration = *std::move(calibration);
}

}  // namespace fabrictwin::experiment
