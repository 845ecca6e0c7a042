// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/table/file_table.h"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "cosim/base/suggest.h"
#include "cosim/experiment/location_map.h"
#include "cosim/experiment/source_text.h"
#include "fmt/format.h"
#include "models/routing/factory.h"

namespace fabrictwin::routing::table {
namespace {

constexpr size_t kMaxFileBytes = size_t{256} << 20;
constexpr int32_t kMaxClasses = 32;

absl::StatusOr<std::string> read_file(const std::string& file) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rb"), &std::fclose);
  if (stream == nullptr)
    return absl::NotFoundError(fmt::format("{}: error: cannot open the table: {}", file, std::strerror(errno)));
  std::string text;
  char block[65536];
  while (const size_t got = std::fread(block, 1, sizeof(block), stream.get())) {
    text.append(block, got);
    if (text.size() > kMaxFileBytes) {
      return absl::InvalidArgumentError(
          fmt::format("{}: error: the table is longer than {} bytes; it is not a table", file, kMaxFileBytes));
    }
  }
  if (std::ferror(stream.get()) != 0)
    return absl::NotFoundError(fmt::format("{}: error: cannot read the table: {}", file, std::strerror(errno)));
  return text;
}

}  // namespace

/// Reads one file.
class FileTableReader {
 public:
  FileTableReader(const RouterGraph& routers, const std::string& file, std::string text)
      : routers_(routers), source_(file, std::move(text)), diagnostics_(file), table_(routers) {
    for (int32_t router = 0; router < routers.routers(); ++router) router_of_[routers.router_name(router)] = router;
    for (int32_t host = 0; host < routers.hosts(); ++host) host_of_[routers.host_name(host)] = host;
    defaults_.resize(static_cast<size_t>(routers.routers()));
  }

  absl::StatusOr<FileTable> read(int32_t vcs) {
    const std::string& text = source_.text();
    for (size_t start = 0; start < text.size();) {
      const size_t end = std::min(text.find('\n', start), text.size());
      read_line(start, std::min(text.find('#', start), end));
      start = end + 1;
    }
    if (!diagnostics_.empty()) return diagnostics_.status();
    fill_defaults();
    if (absl::Status status = check_paths(); !status.ok()) return status;
    if (classes_ > vcs) {
      diagnostics_.add(source_.location(class_offset_),
                       fmt::format("class {}: the routers have {} VCs, so classes are 0 to {}; write router {{ vcs: {} "
                                   "}} or more",
                                   classes_ - 1, vcs, vcs - 1, classes_));
      return diagnostics_.status();
    }
    table_.shared_ = VcClasses(vcs, classes_);
    for (int32_t i = 0; i < classes_; ++i) table_.vcs_.push_back(table_.shared_.mask(i));
    table_.vcs_.push_back(table_.shared_.all());
    table_.routers_ = static_cast<size_t>(routers_.routers());
    return std::move(table_);
  }

 private:
  struct Word {
    std::string_view text;
    size_t offset = 0;
  };

  void complain(const Word& word, std::string_view message) {
    diagnostics_.add(source_.location(word.offset), message);
  }

  std::vector<Word> words(size_t start, size_t end) const {
    const std::string_view text = source_.text();
    std::vector<Word> found;
    while (true) {
      while (start < end && (text[start] == ' ' || text[start] == '\t' || text[start] == '\r')) ++start;
      if (start >= end) return found;
      const size_t from = start;
      while (start < end && text[start] != ' ' && text[start] != '\t' && text[start] != '\r') ++start;
      found.push_back({text.substr(from, start - from), from});
    }
  }

