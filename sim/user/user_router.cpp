#include "sim/user/user_router.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>

#include "cpp_model/graph/file/bounded_json.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/number/bits.hpp"
#include "cpp_model/schedule/collective.hpp"
#include "cpp_model/system/output_file.hpp"
#include "sim/machine/file_lock.hpp"
#include "sim/user/module_interface.hpp"
#include "sim/variant/variant_store.hpp"

namespace safnet {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::uintmax_t kMostDescriptorBytes = 1 << 16;

// What node.json says.
struct UserRouter {
  std::string shown;  // "--node DIR": how messages begin
  std::string name, top;
  std::vector<std::string> sources;  // absolute paths
  std::set<PortModel> port_models;
};

template <class... Arguments>
[[noreturn]] void refuse(const std::string& shown, fmt::format_string<Arguments...> what,
                         Arguments&&... arguments) {
  throw std::invalid_argument(shown + ": " + fmt::format(what, std::forward<Arguments>(arguments)...));
}

bool is_identifier(const std::string& word) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto rest = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; };
  return !word.empty() && word.size() <= 64 && letter(word[0]) && std::ranges::all_of(word, rest) &&
         word.find("__") == std::string::npos;  // Verilator writes "__" in another way
}

std::string identifier(const Json& json, const std::string& key, const std::string& shown) {
  if (!json.contains(key))
    refuse(shown, "has no \"{}\"; expected the name of {}", key,
           key == "top" ? "the router's module" : "this kind of node");
  if (!json[key].is_string() || !is_identifier(json[key].get<std::string>()))
    refuse(shown, "\"{}\" {}: expected letters, digits and single underscores, a letter first", key,
           one_line(json[key].dump()));
  return json[key].get<std::string>();
}

const std::vector<Json>& word_list(const Json& json, const char* key, const std::string& shown,
                                   const char* expected) {
  const bool is_list = json[key].is_array() && !json[key].empty();
  if (!is_list || !std::ranges::all_of(json[key], [](const Json& each) { return each.is_string(); }))
    refuse(shown, "\"{}\" {}: expected a list of {}", key, one_line(json[key].dump()), expected);
  return json[key].get_ref<const Json::array_t&>();
}

UserRouter read_descriptor(const std::string& folder) {
  const std::string shown_folder = fmt::format("--node {}", one_line(folder));
  if (!fs::is_directory(folder))
    refuse(shown_folder, "no such folder; expected one with a router and its node.json");
  const fs::path path = fs::path(folder) / "node.json";
  if (!fs::exists(path)) refuse(shown_folder, "has no node.json; expected one, see rtl/fifo/README.md");
  UserRouter router;
  router.shown = shown_folder;
  const std::string shown = shown_folder + "/node.json";
  const Json json = [&] {
    try {
      return parse_bounded_json(read_bounded_file(path.string(), kMostDescriptorBytes), path.string());
    } catch (const std::invalid_argument& error) {
      refuse(shown_folder, "{}", error.what());
    }
  }();
  if (!json.is_object()) refuse(shown, "expected an object with \"name\", \"top\" and \"sources\"");
  for (const auto& [key, value] : json.items()) {
    static const std::set<std::string> kKeys{"name", "top", "sources", "ports"};
    if (!kKeys.contains(key))
      refuse(shown, "\"{}\": no such key; expected name, top, sources, ports", one_line(key));
  }
  router.name = identifier(json, "name", shown);
  router.top = identifier(json, "top", shown);
  if (!json.contains("sources")) refuse(shown, "has no \"sources\"; expected a list of files in this folder");
  for (const Json& each : word_list(json, "sources", shown, "files in this folder")) {
    const fs::path source = fs::absolute(fs::path(folder) / each.get<std::string>()).lexically_normal();
    if (!fs::is_regular_file(source))
      refuse(shown, "sources: no file {} in this folder", in_quotes(each.get<std::string>()));
    router.sources.push_back(source.string());
  }
  if (!json.contains("ports")) {
    router.port_models = {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend};
  } else {
    for (const Json& each : word_list(json, "ports", shown, "all, one and one-send")) {
      try {
        router.port_models.insert(parse_port_model(each.get<std::string>()));
      } catch (const std::invalid_argument&) {
        refuse(shown, "ports: {}: expected all, one or one-send", in_quotes(each.get<std::string>()));
      }
    }
  }
  return router;
}

// ---- parameters ----

constexpr int kAny = -1, kNeeded = -2;

// The program sets a parameter if the module has it. For a module without it: the only value of the parameter
// that such a module can stand for; kAny if it does not matter, kNeeded if the module must have it.
int value_without(const std::string& name, const PifoParameters& p) {
  static const std::map<std::string, int> kWithout{
      {"Flits", 1},        {"LinkLatency", 0}, {"SlotCycles", kAny}, {"QueueDepth", kAny},
      {"HostDepth", kAny}, {"PortModel", 0},   {"GrantCycles", 0}};
  // With one flit a node reads only the label; else also the length, which is above source and tag.
  if (p.flits <= 1 && (name == "NodeIdWidth" || name == "TagWidth")) return kAny;
  const auto found = kWithout.find(name);
  return found == kWithout.end() ? kNeeded : found->second;
}

