#include "cpp_model/interchange/chakra_trace.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "cpp_model/graph/file/bounded_json.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/interchange/protobuf_fields.hpp"

namespace safnet {
namespace {

using Json = nlohmann::json;

constexpr std::uintmax_t kMostTraceBytes = std::uintmax_t{256} << 20;
constexpr std::uintmax_t kMostJsonTraceBytes = std::uintmax_t{64} << 20;
constexpr std::uint64_t kCollectiveNode = 7;  // COMM_COLL_NODE
constexpr std::size_t kMostDimensions = 64;

struct CommType {
  std::string name;
  std::optional<CollectiveKind> kind;
};
// In the order of Chakra's CollectiveCommType.
const std::array<CommType, 10>& comm_types() {
  static const std::array<CommType, 10> types{
      {{"ALL_REDUCE", CollectiveKind::kAllreduce},
       {"REDUCE", CollectiveKind::kReduction},
       {"ALL_GATHER", CollectiveKind::kMultinodeBroadcast},
       {"GATHER", CollectiveKind::kGather},
       {"SCATTER", CollectiveKind::kScatter},
       {"BROADCAST", CollectiveKind::kBroadcast},
       {"ALL_TO_ALL", CollectiveKind::kTotalExchange},
       {"REDUCE_SCATTER", CollectiveKind::kMultinodeAccumulation},
       {"REDUCE_SCATTER_BLOCK", CollectiveKind::kMultinodeAccumulation},
       {"BARRIER", std::nullopt}}};
  return types;
}

// An attribute of a node, whichever encoding it came in.
struct ChakraAttribute {
  std::string name;
  std::optional<std::uint64_t> number;
  bool negative = false;
  std::optional<std::string> text;
  std::optional<std::vector<bool>> flags;
};

// Collects what both encodings say.
class TraceBuilder {
 public:
  explicit TraceBuilder(const std::string& shown) : wrong_(shown) {}

  const BadFile& wrong() const { return wrong_; }
  ChakraTrace& trace() { return trace_; }
  void add(std::uint64_t id, const std::string& name, const std::vector<ChakraAttribute>& attributes) {
    if (trace_.collectives.size() == kMostChakraCollectives)
      throw wrong_("node {}: expected at most {} collectives", id, kMostChakraCollectives);
    ChakraCollective collective{id, one_line(name), 0, {}, {}, {}};
    bool has_type = false;
    for (const ChakraAttribute& attribute : attributes) {
      if (attribute.name == "comm_type") {
        collective.comm_type = number(id, attribute, comm_types().size() - 1);
        has_type = true;
      } else if (attribute.name == "comm_size") {
        collective.comm_size = number(id, attribute, std::numeric_limits<std::int64_t>::max());
      } else if (attribute.name == "pg_name") {
        if (!attribute.text) throw wrong_("node {}: pg_name: expected a text", id);
        collective.group = one_line(*attribute.text);
      } else if (attribute.name == "involved_dim") {
        if (!attribute.flags || attribute.flags->size() > kMostDimensions)
          throw wrong_("node {}: involved_dim: expected a list of at most {} true or false", id,
                       kMostDimensions);
        collective.involved_dim = *attribute.flags;
      }
    }
    if (!has_type) throw wrong_("node {}: attribute 'comm_type' is missing", id);
    trace_.collectives.push_back(std::move(collective));
  }

 private:
  std::uint64_t number(std::uint64_t id, const ChakraAttribute& attribute, std::uint64_t most) const {
    if (!attribute.number || attribute.negative || *attribute.number > most)
      throw wrong_("node {}: {}{}; expected a number from 0 to {}", id, attribute.name,
                   attribute.negative ? " is negative"
                   : attribute.number ? fmt::format("={}", *attribute.number)
                                      : " is none",
                   most);
    return *attribute.number;
  }