  void read_line(size_t start, size_t end) {
    const std::vector<Word> line = words(start, end);
    if (line.empty()) return;
    if (line.size() < 3 || line.size() > 4) {
      complain(line.back(),
               fmt::format("{} words in this line; write \"ROUTER DESTINATION PORT\" or \"ROUTER DESTINATION PORT "
                           "CLASS\", such as \"router[0] host[3] x+ 1\"",
                           line.size()));
      return;
    }
    const auto router = router_of_.find(line[0].text);
    if (router == router_of_.end()) {
      complain(line[0],
               fmt::format("there is no router \"{}\"; the first is \"{}\"", line[0].text, routers_.router_name(0)));
      return;
    }
    const auto host = host_of_.find(line[1].text);
    const bool all = line[1].text == "*";
    if (!all && host == host_of_.end()) {
      complain(line[1], fmt::format("there is no host \"{}\"; the first is \"{}\", and * is all that have no entry",
                                    line[1].text, routers_.host_name(0)));
      return;
    }
    FileTable::Entry entry;
    if (!read_port(line[2], router->second, entry) || (line.size() == 4 && !read_class(line[3], entry))) return;
    FileTable::Entry& known = all ? defaults_[router->second] : table_.at(router->second, host->second);
    if (known.port != FileTable::kNoPort) {
      complain(line[1], fmt::format("{} has an entry for {} already; leave one of them out", line[0].text,
                                    all ? std::string_view("*") : line[1].text));
      return;
    }
    known = entry;
  }

  bool read_port(const Word& word, int32_t router, FileTable::Entry& entry) {
    const std::vector<std::string>& ports = routers_.graph().elements[routers_.hosts() + router].ports;
    const std::vector<std::string_view> names(ports.begin(), ports.end());
    const auto found = std::ranges::find(names, word.text);
    if (found == names.end()) {
      complain(word, fmt::format("{} has no port \"{}\"{}", routers_.router_name(router), word.text,
                                 did_you_mean(word.text, names)));
      return false;
    }
    entry.port = static_cast<int16_t>(found - names.begin());
    const RouterGraph::End& end = routers_.peer(router, entry.port);
    if (end.router >= 0 || end.host >= 0) return true;
    complain(word, fmt::format("nothing is connected to {}", routers_.port_name(router, entry.port)));
    return false;
  }

  bool read_class(const Word& word, FileTable::Entry& entry) {
    int32_t value = -1;
    const char* end = word.text.data() + word.text.size();
    const auto [stop, error] = std::from_chars(word.text.data(), end, value);
    if (error != std::errc{} || stop != end || value < 0 || value >= kMaxClasses) {
      complain(word, fmt::format("class {}: a class of VCs is a number from 0 to {}", word.text, kMaxClasses - 1));
      return false;
    }
    entry.vc_class = static_cast<int8_t>(value);
    if (value >= classes_) {
      classes_ = value + 1;
      class_offset_ = word.offset;
    }
    return true;
  }

  void fill_defaults() {
    for (int32_t host = 0; host < routers_.hosts(); ++host) {
      for (int32_t router = 0; router < routers_.routers(); ++router) {
        FileTable::Entry& entry = table_.at(router, host);
        if (entry.port == FileTable::kNoPort) entry = defaults_[router];
        if (routers_.host_router(host) == router) entry = {static_cast<int16_t>(routers_.host_port(host)), -1};
      }
    }
  }

  /// The position of the port in the line with a router's entry for a host.
  size_t entry_offset(int32_t router, int32_t host) const {
    const std::string& text = source_.text();
    size_t offset = source_.last_byte();
    for (size_t start = 0; start < text.size();) {
      const size_t end = std::min(text.find('\n', start), text.size());
      const std::vector<Word> line = words(start, std::min(text.find('#', start), end));
      start = end + 1;
      if (line.size() < 3 || line[0].text != routers_.router_name(router)) continue;
      if (line[1].text == routers_.host_name(host)) return line[2].offset;
      if (line[1].text == "*") offset = line[2].offset;
    }
    return offset;
  }

  absl::Status refuse_host(int32_t router, int32_t host, int32_t other) {
    diagnostics_.add(
        source_.location(entry_offset(router, host)),
        fmt::format("{} sends packets for {} to {}; write a port of {} that leads to a router, on a path to {}",
                    routers_.router_name(router), routers_.host_name(host), routers_.host_name(other),
                    routers_.router_name(router), routers_.router_name(routers_.host_router(host))));
    return diagnostics_.status();
  }

