#include "cpp_model/schedule/schedule_file.hpp"

#include "cpp_model/schedule/schedule_reader.hpp"
#include "cpp_model/schedule/schedule_writer.hpp"
#include "cpp_model/schedule/streamed_file.hpp"

namespace safnet {

void write_schedule(const Schedule& schedule, const std::string& path) {
  require_writable(schedule);
  StreamedOutput out(path);
  put_schedule(out, schedule);
  out.commit();
}

Schedule read_schedule(const std::string& path) {
  StreamedInput file(path);
  return get_schedule(file);
}

}  // namespace safnet