  BadFile wrong_;
  ChakraTrace trace_;
};

// ---- Protocol Buffers. The numbers of fields are those of Chakra's et_def.proto. ----

// A number of a signed type that may be negative: two's complement, or zigzag (sint32, sint64).
void set_signed(ChakraAttribute& attribute, std::uint64_t value, bool zigzag) {
  attribute.negative = zigzag ? (value & 1) != 0 : value >> 63 != 0;
  attribute.number = zigzag ? value >> 1 : value;
}

std::vector<bool> flags_of(std::string_view message) {
  std::vector<bool> flags;
  ProtobufFields fields(message);
  while (const std::optional<ProtobufField> field = fields.next()) {
    if (field->number != 1) continue;
    if (field->kind != ProtobufField::Kind::kBytes) {
      flags.push_back(field->value != 0);
      continue;
    }
    ProtobufFields packed(field->bytes);
    while (const std::optional<std::uint64_t> flag = packed.next_varint()) flags.push_back(*flag != 0);
  }
  return flags;
}

ChakraAttribute attribute_of(std::string_view message) {
  ChakraAttribute attribute;
  ProtobufFields fields(message);
  while (const std::optional<ProtobufField> field = fields.next()) {
    const bool is_bytes = field->kind == ProtobufField::Kind::kBytes;
    switch (field->number) {
      case 1:
        attribute.name = field->bytes;
        break;
      case 7:   // int32
      case 9:   // int64
      case 11:  // uint32
      case 13:  // uint64
      case 15:  // sint32
      case 17:  // sint64
        if (field->kind == ProtobufField::Kind::kVarint)
          set_signed(attribute, field->value, field->number >= 15);
        break;
      case 19:  // fixed32
      case 21:  // fixed64
      case 25:  // sfixed64
        if (!is_bytes) set_signed(attribute, field->value, false);
        break;
      case 23:  // sfixed32, of whose sign there are no copies in the upper bits
        if (!is_bytes)
          set_signed(attribute,
                     static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(field->value)}),
                     false);
        break;
      case 28:  // BoolList
        if (is_bytes) attribute.flags = flags_of(field->bytes);
        break;
      case 29:
        if (is_bytes) attribute.text = field->bytes;
        break;
      default:
        break;
    }
  }
  return attribute;
}

void read_node(std::string_view message, TraceBuilder& builder) {
  std::uint64_t id = 0, type = 0;
  std::string name;
  std::vector<std::string_view> attributes;
  ProtobufFields fields(message);
  while (const std::optional<ProtobufField> field = fields.next()) {
    const bool is_bytes = field->kind == ProtobufField::Kind::kBytes;
    if (field->number == 1 && !is_bytes) id = field->value;
    if (field->number == 2 && is_bytes) name = field->bytes;
    if (field->number == 3 && !is_bytes) type = field->value;
    if (field->number == 10 && is_bytes) attributes.push_back(field->bytes);
  }
  ++builder.trace().nodes;
  if (type != kCollectiveNode) return;
  std::vector<ChakraAttribute> read;
  for (const std::string_view attribute : attributes) read.push_back(attribute_of(attribute));
  builder.add(id, name, read);
}

void read_metadata(std::string_view message, TraceBuilder& builder) {
  ProtobufFields fields(message);
  while (const std::optional<ProtobufField> field = fields.next()) {
    if (field->number == 1 && field->kind == ProtobufField::Kind::kBytes)
      builder.trace().version = one_line(field->bytes);
  }
}

// ---- JSON ----

// The number that a member holds; the JSON of Protocol Buffers has those of 64 bits as words.
void set_number(ChakraAttribute& attribute, const Json& value) {
  if (value.is_number_unsigned()) {
    attribute.number = value.get<std::uint64_t>();
  } else if (value.is_number_integer()) {
    attribute.negative = true;
    attribute.number = 0;
  } else if (value.is_string()) {
    const std::string word = value.get<std::string>();
    attribute.negative = word.starts_with('-');
    attribute.number = parse_decimal(attribute.negative ? word.substr(1) : word);
  }
}

ChakraAttribute attribute_of(const Json& object) {
  ChakraAttribute attribute;
  for (const auto& [key, value] : object.items()) {
    // "int64Val", or "int64_val" where names of fields were kept.
    std::string field;
    std::ranges::copy_if(key, std::back_inserter(field), [](char c) { return c != '_'; });
    std::ranges::transform(field, field.begin(), [](unsigned char c) { return std::tolower(c); });
    if (field == "name" && value.is_string()) {
      attribute.name = value.get<std::string>();
    } else if (field == "stringval" && value.is_string()) {
      attribute.text = value.get<std::string>();
    } else if (field == "boollist" && value.is_object()) {
      attribute.flags.emplace();
      const auto values = value.find("values");
      if (values == value.end() || !values->is_array()) continue;
      for (const Json& flag : *values) attribute.flags->push_back(flag.is_boolean() && flag.get<bool>());
    } else if (field.ends_with("val") && field.find("int") != std::string::npos) {
      set_number(attribute, value);
    } else if (field.ends_with("val") && field.find("fixed") != std::string::npos) {
      set_number(attribute, value);
    }
  }
  return attribute;
}

