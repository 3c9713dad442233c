#include "cpp_model/claim/torus/printed_subtree_table.hpp"

#include <fmt/format.h>

namespace safnet {

const std::vector<PrintedSubtreeRow>& printed_subtree_table() {
  static const std::vector<PrintedSubtreeRow> rows{
      {4, 3, 81, 1, 11, 10, 10, "10.00", "1.00"},
      {4, 4, 256, 16, 36, 30, 35, "31.88", "1.10"},
      {4, 5, 625, 1, 79, 78, 78, "78.00", "1.00"},
      {4, 6, 1296, 16, 166, 160, 165, "161.88", "1.10"},
      {4, 7, 2401, 1, 301, 300, 300, "300.00", "1.00"},
      {5, 3, 243, 3, 26, 24, 25, "24.20", "1.03"},
      {5, 4, 1024, 34, 108, 99, 107, "102.30", "1.04"},
      {5, 5, 3125, 5, 315, 312, 314, "312.40", "1.00"},
      {5, 6, 7776, 36, 784, 774, 783, "777.50", "1.01"},
      {5, 7, 16807, 7, 1684, 1680, 1683, "1680.60", "1.00"},
      {6, 3, 729, 9, 63, 60, 62, "60.67", "1.02"},
      {6, 4, 4096, 76, 352, 335, 351, "341.25", "1.03"},
      {6, 5, 15625, 25, 1307, 1300, 1306, "1302.00", "1.00"},
      {6, 6, 46656, 96, 3902, 3880, 3901, "3887.92", "1.00"},
      {6, 7, 117649, 49, 9813, 9800, 9812, "9804.00", "1.00"},
      {7, 3, 2187, 3, 158, 156, 157, "156.14", "1.00"},
      {7, 4, 16384, 130, 1182, 1161, 1181, "1170.21", "1.01"},
      {7, 5, 78125, 5, 5583, 5580, 5582, "5580.29", "1.00"},
      {7, 6, 279936, 132, 20008, 19986, 20007, "19995.36", "1.00"},
      {7, 7, 823543, 7, 58828, 58824, 58827, "58824.43", "1.00"},
      {8, 3, 6561, 1, 411, 410, 410, "410.00", "1.00"},
      {8, 4, 65536, 256, 4116, 4080, 4115, "4095.94", "1.00"},
      {8, 5, 390625, 1, 24415, 24414, 24414, "24414.00", "1.00"},
      {8, 6, 1679616, 256, 104996, 104960, 104995, "104975.94", "1.00"},
      {8, 7, 5764801, 1, 360301, 360300, 360300, "360300.00", "1.00"},
      {9, 3, 19683, 27, 1098, 1092, 1097, "1093.44", "1.00"},
      {9, 4, 262144, 568, 14602, 14532, 14601, "14563.50", "1.00"},
      {9, 5, 1953125, 125, 108523, 108500, 108522, "108506.89", "1.00"},
      {9, 6, 10077696, 720, 559928, 559832, 559927, "559871.94", "1.00"},
  };
  return rows;
}

std::string rounded_to_hundredths(const NecklaceCounts::Integer& numerator,
                                  const NecklaceCounts::Integer& denominator) {
  const NecklaceCounts::Integer hundredths = (200 * numerator + denominator) / (2 * denominator);
  return fmt::format("{}.{:02}", NecklaceCounts::Integer(hundredths / 100).str(),
                     NecklaceCounts::Integer(hundredths % 100).convert_to<int>());
}

std::string misprints(const PrintedSubtreeRow& row) {
  const NecklaceCounts counts = necklace_counts(row.n, row.k);
  const NecklaceCounts::Integer others = counts.nodes - 1;
  std::string text;
  const auto compare = [&](const char* column, const std::string& printed, const std::string& right) {
    if (printed != right) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", column, printed);
  };
  compare("nodes", std::to_string(row.nodes), counts.nodes.str());
  compare("nonfull", std::to_string(row.nonfull), counts.nonfull.str());
  compare("necklaces", std::to_string(row.necklaces), counts.necklaces.str());
  compare("smallest", std::to_string(row.smallest), counts.smallest.str());
  compare("largest", std::to_string(row.largest), counts.largest.str());
  compare("mean", row.mean, rounded_to_hundredths(others, 2 * row.n));
  compare("ratio", row.ratio, rounded_to_hundredths(2 * row.n * counts.largest, others));
  return text;
}

}  // namespace safnet