// What the program sets. Throws if the module has no parameter for something that it needs to know.
std::vector<std::pair<std::string, int>> set_parameters(const UserRouter& router,
                                                        const ModuleInterface& module,
                                                        const PifoParameters& parameters) {
  std::vector<std::pair<std::string, int>> set;
  for (const auto& [name, value] : plain_router_parameters(parameters)) {
    if (std::ranges::find(module.settable, name) != module.settable.end()) {
      set.emplace_back(name, value);
      continue;
    }
    const auto fixed = module.parameters.find(name);
    const bool is_fixed = fixed != module.parameters.end() && fixed->second;
    const int without = value_without(name, parameters);
    if (without == kAny || (is_fixed ? *fixed->second == value : without == value)) continue;
    refuse(router.shown, "module {} has no parameter {} that can be set; expected one, for the value {}{}",
           router.top, name, value,
           without == kNeeded ? ""
           : is_fixed         ? fmt::format(" (it is fixed at {})", *fixed->second)
                              : fmt::format(" (without it {} is the only one)", without));
  }
  // The program reads the width of the occupancy ports from the module.
  if (!module.parameters.contains("OccupancyWidth"))
    refuse(
        router.shown,
        "module {} has no parameter OccupancyWidth; expected one, or a localparam: the bits of occupancy_o, "
        "peak_occupancy_o and peak_transit_o",
        router.top);
  return set;
}

// ---- ports ----

struct WantedPort {
  std::string name;
  bool is_input;
  std::int64_t bits;
  const char* in_words;
  bool needed = true;
};

std::vector<WantedPort> wanted_ports(const PifoParameters& p, std::int64_t occupancy_width) {
  const std::int64_t radix = p.radix, flits = radix * p.flit_width, words = radix * 32;
  const std::int64_t label = index_width(p.label_depth);
  const bool grants = p.grant_cycles != 0;
  return {{"clk_i", true, 1, "1"},
          {"rst_ni", true, 1, "1"},
          {"cycle_i", true, 32, "32"},
          {"step_i", true, 32, "32"},
          {"slot_open_next_i", true, 1, "1"},
          {"tx_valid_o", false, radix, "Radix"},
          {"tx_flit_o", false, flits, "Radix*FlitWidth"},
          {"tx_credit_o", false, radix, "Radix"},
          {"tx_request_o", false, radix, "Radix", grants},
          {"tx_grant_o", false, radix, "Radix", grants},
          {"rx_valid_i", true, radix, "Radix"},
          {"rx_flit_i", true, flits, "Radix*FlitWidth"},
          {"rx_credit_i", true, radix, "Radix"},
          {"rx_request_i", true, radix, "Radix", grants},
          {"rx_grant_i", true, radix, "Radix", grants},
          {"fault_drop_i", true, radix, "Radix"},
          {"fault_corrupt_i", true, radix, "Radix"},
          {"table_valid_i", true, 1, "1"},
          {"table_label_i", true, label, "LabelWidth"},
          {"table_mask_i", true, radix, "Radix"},
          {"table_deliver_i", true, 1, "1"},
          {"inject_valid_i", true, 1, "1"},
          {"inject_ready_o", false, 1, "1"},
          {"inject_flit_i", true, p.flit_width, "FlitWidth"},
          {"deliver_valid_o", false, radix, "Radix"},
          {"deliver_last_o", false, radix, "Radix"},
          {"deliver_flit_o", false, flits, "Radix*FlitWidth"},
          {"sent_o", false, words, "Radix*32"},
          {"received_o", false, words, "Radix*32", false},
          {"delivered_o", false, 32, "32"},
          {"last_delivery_cycle_o", false, 32, "32"},
          {"last_delivery_step_o", false, 32, "32"},
          {"delay_sum_o", false, 64, "64"},
          {"occupancy_o", false, occupancy_width, "OccupancyWidth", false},
          {"peak_occupancy_o", false, occupancy_width, "OccupancyWidth", false},
          {"peak_transit_o", false, occupancy_width, "OccupancyWidth", false},
          {"violations_o", false, 32, "32", false},
          {"first_violation_cycle_o", false, 32, "32", false},
          {"wait_credit_o", false, radix, "Radix", false},
          {"wait_grant_o", false, radix, "Radix", false},
          {"idle_o", false, 1, "1"}};
}

// Ports that come together: the program drives or reads all of them, or none.
const std::array<std::vector<std::string_view>, 2> kGroups{
    {{"rx_grant_i", "rx_request_i", "tx_grant_o", "tx_request_o"},
     {"violations_o", "first_violation_cycle_o"}}};

std::string declaration(const WantedPort& port) {
  return fmt::format(
      "{} logic {}{}", port.is_input ? "input" : "output",
      port.bits == 1 && std::string_view(port.in_words) == "1" ? "" : fmt::format("[{}-1:0] ", port.in_words),
      port.name);
}

