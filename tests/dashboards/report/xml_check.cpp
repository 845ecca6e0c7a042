// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/dashboards/report/xml_check.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <set>
#include <vector>

#include "cosim/base/text.h"

namespace fabrictwin::test {
namespace {

class XmlReader {
 public:
  explicit XmlReader(std::string_view text) : text_(text) {}

  std::string fault() {
    if (!is_utf8(text_)) return "not UTF-8";
    bool seen_root = false;
    while (at_ < text_.size()) {
      if (text_[at_] == '<') {
        if (open_.empty() && seen_root) return here("a second root");
        seen_root = true;
        if (!tag()) return here(reason_);
      } else {
        if (open_.empty() && !std::isspace(static_cast<unsigned char>(text_[at_]))) return here("text outside");
        if (!character()) return here(reason_);
      }
    }
    if (!open_.empty()) return here(fmt::format("<{}> is not closed", open_.back()));
    return seen_root ? "" : "no element";
  }

 private:
  std::string here(std::string_view what) const { return fmt::format("{} at byte {}", what, at_); }
  bool fail(std::string reason) {
    reason_ = std::move(reason);
    return false;
  }
  bool take(std::string_view expected) {
    if (text_.substr(at_, expected.size()) != expected) return false;
    at_ += expected.size();
    return true;
  }
  bool space() {
    const size_t before = at_;
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return at_ > before;
  }
  std::string name() {
    const size_t before = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '-' ||
                                  text_[at_] == '_' || text_[at_] == ':')) {
      ++at_;
    }
    return std::string(text_.substr(before, at_ - before));
  }
  // One character of text or of a value.
  bool character() {
    const unsigned char c = static_cast<unsigned char>(text_[at_]);
    if (c < 0x20 && c != '\n' && c != '\t') return fail("a control character");
    if (c == '<') return fail("a bare <");
    if (c != '&') return ++at_, true;
    for (const std::string_view entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"}) {
      if (take(entity)) return true;
    }
    return fail("an unknown entity");
  }
  bool tag() {
    if (take("</")) {
      const std::string closed = name();
      if (open_.empty() || open_.back() != closed) return fail("the end of what is not open: " + closed);
      open_.pop_back();
      return take(">") || fail("no > after an end tag");
    }
    take("<");
    const std::string opened = name();
    if (opened.empty()) return fail("a tag without a name");
    std::set<std::string> attributes;
    for (;;) {
      const bool apart = space();
      if (take("/>")) return true;
      if (take(">")) return open_.push_back(opened), true;
      const std::string attribute = name();
      if (!apart || attribute.empty()) return fail("no attribute in a tag");
      if (!attributes.insert(attribute).second) return fail("twice the attribute " + attribute);
      if (!take("=\"")) return fail("an attribute without a quoted value");
      while (at_ < text_.size() && text_[at_] != '"') {
        if (!character()) return false;
      }
      if (!take("\"")) return fail("a value without end");
    }
  }

  std::string_view text_;
  size_t at_ = 0;
  std::vector<std::string> open_;
  std::string reason_;
};

}  // namespace

std::string xml_fault(std::string_view text) { return XmlReader(text).fault(); }

}  // namespace fabrictwin::test
