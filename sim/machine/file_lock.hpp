// file_lock - keeps other processes of this program out of a folder that several of them write to.
#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "cpp_model/system/output_file.hpp"

namespace safnet {

/// Waits until no other process or thread holds the lock, and holds it as long as it exists.
class FileLock {
 public:
  /// Makes the file `path` if it is missing. Throws WriteError if it cannot be made or locked.
  explicit FileLock(const std::string& path)
      : descriptor_(::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644)) {
    if (descriptor_ < 0 || ::flock(descriptor_, LOCK_EX) != 0) throw WriteError(path, std::strerror(errno));
  }
  ~FileLock() { ::close(descriptor_); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace safnet