void read_object(const Json& object, bool is_first, TraceBuilder& builder) {
  if (!object.is_object()) throw builder.wrong()("expected objects, one after the other");
  const auto type = object.find("type");
  const auto version = object.find("version");
  if (is_first && type == object.end()) {  // GlobalMetadata
    if (version != object.end() && version->is_string())
      builder.trace().version = one_line(version->get<std::string>());
    return;
  }
  ++builder.trace().nodes;
  if (type == object.end() || (*type != "COMM_COLL_NODE" && *type != kCollectiveNode)) return;
  ChakraAttribute id;
  if (object.contains("id")) set_number(id, object["id"]);  // an id of 0 may be left out
  if (object.contains("id") && (!id.number || id.negative))
    throw builder.wrong()("a node of type COMM_COLL_NODE: id: expected a number");
  std::vector<ChakraAttribute> read;
  const auto attributes = object.find("attr");
  if (attributes != object.end() && attributes->is_array()) {
    for (const Json& attribute : *attributes) {
      if (attribute.is_object()) read.push_back(attribute_of(attribute));
    }
  }
  const auto name = object.find("name");
  builder.add(id.number.value_or(0),
              name != object.end() && name->is_string() ? name->get<std::string>() : std::string(), read);
}

// Where the object that begins with the text ends: behind the bracket that closes it. npos: nowhere.
std::size_t end_of_object(std::string_view text) {
  std::size_t depth = 0;
  bool in_word = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (in_word) {
      if (text[i] == '\\')
        ++i;
      else if (text[i] == '"')
        in_word = false;
    } else if (text[i] == '"') {
      in_word = true;
    } else if (text[i] == '{' || text[i] == '[') {
      ++depth;
    } else if ((text[i] == '}' || text[i] == ']') && --depth == 0) {
      return i + 1;
    }
  }
  return std::string_view::npos;
}

}  // namespace

const std::string& ChakraCollective::type_name() const { return comm_types().at(comm_type).name; }
std::optional<CollectiveKind> ChakraCollective::kind() const { return comm_types().at(comm_type).kind; }
bool ChakraCollective::is_partial() const {
  return std::ranges::find(involved_dim, false) != involved_dim.end();
}

ChakraTrace parse_chakra_protobuf(std::string_view bytes, const std::string& shown) {
  TraceBuilder builder(shown);
  ProtobufFields file(bytes);
  std::uint64_t messages = 0;
  try {
    while (const std::optional<std::uint64_t> length = file.next_varint()) {
      const std::string_view message = file.take(*length);
      if (messages++ == 0) {
        read_metadata(message, builder);
      } else {
        read_node(message, builder);
      }
    }
  } catch (const std::invalid_argument& error) {
    const std::string what = error.what();
    if (what.starts_with("file ")) throw;  // names the file and the node already
    throw builder.wrong()("message {} is none of a Chakra trace: {}", messages, what);
  }
  if (messages == 0) throw builder.wrong()("is empty; expected a Chakra trace");
  return std::move(builder.trace());
}

ChakraTrace parse_chakra_json(std::string_view text, const std::string& shown) {
  TraceBuilder builder(shown);
  bool is_first = true;
  for (;; is_first = false) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) break;
    text.remove_prefix(begin);
    if (text.front() != '{')
      throw builder.wrong()("expected objects, one after the other, as chakra_jsonizer writes them");
    const std::size_t end = end_of_object(text);
    if (end == std::string_view::npos) throw builder.wrong()("the last object does not end");
    read_object(parse_bounded_json(text.substr(0, end), shown), is_first, builder);
    text.remove_prefix(end);
  }
  if (is_first) throw builder.wrong()("is empty; expected a Chakra trace");
  return std::move(builder.trace());
}

ChakraTrace read_chakra_trace(const std::string& path) {
  const std::string shown = one_line(path);
  if (path.ends_with(".json")) return parse_chakra_json(read_bounded_file(path, kMostJsonTraceBytes), shown);
  if (!path.ends_with(".et")) {
    throw bad_input("file {}: expected a name that ends in .et or .json (chakra_jsonizer)", in_quotes(path));
  }
  const std::string bytes = read_bounded_file(path, kMostTraceBytes);
  if (bytes.starts_with("\x1f\x8b"))
    throw bad_input("file {}: is compressed; expected it unpacked", in_quotes(path));
  return parse_chakra_protobuf(bytes, shown);
}

std::optional<ChakraRun> chakra_run(const ChakraCollective& collective, std::uint64_t members,
                                    std::uint64_t flit_bytes, std::uint64_t most_flits) {
  const std::optional<CollectiveKind> kind = collective.kind();
  const std::uint64_t held = collective.comm_size.value_or(0);
  if (!kind || held == 0) return std::nullopt;
  const auto rounded_up = [](std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0 ? 1 : 0); };
  const bool is_shared = *kind == CollectiveKind::kTotalExchange || *kind == CollectiveKind::kScatter ||
                         *kind == CollectiveKind::kMultinodeAccumulation;
  const std::uint64_t flits = rounded_up(is_shared ? rounded_up(held, members) : held, flit_bytes);
  ChakraRun run;
  run.messages = rounded_up(flits, most_flits);
  run.flits = rounded_up(flits, run.messages);
  return run;
}

}  // namespace safnet