  absl::Status refuse_circle(int32_t router, int32_t host) {
    diagnostics_.add(source_.location(entry_offset(router, host)),
                     fmt::format("{}; write a port on a path to {} in one of these lines", circle_text(router, host),
                                 routers_.router_name(routers_.host_router(host))));
    return diagnostics_.status();
  }

  /// Follows each route to its end. A missing line is reported at the end of the file.
  absl::Status check_paths() {
    constexpr int32_t kUnknown = -1;
    std::vector<int32_t> checked_by(static_cast<size_t>(routers_.routers()));
    for (int32_t host = 0; host < routers_.hosts(); ++host) {
      std::ranges::fill(checked_by, kUnknown);
      for (int32_t from = 0; from < routers_.routers(); ++from) {
        if (routers_.first_host_port(from) < 0) continue;
        int32_t at = from;
        while (checked_by[at] == kUnknown) {
          checked_by[at] = from;
          const FileTable::Entry entry = table_.at(at, host);
          if (entry.port == FileTable::kNoPort) {
            diagnostics_.add(
                source_.location(source_.last_byte()),
                fmt::format("packets from {} to {} come to {}, which has no entry for it; add a line \"{} {} "
                            "PORT\"",
                            routers_.router_name(from), routers_.host_name(host), routers_.router_name(at),
                            routers_.router_name(at), routers_.host_name(host)));
            return diagnostics_.status();
          }
          const RouterGraph::End& end = routers_.peer(at, entry.port);
          if (end.host == host) break;
          if (end.host >= 0) return refuse_host(at, host, end.host);
          at = end.router;
          if (checked_by[at] == from) return refuse_circle(at, host);
        }
      }
    }
    return absl::OkStatus();
  }

  std::string circle_text(int32_t start, int32_t host) {
    std::string text = routers_.router_name(start);
    int32_t at = start;
    do {
      at = routers_.peer(at, table_.at(at, host).port).router;
      text += " -> " + routers_.router_name(at);
    } while (at != start && text.size() < 1000);
    return fmt::format("packets for {} never arrive, they go {}", routers_.host_name(host), text);
  }

  const RouterGraph& routers_;
  const experiment::SourceText source_;
  experiment::DiagnosticList diagnostics_;
  FileTable table_;
  std::vector<FileTable::Entry> defaults_;  ///< By router: the entries for "*".
  absl::flat_hash_map<std::string_view, int32_t> router_of_;
  absl::flat_hash_map<std::string_view, int32_t> host_of_;
  int32_t classes_ = 1;
  size_t class_offset_ = 0;
};

absl::StatusOr<FileTable> FileTable::load(const RouterGraph& routers, const std::string& file, int32_t vcs) {
  absl::StatusOr<std::string> text = read_file(file);
  if (!text.ok()) return text.status();
  return FileTableReader(routers, file, *std::move(text)).read(vcs);
}

absl::StatusOr<FileTable> FileTable::parse(const RouterGraph& routers, const std::string& text, const std::string& file,
                                           int32_t vcs) {
  return FileTableReader(routers, file, text).read(vcs);
}

void FileTable::options(int32_t router, int32_t, int32_t, PacketRoute& route, RouteOptions& options) const {
  const Entry entry = entries_[static_cast<size_t>(route.destination) * routers_ + static_cast<size_t>(router)];
  options.add({entry.port, false, entry.vc_class == kAnyClass ? vcs_.back() : vcs_[entry.vc_class]});
}

const Factory& from_file() {
  static const Factory factory{.kind = v1::TABLE, .parameters = {"table"}, .make = [](const Request& request) -> Made {
                                 absl::StatusOr<FileTable> made =
                                     FileTable::load(RouterGraph(request.graph()), request.spec().table, request.vcs());
                                 if (!made.ok()) return made.status();
                                 return share(*std::move(made));
                               }};
  return factory;
}

}  // namespace fabrictwin::routing::table
