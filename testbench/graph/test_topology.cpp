#include <stdexcept>

#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

std::string error_of(const std::string& spelling) {
  try {
    make_topology(spelling);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("every family builds its example", "[topology]") {
  for (const TopologyFamily& family : topology_families()) {
    CAPTURE(family.name);
    CHECK(family.example.starts_with(family.name + family.arguments.substr(0, 1)));
    if (family.name == "graph") continue;
    const Graph graph = make_topology(family.example);
    CHECK(graph.spelling() == family.example);
    CHECK(graph.family() == family.name);
  }
}

TEST_CASE("sizes are as spelled", "[topology]") {
  CHECK(make_topology("linear:7").node_count() == 7);
  CHECK(make_topology("mesh:4x3x2").node_count() == 24);
  CHECK(make_topology("torus:4x4").link_count() == 64);
  CHECK(make_topology("torus:2x2").max_degree() == 2);
  CHECK(make_topology("hypercube:10").node_count() == 1024);
  CHECK(make_topology("ring:65536").node_count() == 65536);
  CHECK(make_topology("ring:008").spelling() == "ring:8");  // the canonical spelling
}

namespace {

// A wrong spelling, and a word of the message that it gets.
const std::vector<std::pair<std::string, std::string>> kWrong{
    {"", "family"},
    {"ring", "ring:"},
    {"rnig:4", "rnig"},
    {"ring:", "''"},
    {"ring:1", "'1'"},
    {"ring:0", "'0'"},
    {"ring:-4", "'-4'"},
    {"ring:4.5", "'4.5'"},
    {"ring:4x4", "'4x4'"},
    {"ring:65537", "'65537'"},
    {"ring:99999999999999", "'99999999999999'"},
    {"ring:18446744073709551620", "'18446744073709551620'"},
    {"linear: 4", "' 4'"},
    {"torus:0x4", "'0'"},
    {"torus:4xx4", "''"},
    {"torus:4x", "''"},
    {"torus:1x8", "'1'"},
    {"mesh:", "''"},
    {"mesh:300x300", "300x300"},
    {"mesh:65536x65536x65536x65536x65536", "65536"},
    {"hypercube:0", "'0'"},
    {"hypercube:17", "'17'"},
    {"hypercube:40", "'40'"},
    {"extended-ring:14", "'14'"},
    {"extended-ring:14,8", "'8'"},
    {"extended-ring:14,0", "'0'"},
    {"extended-ring:200,65", "'65'"},
    {"circulant:12", "'12'"},
    {"circulant:12,7", "'7'"},
    {"circulant:12,3,1", "'1'"},
    {"circulant:12,3,3", "'3'"},
    {"circulant:12,2,4", "2 divides all"},
    {"circulant:12,", "''"},
    {"hypercycle:8x6", "'8'"},
    {"hypercycle:8/2/2", "'8/2/2'"},
    {"hypercycle:8/5", "'5'"},
    {"hypercycle:60000/1x60000/1", "60000/1x60000/1"},
    {"complete:130", "'130'"},
    {"complete:1", "'1'"},
    {"generalized-hypercube:3x130", "'130'"},
    {"generalized-hypercube:70x70", "128 ports"},
    {"cube-connected-cycles:2", "'2'"},
    {"cube-connected-cycles:13", "'13'"},
    {"butterfly:2", "'2'"},
    {"star:1", "'1'"},
    {"star:9", "'9'"},
    {"folded-cube:1", "'1'"},
    {"doubled-cube:17", "'17'"},
    {"tree:2", "'2'"},
    {"tree:0,3", "'0'"},
    {"tree:128,1", "'128'"},
    {"tree:2,16", "'2,16'"},
    {"tree:2,3,4", "'2,3,4'"},
    {"generalized-petersen:5", "'5'"},
    {"generalized-petersen:6,3", "'3'"},
    {"random:5,3,1", "'3'"},
    {"random:5,11,1", "'11'"},
    {"random:5,8", "'5,8'"},
    {"random:5,8,x", "'x'"},
    {"random:400,25600,1", "at most 128"},
    {"edges:", "''"},
    {"edges:0", "'0'"},
    {"edges:0-1-2", "'0-1-2'"},
    {"edges:0-1,1-1", "connected to itself"},
    {"edges:0-1,2-3", "cannot be reached"},
    {"edges:0-70000", "'70000'"},
    {"product:ring:4,linear:3", "product(A,B,...)"},
    {"product(ring:4,linear:3", "no closing parenthesis"},
    {"product()", "''"},
    {"product(ring:4,,linear:3)", "''"},
    {"product(ring:4,lineal:3)", "lineal"},
    {"product(ring:4)linear:3)", "do not match"},
    {"product(ring:400,ring:400)", "65536"},
    {"product(" + std::string(5000, '(') + ")", "nested"},
    {"star(4)", "star:N"},
    {"graph:", "''"},
    {"graph:/nonexistent/file", "/nonexistent/file"},
    {"graph:/", "'/'"},
    {"graph:/dev/zero", "/dev/zero"},
};

}  // namespace

TEST_CASE("a wrong spelling gets one line that names the word", "[topology]") {
  for (const auto& [spelling, word] : kWrong) {
    CAPTURE(spelling);
    const std::string error = error_of(spelling);
    CHECK_THAT(error, Catch::Contains(word));
    CHECK(error.find('\n') == std::string::npos);
    CHECK(error != "accepted");
  }
  const std::string long_word = error_of("mesh:" + std::string(1'000'000, 'x'));
  CHECK(long_word.size() < 300);
  CHECK(error_of("ring:4\n5").find('\n') == std::string::npos);
}
