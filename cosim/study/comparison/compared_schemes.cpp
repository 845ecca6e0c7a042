// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/comparison/compared_schemes.h"

#include <fmt/format.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <utility>

#include "cosim/base/clock.h"
#include "cosim/base/suggest.h"
#include "cosim/base/text.h"
#include "cosim/experiment/source_text.h"

namespace fabrictwin::study::comparison {
namespace {

/// The name of a row without schemes.
constexpr std::string_view kNoScheme = "none";

/// Between two points over time, of experiments that say nothing of it. It doubles in long runs.
constexpr Time kInterval = Time::from_us(10);

/// That, or a cycle of a router if it is longer.
std::string interval_of(const experiment::Experiment& experiment) {
  const Time interval = std::max(kInterval, Clock(experiment.router.clock).edge(1));
  return fmt::format("{}fs", interval.fs());
}

const google::protobuf::Descriptor& rate_schemes() { return *v1::Congestion::descriptor(); }

/// The scheme of queues of a name, as "voqnet"; unspecified if there is none.
v1::Queues::Scheme queue_scheme(std::string_view name) {
  const google::protobuf::EnumDescriptor& schemes = *v1::Queues::Scheme_descriptor();
  for (int i = 0; i < schemes.value_count(); ++i) {
    if (to_lower(schemes.value(i)->name()) == name) return static_cast<v1::Queues::Scheme>(schemes.value(i)->number());
  }
  return v1::Queues::SCHEME_UNSPECIFIED;
}

/// All names that there are.
std::vector<std::string> scheme_names() {
  std::vector<std::string> names{std::string(kNoScheme)};
  for (int i = 0; i < rate_schemes().field_count(); ++i) names.emplace_back(rate_schemes().field(i)->name());
  const google::protobuf::EnumDescriptor& queues = *v1::Queues::Scheme_descriptor();
  for (int i = 0; i < queues.value_count(); ++i) {
    if (queues.value(i)->number() != v1::Queues::SCHEME_UNSPECIFIED) names.push_back(to_lower(queues.value(i)->name()));
  }
  return names;
}

std::string unknown_scheme(std::string_view name) {
  const std::vector<std::string> known = scheme_names();
  const std::vector<std::string_view> names(known.begin(), known.end());
  return fmt::format("{}; write some of {}, or one for rates with one of queues, as dcqcn+voqnet",
                     name.empty() ? "no scheme is named here"
                                  : fmt::format("unknown scheme \"{}\"{}", name, did_you_mean(name, names)),
                     comma_list(names));
}

/// Adds one of the schemes of a row. What is wrong with it; nothing if there is such a scheme.
std::string add_scheme(std::string_view name, ComparedSchemes& row) {
  if (name == kNoScheme) {
    if (row.name == kNoScheme) return {};
    return fmt::format("{} is a row of its own; leave it out here", kNoScheme);
  }
  if (const auto* field = rate_schemes().FindFieldByName(std::string(name)); field != nullptr) {
    if (row.rates != nullptr)
      return fmt::format("{} and {} both control rates; write one of them", row.rates->name(), name);
    row.rates = field;
    return {};
  }
  const v1::Queues::Scheme queues = queue_scheme(name);
  if (queues == v1::Queues::SCHEME_UNSPECIFIED) return unknown_scheme(name);
  if (row.queues != v1::Queues::SCHEME_UNSPECIFIED) {
    return fmt::format("{} and {} are both schemes of queues; write one of them",
                       to_lower(v1::Queues::Scheme_Name(row.queues)), name);
  }
  row.queues = queues;
  return {};
}

/// The name of the member of `around` that an argument of --set changes: "dcqcn" of "congestion.dcqcn.pmax=0.1". Empty
/// if it changes something else, or there is no such member.
std::string member_of(std::string_view set, std::string_view around, const google::protobuf::Descriptor& message) {
  const std::string prefix = fmt::format("{}.", around);
  if (!set.starts_with(prefix)) return {};
  std::string name(set.substr(prefix.size(), set.find_first_of(".=", prefix.size()) - prefix.size()));
  return message.FindFieldByName(name) == nullptr ? std::string() : name;
}

/// The scheme for rates whose parameter an argument of --set changes.
std::string rates_of(std::string_view set) { return member_of(set, "congestion", rate_schemes()); }

/// The field of `queues` that it changes.
std::string queue_field_of(std::string_view set) { return member_of(set, "queues", *v1::Queues::descriptor()); }

/// Whether a row has a field of `queues`. Queue pairs of a scheme for rates take the place of queues in hosts.
bool has_queue_field(const ComparedSchemes& row, std::string_view field) {
  const bool set_aside = row.queues == v1::Queues::FBICM;
  if (row.queues == v1::Queues::SCHEME_UNSPECIFIED) return false;
  if (field == "admittance") return row.rates == nullptr;
  if (field == "flits") return row.queues != v1::Queues::ONE;
  if (field == "count") return set_aside || row.queues == v1::Queues::DBBM || row.queues == v1::Queues::OBQA;
  return set_aside && field != "scheme";
}

bool has_parameter(const ComparedSchemes& row, std::string_view set) {
  if (const std::string field = queue_field_of(set); !field.empty()) return has_queue_field(row, field);
  return row.rates != nullptr && rates_of(set) == row.rates->name();
}

absl::Status wrong_set(const std::string& set, std::string_view message) {
  return absl::InvalidArgumentError(
      experiment::format_diagnostic(experiment::SourceText("--set", set).location(0), message));
}

/// An experiment whose paths can be opened from the working directory, with the parameters `sets`.
absl::StatusOr<experiment::Experiment> parsed(const v1::Experiment& message, const std::string& file,
                                              const std::vector<std::string>& sets,
                                              const experiment::Tenants& tenants) {
  std::string text;
  google::protobuf::TextFormat::PrintToString(message, &text);
  experiment::Overrides overrides;
  overrides.sets = sets;
  return experiment::parse_experiment(text, std::filesystem::path(file).filename().string(), tenants, overrides);
}

/// With a scheme, routers count what waits in them, and there has to be something to compare that with. What rates and
/// queues do over time has diagrams.
void measure(const experiment::Experiment& experiment, v1::Experiment& message) {
  const experiment::RouterCapabilities& router = experiment.capabilities.of(experiment.router.model);
  if (!router.marks && !router.queues) return;
  message.mutable_statistics()->set_queues(true);
  if (message.statistics().series_interval().empty())
    message.mutable_statistics()->set_series_interval(interval_of(experiment));
}

void choose_queues(const ComparedSchemes& row, v1::Experiment& message) {
  if (row.queues == v1::Queues::SCHEME_UNSPECIFIED) return message.clear_queues();
  v1::Queues& queues = *message.mutable_queues();
  const v1::Queues::Admittance admittance = queues.admittance();
  if (queues.scheme() != row.queues) queues.Clear();
  queues.set_scheme(row.queues);
  queues.set_admittance(row.rates == nullptr ? admittance : v1::Queues::ADMITTANCE_UNSPECIFIED);
}

/// Whether the hosts of an experiment have queues that a transport excludes.
bool has_admittance(const v1::Experiment& message, const std::vector<std::string>& sets) {
  const v1::Queues::Admittance admittance = message.queues().admittance();
  return (admittance != v1::Queues::ADMITTANCE_UNSPECIFIED && admittance != v1::Queues::SINGLE) ||
         std::ranges::any_of(sets, [](const std::string& set) { return queue_field_of(set) == "admittance"; });
}

/// Whether an argument has parameters that some schemes have.
bool is_parameter(std::string_view set) { return !rates_of(set).empty() || !queue_field_of(set).empty(); }

}  // namespace

absl::StatusOr<std::vector<ComparedSchemes>> parse_schemes(const std::vector<std::string>& arguments) {
  std::vector<ComparedSchemes> found;
  for (const std::string& argument : arguments) {
    const experiment::SourceText source("--schemes", argument);
    const auto wrong = [&source](size_t offset, std::string_view flaw) {
      return absl::InvalidArgumentError(experiment::format_diagnostic(source.location(offset), flaw));
    };
    size_t offset = 0;
    for (const std::string_view name : split(argument, ",")) {
      ComparedSchemes row;
      row.name = name;
      size_t at = offset;
      for (const std::string_view scheme : split(name, "+")) {
        if (const std::string flaw = add_scheme(scheme, row); !flaw.empty()) return wrong(at, flaw);
        at += scheme.size() + 1;
      }
      // What would be run, or written, twice.
      if (std::ranges::any_of(found, [&row](const ComparedSchemes& other) { return other.same_as(row); }))
        return wrong(offset, fmt::format("{} is there twice; write each scheme once", name));
      found.push_back(std::move(row));
      offset += name.size() + 1;
    }
  }
  return found;
}

absl::Status check_parameters(const std::vector<std::string>& sets, std::span<const ComparedSchemes> compared) {
  for (const std::string& set : sets) {
    if (!is_parameter(set)) continue;
    const std::string field = queue_field_of(set);
    if (field == "scheme")
      return wrong_set(set, "--schemes gives this field its values, so this one would not be used; leave it out");
    if (std::ranges::any_of(compared, [&set](const ComparedSchemes& row) { return has_parameter(row, set); })) continue;
    return wrong_set(set, field.empty()
                              ? fmt::format("{} is not among the schemes that are compared; name it in --schemes, or "
                                            "leave this out",
                                            rates_of(set))
                              : fmt::format("no scheme that is compared has {}; name one that has it in --schemes, or "
                                            "leave this out",
                                            field));
  }
  return absl::OkStatus();
}

std::vector<std::string> common_sets(const std::vector<std::string>& sets) {
  std::vector<std::string> common;
  std::ranges::copy_if(sets, std::back_inserter(common), [](const std::string& set) { return !is_parameter(set); });
  return common;
}

absl::StatusOr<experiment::Experiment> with_schemes(const experiment::Experiment& experiment,
                                                    const ComparedSchemes& schemes,
                                                    const std::vector<std::string>& sets,
                                                    const experiment::Tenants& tenants) {
  v1::Experiment message = experiment.message;
  measure(experiment, message);
  choose_queues(schemes, message);
  if (schemes.rates == nullptr) {
    message.clear_congestion();
    // Hosts send in the same way, where they can.
    const experiment::Capabilities& capabilities = experiment.capabilities;
    if (capabilities.of(experiment.router.model).marks && capabilities.of(experiment.host.nic).transport &&
        !has_admittance(experiment.message, sets))
      message.mutable_transport();
  } else {
    v1::Congestion& congestion = *message.mutable_congestion();
    congestion.GetReflection()->MutableMessage(&congestion, schemes.rates);
  }
  std::vector<std::string> own;
  std::ranges::copy_if(sets, std::back_inserter(own),
                       [&schemes](const std::string& set) { return has_parameter(schemes, set); });
  absl::StatusOr<experiment::Experiment> made = parsed(message, experiment.file, own, tenants);
  if (made.ok() || schemes.rates != nullptr || experiment.message.has_transport()) return made;
  // Something else of the experiment excludes a transport.
  message.clear_transport();
  return parsed(message, experiment.file, own, tenants);
}

}  // namespace fabrictwin::study::comparison
