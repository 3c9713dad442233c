// output_file - files that appear whole under their name, or not at all.
#pragma once

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "cpp_model/system/unfinished.hpp"

namespace safnet {

/// Something could not be written: the disk is full, for example. The message is one line.
class WriteError : public std::runtime_error {
 public:
  WriteError(const std::string& path, const std::string& why);
};

/// Throws WriteError if something that was printed could not be written.
void flush_output();

/// Why no file `path` can be made or replaced, found out by making one beside it; empty if it can.
/// `replaced`: it must not be a pipe or device.
std::string why_no_output(const std::string& path, bool replaced = false);

/// The file that `path` leads to over symbolic links; it need not exist.
std::filesystem::path behind_links(std::filesystem::path path);

/// A file that appears under its name when commit() says that it is complete, and not at all without: until
/// then it is a file in the same folder without a name, or where there are no such files with a temporary
/// one. A device or pipe is written to at once, and so is the file that stdout or stderr leads to. Functions
/// throw WriteError.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  int descriptor() const { return descriptor_; }
  void commit();
  WriteError cannot(const std::string& why) const { return {path_, why}; }

 private:
  std::string path_;
  std::filesystem::path target_;  // where symbolic links lead to
  std::unique_ptr<Temporary> temporary_;
  bool is_nameless_ = false;  // until commit()
  int descriptor_ = -1;
};

/// The same for a text that is known as a whole.
void write_whole_file(const std::string& path, std::string_view text);

}  // namespace safnet
