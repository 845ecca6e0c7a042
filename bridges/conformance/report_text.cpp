// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The report as text and as JSON.
#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "bridges/conformance/conformance.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace fabrictwin::bridges::conformance {
namespace {

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kOk:
      return "ok";
    case Verdict::kFailed:
      return "FAILED";
    case Verdict::kSkipped:
      break;
  }
  return "skipped";
}

/// How many checks have each verdict.
std::array<int, 3> counts_of(const Report& report) {
  std::array<int, 3> counts{};
  for (const SubjectFindings& subject : report.findings) {
    for (const Check& check : subject.checks) ++counts[static_cast<size_t>(check.verdict)];
  }
  return counts;
}

std::string kind_of(const v1::DescribeResponse& describe) {
  if (describe.has_board()) {
    return fmt::format("a board ({}, {} ports, {})", describe.board().element_type(), describe.board().ports_size(),
                       describe.board().link_kind());
  }
  return describe.has_worker() ? "a worker" : "unknown";
}

std::string line_of(const Check& check) {
  std::string line = fmt::format("{:<8} {:<24} {}\n", name_of(check.verdict), check.kind->name, check.kind->about);
  if (check.text.empty()) return line;
  line += fmt::format("         {}{}\n", check.text,
                      check.failed > 1 ? fmt::format(" (the first of {} times)", check.failed) : "");
  if (check.verdict == Verdict::kFailed) {
    const bool page = check.kind->section.find(',') == std::string_view::npos;
    line += fmt::format("         see {}{}\n", page ? "docs/bridge-protocol.md, section " : "", check.kind->section);
  }
  return line;
}

}  // namespace

std::string report_text(const Report& report) {
  std::string text = fmt::format("{}: {}{}\n", report.address, kind_of(report.describe),
                                 report.hello.software().empty() ? "" : ", software " + report.hello.software());
  for (const SubjectFindings& subject : report.findings) {
    if (!subject.subject.empty()) text += fmt::format("\n{}\n", subject.subject);
    for (const Check& check : subject.checks) text += line_of(check);
  }
  const std::array<int, 3> counts = counts_of(report);
  return text + fmt::format("\n{} ok, {} failed, {} skipped\n", counts[0], counts[1], counts[2]);
}

std::string report_json(const Report& report) {
  using nlohmann::ordered_json;
  ordered_json json{{"address", report.address}, {"software", report.hello.software()}};
  json["kind"] = report.describe.has_board() ? "board" : report.describe.has_worker() ? "worker" : "unknown";
  json["conforms"] = !report.failed();
  ordered_json checks = ordered_json::array();
  for (const SubjectFindings& subject : report.findings) {
    for (const Check& check : subject.checks) {
      checks.push_back({{"subject", subject.subject},
                        {"name", check.kind->name},
                        {"verdict", name_of(check.verdict)},
                        {"about", check.kind->about},
                        {"section", check.kind->section},
                        {"text", check.text},
                        {"looked", check.looked},
                        {"failed", check.failed}});
    }
  }
  json["checks"] = std::move(checks);
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace fabrictwin::bridges::conformance