void check_ports(const UserRouter& router, const ModuleInterface& module, const PifoParameters& p) {
  const auto occupancy = module.parameters.at("OccupancyWidth");
  std::set<std::string> known;
  const auto there = [&module](std::string_view name) { return module.ports.contains(std::string(name)); };
  for (const WantedPort& port : wanted_ports(p, occupancy.value_or(0))) {
    known.insert(port.name);
    const bool needed =
        port.needed || std::ranges::any_of(kGroups, [&](const auto& group) {
          return std::ranges::find(group, port.name) != group.end() && std::ranges::any_of(group, there);
        });
    const auto found = module.ports.find(port.name);
    if (found == module.ports.end()) {
      if (needed)
        refuse(router.shown, "module {} has no port {}; expected {}, {} bits wide", router.top, port.name,
               declaration(port), port.bits);
      continue;
    }
    const ModulePort& has = found->second;
    if (has.is_input != port.is_input)
      refuse(router.shown, "module {}: port {} is an {}; expected {}", router.top, port.name,
             has.is_input ? "input" : "output", declaration(port));
    if (has.bits != port.bits)
      refuse(router.shown, "module {}: port {} {}; expected {}, {} bits wide", router.top, port.name,
             has.bits == 0 ? "is no plain vector" : fmt::format("is {} bits wide", has.bits),
             declaration(port), port.bits);
  }
  for (const auto& [name, port] : module.ports) {
    if (port.is_input && !known.contains(name))
      refuse(router.shown,
             "module {} has an input {}, which nobody drives; expected the ports of a fifo_node", router.top,
             name);
  }
}

// ---- the kind ----

class UserKind {
 public:
  UserKind(UserRouter router, const VariantStore& store)
      : router_(std::move(router)), folder_(store.build_folder() + "/user/" + router_.name) {
    fs::create_directories(folder_);
    folder_ = fs::absolute(folder_).string();
    const FileLock lock(folder_ + "/lock");  // another process may use a router of the same name
    const std::string shown_to_host = folder_ + "/public_" + router_.top + ".vlt";
    std::string text = "`verilator_config\n";
    for (const char* name : {"Radix", "FlitWidth", "OccupancyWidth"})
      text += fmt::format("public -module \"{}\" -var \"{}\"\n", router_.top, name);
    write_whole_file(shown_to_host, text);  // others may be reading it
    NodeKind kind{.name = "user_" + router_.name,
                  .top = router_.top,
                  .folders = {"common"},
                  .sources = router_.sources};
    kind.sources.push_back(shown_to_host);
    kind_ = router_node_kind(std::move(kind));
    sources_ = store.sources(*kind_);
    includes_ = fs::absolute(store.rtl_folder()).string();
  }

  // Called by every run of a sweep with the same parameters, from several threads: the check is done once.
  Hardware hardware(const PifoParameters& parameters) {
    const std::lock_guard guard(mutex_);
    auto& known = known_[parameters];
    if (known.kind == nullptr) known = checked(parameters);
    return known;
  }

 private:
  Hardware checked(const PifoParameters& parameters) const {
    const auto ports = static_cast<PortModel>(parameters.port_model);
    if (!router_.port_models.contains(ports)) {
      std::vector<std::string> words;
      for (const PortModel each : router_.port_models) words.push_back(to_string(each));
      refuse(router_.shown, "is not made for --ports {}; its node.json says {}", to_string(ports),
             fmt::join(words, ", "));
    }
    Hardware hardware = router_hardware(kind_, parameters);
    ModuleQuery query{router_.top, sources_, {}, folder_, includes_};
    try {
      query.parameters = set_parameters(router_, module_interface(query), parameters);
      hardware.parameters = query.parameters;
      check_ports(router_, module_interface(query), parameters);
    } catch (const std::invalid_argument& error) {
      const std::string what = error.what();
      if (what.starts_with(router_.shown)) throw;
      refuse(router_.shown, "{}", what);
    }
    hardware.scope_bytes = 1024.0 + 128.0 * parameters.radix;
    return hardware;
  }

  UserRouter router_;
  std::string folder_;    // for Verilator's output and log
  std::string includes_;  // with the lists of ports that sources include
  std::vector<std::string> sources_;
  std::shared_ptr<const NodeKind> kind_;
  std::mutex mutex_;
  std::map<PifoParameters, Hardware> known_;
};

}  // namespace

bool names_folder(const std::string& word) {
  return word.find('/') != std::string::npos || fs::is_directory(word);
}

std::shared_ptr<const RouterKind> user_router(const std::string& folder, const VariantStore& store) {
  const auto kind = std::make_shared<UserKind>(read_descriptor(folder), store);
  return std::make_shared<const RouterKind>(
      RouterKind{.name = folder, .hardware = [kind](const PifoParameters& p) { return kind->hardware(p); }});
}

}  // namespace safnet
